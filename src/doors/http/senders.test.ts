import { expect, it } from "vitest";
import { codeWaitAfter } from "./senders.js";

it.each([
  [0, 500],
  [1, 1_000],
  [3, 4_000],
  [9, 4_000],
])("lets a connection with %i wrong codes wait for %i ms before it tries the next one", (wrong, ms) => {
  expect(codeWaitAfter(wrong)).toBe(ms);
});
