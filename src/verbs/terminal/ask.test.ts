import { expect, it } from "vitest";
import { preselected } from "./ask.js";

it.each<[hasRead: boolean, isProvable: boolean, choice: string]>([
  [false, true, "read"],
  [false, false, "read"],
  [true, true, "approve"],
  [true, false, "changes"],
])("a plan that was read: %s, and can be proven: %s, is preselected to %s", (hasRead, isProvable, choice) => {
  expect(preselected(hasRead, isProvable)).toBe(choice);
});
