import { describe, expect, it } from "vitest";
import { AT } from "../../../test/node.js";
import { phraseOf, whyNoneBegins, whyNotBegin } from "./hold-phrase.js";
import type { Hold, HoldReason } from "./holds.js";

const hold = (reason: HoldReason, because: readonly string[] = [], until: number | null = null): Hold => ({
  reason,
  because,
  until,
});

describe("a hold as a phrase", () => {
  it.each<[phrase: string, hold: Hold]>([
    ["it is finished", hold("terminal")],
    ["agent:a is working on it", hold("in-flight", ["agent:a"])],
    ["it was rejected (no test)", hold("rejected", ["no test"])],
    ["it was rejected", hold("rejected")],
    ["it is in the inbox, and nothing in the inbox runs", hold("inbox")],
    ["it is not a task", hold("container")],
    ["it is not a task, but holds T-1, T-2", hold("container", ["T-1", "T-2"])],
    ["it is not approved", hold("unapproved")],
    ["it was approved with a secret that this plan does not know", hold("approval-unknown")],
    ["it changed after it was approved", hold("approval-stale")],
    ["it is frozen (wait)", hold("frozen", ["wait"])],
    ["it depends on T-1, which was rejected", hold("dep-rejected", ["T-1"])],
    ["it depends on T-1, which was dropped", hold("dep-dropped", ["T-1"])],
    ["it waits for T-1", hold("deps-pending", ["T-1"])],
    ["it waits for a person", hold("human")],
    ["it touches the same files as T-1", hold("conflict", ["T-1"])],
    ["it has no attempts left", hold("budget")],
    ["it is in no feature, so its work has no branch to go to", hold("no-feature")],
    ["the level is off", hold("level")],
    ["the level of F-1 is off", hold("level", ["F-1"])],
    ["it failed and is tried again at 2026-01-01 00:00", hold("retry", [], AT)],
    ["it failed and is tried again at 1970-01-01 00:00", hold("retry")],
    ["too many failed", hold("storm", ["too many failed"])],
    ["too many failed, so it pauses until 2026-01-01 00:00", hold("storm", ["too many failed"], AT)],
    ["the day cost $3", hold("spending", ["the day cost $3"])],
    ['there is no agent "ghost"', hold("no-worker", ["unknown-agent", "ghost"])],
    ["the agent codex is not installed", hold("no-worker", ["not-installed", "codex"])],
    ["no agent can do it, and it has no commands to run", hold("no-worker", ["no-commands"])],
  ])("%s", (phrase, given) => {
    expect(phraseOf(given)).toBe(phrase);
  });

  it("is a sentence about the task", () => {
    expect(whyNotBegin("T-1", hold("unapproved"))).toBe("T-1 is not approved.");
    expect(whyNotBegin("T-1", hold("level"))).toBe("T-1 cannot begin: the level is off.");
  });
});

describe("why several tasks cannot begin", () => {
  const nobody = hold("no-worker", ["no-commands", "shell"]);
  it.each<[sentences: string[], held: [Hold, ...string[]][]]>([
    [[], []],
    [["No agent can do T-1, and it has no commands to run."], [[nobody, "T-1"]]],
    [["No agent can do T-1 and T-2, and they have no commands to run."], [[nobody, "T-1", "T-2"]]],
    [
      ["No agent can do T-1, T-2, T-3 and 2 more, and they have no commands to run."],
      [[nobody, "T-1", "T-2", "T-3", "T-4", "T-5"]],
    ],
    [['T-1 names the agent "ghost", which is not known.'], [[hold("no-worker", ["unknown-agent", "ghost"]), "T-1"]]],
    [
      ['T-1 and T-2 name the agent "ghost", which is not known.'],
      [[hold("no-worker", ["unknown-agent", "ghost"]), "T-1", "T-2"]],
    ],
    [["T-1 needs the agent codex, which is not installed."], [[hold("no-worker", ["not-installed", "codex"]), "T-1"]]],
    [
      ["T-1 and T-2 need the agent codex, which is not installed."],
      [[hold("no-worker", ["not-installed", "codex"]), "T-1", "T-2"]],
    ],
    [['T-1 names the agent "", which is not known.'], [[hold("no-worker", ["unknown-agent"]), "T-1"]]],
    [
      ["T-1 is not approved.", "T-2 and T-3 cannot begin: each touches the same files as T-9."],
      [
        [hold("unapproved"), "T-1"],
        [hold("conflict", ["T-9"]), "T-2", "T-3"],
      ],
    ],
    [["T-1 and T-2 cannot begin: the level is off."], [[hold("level"), "T-1", "T-2"]]],
  ])("%j", (sentences, held) => {
    const flat = held.flatMap(([each, ...ids]) => ids.map((task) => ({ task, ...each })));
    expect(whyNoneBegins(flat)).toEqual(sentences);
  });
});
