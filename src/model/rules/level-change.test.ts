import { describe, expect, it } from "vitest";
import type { Change } from "../operation/change.js";
import { raisesLevel } from "../operation/change.js";

const change = (key: string, before: string | null, after: string | null): Change => ({
  entity: "level",
  key,
  before: before === null ? null : { level: before },
  after: after === null ? null : { level: after },
});

describe("a change of level", () => {
  it.each([
    ["workspace", null, "on", true],
    ["workspace", null, "off", false],
    ["workspace", "auto", "on", false],
    ["workspace", "auto", null, false],
    ["7", null, "off", false],
    ["7", null, "auto", false],
    ["7", "off", "on", true],
    ["7", "on", null, true],
    ["7", "auto", null, false],
  ] as const)("%s from %s to %s raises it: %s", (key, before, after, raises) => {
    expect(raisesLevel([change(key, before, after)])).toBe(raises);
  });

  it("is looked for among all changes, and elsewhere says nothing", () => {
    const focus: Change = { entity: "focus", key: "human:ada", before: null, after: { node: 1 } };
    expect(raisesLevel([focus])).toBe(false);
    expect(raisesLevel([focus, change("workspace", "off", "auto")])).toBe(true);
  });

  it("says nothing if only the reason is another", () => {
    expect(raisesLevel([{ entity: "level", key: "7", before: { reason: "a" }, after: { reason: "b" } }])).toBe(false);
  });
});
