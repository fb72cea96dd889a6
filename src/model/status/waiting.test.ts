import { describe, expect, it } from "vitest";
import { byImportance, type WaitingEntry, type WaitingKind, waitingSentence, withoutTwins } from "./waiting.js";

const entry = (kind: WaitingKind, id: string | null, rest: Partial<WaitingEntry> = {}): WaitingEntry => ({
  kind,
  id,
  about: null,
  since: null,
  sentence: "",
  headline: "",
  detail: null,
  suggestion: null,
  failed: [],
  holdsUp: { nodes: 0, hours: 0, more: false },
  next: [],
  ...rest,
});

describe("what waits for you", () => {
  it("lists what stops most first, and of each kind what has waited longest", () => {
    const entries = [
      entry("unapproved", "F"),
      entry("landing", "L"),
      entry("question", "ESC-2", { since: 2 }),
      entry("question", "ESC-1", { since: 1 }),
      entry("daemon", null),
      entry("gate", "G", { since: 9 }),
      entry("gate", "G-first"),
    ];
    expect(entries.sort(byImportance).map(({ kind, id }) => id ?? kind)).toEqual([
      "daemon",
      "ESC-1",
      "ESC-2",
      "L",
      "G-first",
      "G",
      "F",
    ]);
  });

  it("lists what holds up most work before everything but a dead daemon", () => {
    const holding = (hours: number) => ({ holdsUp: { nodes: 1, hours, more: false } });
    const entries = [
      entry("question", "ESC-1", holding(1)),
      entry("unapproved", "F", holding(9)),
      entry("daemon", null),
      entry("rejected", "T", holding(2)),
    ];
    expect(entries.sort(byImportance).map(({ kind, id }) => id ?? kind)).toEqual(["daemon", "F", "T", "ESC-1"]);
  });

  it("takes what nobody noted the beginning of as the oldest", () => {
    const [noted, unnoted] = [entry("gate", "G", { since: 9 }), entry("gate", "H")];
    expect([byImportance(noted, unnoted), byImportance(unnoted, noted)]).toEqual([9, -9]);
  });

  it("names nothing twice: a question speaks for what it is about", () => {
    const questions = [{ owner: "RUN-1", blocks: ["T-1", "FEAT-A"] }];
    const entries = [
      entry("rejected", "T-1"),
      entry("rejected", "T-2"),
      entry("landing", "L", { about: "FEAT-A" }),
      entry("plan", "RUN-1"),
      entry("plan", "RUN-2"),
      entry("stale", "FEAT-A"),
      entry("daemon", null),
    ];
    expect(withoutTwins(entries, questions).map(({ kind, id }) => `${kind} ${id ?? ""}`)).toEqual([
      "rejected T-2",
      "plan RUN-2",
      "stale FEAT-A",
      "daemon ",
    ]);
    expect(withoutTwins([entry("stopped", null)], questions)).toHaveLength(1);
  });

  it.each<[sentence: string, kinds: WaitingKind[], reader: string]>([
    ["Nothing waits for you.", [], "human:ada"],
    ["Nothing waits for a person.", [], "agent:bot"],
    ["1 thing waits for you: 1 question.", ["question"], "human:ada"],
    [
      "4 things wait for you: 2 questions, 1 feature to land and 1 manual step.",
      ["question", "gate", "landing", "question"],
      "human:ada",
    ],
  ])("says it in one sentence: %s", (sentence, kinds, reader) => {
    expect(
      waitingSentence(
        kinds.map((kind) => ({ kind })),
        reader as "human:ada",
      ),
    ).toBe(sentence);
  });
});
