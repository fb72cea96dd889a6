import { resolve } from "node:path";
import { expect, it } from "vitest";
import { isInside } from "./paths.js";

it.each([
  ["/work", "/work/a/b", true],
  ["/work", "a", true],
  ["/work", "/work", true],
  ["/work", "..a", true],
  ["/work", "/workshop", false],
  ["/work", "../x", false],
  ["/work", "..", false],
])("is below %s: %s (%s)", (folder, path, inside) => {
  expect(isInside(resolve(folder, path), folder)).toBe(inside);
});
