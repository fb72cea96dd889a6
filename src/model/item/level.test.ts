import { describe, expect, it } from "vitest";
import { effectiveLevel, isRaise, LEVELS } from "./level.js";

describe("levels", () => {
  it("count as the lower of workspace and feature", () => {
    const table = LEVELS.map((workspace) =>
      [undefined, ...LEVELS].map((feature) => effectiveLevel(workspace, feature)),
    );
    expect(table).toEqual([
      ["off", "off", "off", "off"],
      ["on", "off", "on", "on"],
      ["auto", "off", "on", "auto"],
    ]);
  });

  it("are raised only upwards", () => {
    expect([isRaise("off", "on"), isRaise("on", "auto"), isRaise("on", "on"), isRaise("auto", "off")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
