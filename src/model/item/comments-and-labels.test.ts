import { describe, expect, it } from "vitest";
import { changeLabels, labelProblem } from "./comments-and-labels.js";

describe("labels", () => {
  it.each(["ui", "v1.2", "größe", "area:api", "team/web", "x".repeat(40)])("may be %s", (label) => {
    expect(labelProblem(label)).toBeUndefined();
  });

  it.each(["", " ", "two words", "-x", "a\nb", "x".repeat(41)])("cannot be %j", (label) => {
    expect(labelProblem(label)).toContain("1 to 40 letters");
  });

  it("are kept once each, in alphabetical order", () => {
    expect(changeLabels(["ui"], { add: ["api", "ui"] })).toEqual(["api", "ui"]);
    expect(changeLabels(["api", "ui"], { remove: ["ui", "other"] })).toEqual(["api"]);
    expect(changeLabels(["api"], {})).toEqual(["api"]);
  });
});
