import { describe, expect, it } from "vitest";
import { allSpellings } from "../kit/spell.js";
import { nearestFlag, suggest } from "./suggest.js";

describe("did you mean", () => {
  it.each<[typed: string, meant: readonly string[]]>([
    ["rm", []],
    ["done", ["complete"]],
    ["ls", ["list"]],
    ["find", ["search"]],
    ["stauts", ["status"]],
    ["unfreeze", ["thaw"]],
    ["wrap", ["archive"]],
    ["resume", ["thaw", "plan resume"]],
    ["rework", ["plan revise"]],
    ["revert", ["revert"]],
    ["halt", ["freeze"]],
    ["stop", ["freeze", "daemon stop"]],
    ["park", ["freeze"]],
    ["pick", ["next"]],
    ["bubble", ["promote"]],
    ["list", ["list"]],
    ["search", ["search"]],
    ["Shwo", ["show"]],
    ["x", []],
    ["nothing-like-it", []],
  ])("%s: %j", (typed, meant) => {
    expect(suggest(typed)).toEqual(meant);
  });

  it("never suggests by likeness what removes, resets or gives up", () => {
    const dangerous = new Set(["drop", "waive", "replan", "unapprove", "reset", "memory forget"]);
    for (const { words } of allSpellings()) {
      for (const slip of [words.slice(1), `${words}x`, words.replace("e", "")]) {
        expect(suggest(slip).filter((each) => dangerous.has(each))).toEqual([]);
      }
    }
  });
});

describe("the flag that was meant", () => {
  const flags = ["id", "parent", "on", "file", "check", "body", "priority"].map((flag) => ({ flag, help: "" }));

  it.each([
    ["in", "parent"],
    ["under", "parent"],
    ["after", "on"],
    ["files", "file"],
    ["prio", "priority"],
    ["prioirty", "priority"],
    ["description", "body"],
  ])("--%s: --%s", (typed, meant) => {
    expect(nearestFlag(typed, flags)?.flag).toBe(meant);
  });

  it.each(["before", "x", "nothing-like-it", ""])("is none for --%s, and never the opposite", (typed) => {
    expect(nearestFlag(typed, flags)).toBeUndefined();
  });
});
