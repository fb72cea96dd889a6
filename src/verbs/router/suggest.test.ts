import { describe, expect, it } from "vitest";
import { allSpellings } from "../kit/spell.js";
import { suggest } from "./suggest.js";

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
