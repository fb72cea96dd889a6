import { describe, expect, it } from "vitest";
import { type NextStep, step } from "../../model/next-step.js";
import { verbNames } from "../list.js";
import { allSpellings, commandWords, findSpelling, spell } from "./spell.js";

describe("a step as a command", () => {
  it.each<[command: string, step: NextStep]>([
    ["planwright status", step("status")],
    ["planwright why TASK-1", step("why", { reference: "TASK-1" })],
    ["planwright approve A B", step("approve", { references: ["A", "B"] })],
    ["planwright accept TASK-1 --reason TEXT", step("accept", { references: ["TASK-1"] }, "reason")],
    ["planwright move TASK-1 --to NODE", step("move", { references: ["TASK-1"] }, "to")],
    ["planwright land FEAT-1 --dry-run", step("land", { reference: "FEAT-1", dryRun: true, pr: false })],
    ["planwright run --in FEAT-1 --parallel 3", step("run", { within: "FEAT-1", parallel: 3 })],
    ["planwright level on", step("level", { level: "on" })],
    ["planwright level auto --in FEAT-1", step("level", { level: "auto", in: "FEAT-1" })],
    ['planwright freeze A --reason "wait for it"', step("freeze", { references: ["A"], reason: "wait for it" })],
    ["planwright freeze A --reason 'a $(b)'", step("freeze", { references: ["A"], reason: "a $(b)" })],
    [`planwright freeze A --reason 'it'\\''s "x"'`, step("freeze", { references: ["A"], reason: `it's "x"` })],
    ["planwright add X --file a.ts --file b.ts", step("add", { title: "X", files: ["a.ts", "b.ts"] })],
    ["planwright record add X --kind decision", step("record.add", { title: "X", kind: "decision" })],
  ])("%s", (command, given) => {
    expect(spell(given)).toBe(command);
  });

  it("is also the words that a program is started with, unquoted", () => {
    expect(commandWords(step("freeze", { references: ["A"], reason: "wait for it" }))).toEqual([
      "freeze",
      "A",
      "--reason",
      "wait for it",
    ]);
  });
});

describe("spellings", () => {
  it("have one for every operation, and none twice", () => {
    const spelled = new Set(allSpellings().map(({ operation }) => operation));
    expect(verbNames().filter((name) => !spelled.has(name))).toEqual([]);
    const words = allSpellings().map((each) => `${each.words} ${JSON.stringify(each.when ?? null)}`);
    expect(words.filter((each, i) => words.indexOf(each) !== i)).toEqual([]);
    const plain = new Set(
      allSpellings()
        .filter(({ when }) => !when)
        .map((each) => each.words),
    );
    expect(allSpellings().filter((each) => !plain.has(each.words))).toEqual([]);
  });

  it.each([
    ["show --context TASK-1", "bundle.create"],
    ["show ATT-1 --transcript --limit 5", "attempt.transcript"],
    ["gc --dry-run", "gc"],
    ["attempt --kept", "attempt.kept"],
    ["attempt kept", "attempt.kept"],
    ["attempt expire", "gc"],
    ["start TASK-1", "next"],
  ])("of the same words are told apart by a flag: %s", (words, operation) => {
    expect(findSpelling(words.split(" "))?.spelling.operation).toBe(operation);
  });

  it("are told apart in what is printed too", () => {
    expect(spell(step("attempt.show", { id: "ATT-1" }))).toBe("planwright show ATT-1");
    expect(spell(step("bundle.create", { references: ["TASK-1"], text: true }))).toBe(
      "planwright show TASK-1 --context --print",
    );
    expect(spell(step("plan.diff"))).toBe("planwright plan diff");
  });

  it("are found by the longest match", () => {
    expect(findSpelling(["plan", "resume", "RUN-1"])).toMatchObject({
      spelling: { operation: "plan.resume" },
      rest: ["RUN-1"],
    });
    expect(findSpelling(["plan", "spec.md"])).toMatchObject({
      spelling: { operation: "plan.start" },
      rest: ["spec.md"],
    });
    expect(findSpelling(["nothing"])).toBeUndefined();
  });
});
