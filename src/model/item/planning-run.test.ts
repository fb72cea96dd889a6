import { expect, it } from "vitest";
import { isDriven } from "./planning-run.js";

it.each([
  ["nobody holds it", null, 5, true, false],
  ["its lease has not ended and its process runs", { by: "here/1#RUN-001", until: 9 }, 5, true, true],
  ["its lease has ended", { by: "here/1#RUN-001", until: 5 }, 5, true, false],
  ["its process is gone", { by: "here/1#RUN-001", until: 9 }, 5, false, false],
])("a run is driven or not: %s", (_, driver, at, alive, driven) => {
  expect(isDriven({ driver }, at, () => alive)).toBe(driven);
});
