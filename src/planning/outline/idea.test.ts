// A bare idea without a model: what the outline asks about it, and the skeleton that it lays around it.

import { describe, expect, it } from "vitest";
import { parseSpec } from "../spec/parse.js";
import { ideaOf, questionsAboutIdea, withSkeleton } from "./idea.js";
import { outlineCapabilities, outlineFiles, outlineTasks } from "./outline.js";

const TESTS = [{ purpose: "test", run: "npm test" }];
const TOGGLE = "Add a dark mode toggle to the settings page, and remember it per user";

function skeletonOf(text: string, answers: Readonly<Record<string, string>> = {}, commands = TESTS) {
  const spec = parseSpec(text);
  const map = outlineCapabilities(spec);
  const draft = outlineTasks(spec, map, outlineFiles(spec, map, { files: [] }), { checks: commands });
  const given = Object.entries(answers).map(([question, answer]) => ({ question, answer }));
  return withSkeleton(draft, ideaOf(spec) ?? [], { answers: given, commands });
}

const [size, proof] = questionsAboutIdea(TESTS).map(({ question }) => question) as [string, string];

describe("a bare idea", () => {
  it.each<[idea: string, parts: readonly string[] | undefined]>([
    [TOGGLE, ["Add a dark mode toggle to the settings page", "remember it per user"]],
    ["Make a clock.", ["Make a clock."]],
    ["Build a parser, then print and lint a file", ["Build a parser", "print and lint a file"]],
    ["Fix the typo in the head of the page", undefined],
    ["Clock", undefined],
    ["# Clock\n\nMake a clock that tells the time.", undefined],
    ["Make a clock.\n\n- with hands\n- with a bell", undefined],
    ["Make a clock. ".repeat(40), undefined],
  ])("%j has the parts %j", (idea, parts) => {
    expect(ideaOf(parseSpec(idea))).toEqual(parts);
  });

  it("is never one long task", () => {
    const { tasks } = skeletonOf(TOGGLE);
    const [first, second, failures, users] = tasks;
    expect(tasks.map(({ title }) => title)).toEqual([
      "Add a dark mode toggle to the settings page",
      "Remember it per user",
      "Handle what can go wrong: Add a dark mode toggle to the settings page",
      "Tell its users: Add a dark mode toggle to the settings page",
    ]);
    expect(Math.max(...tasks.map(({ estimateHours }) => estimateHours ?? 0))).toBeLessThanOrEqual(3);
    expect([first?.dependsOn, second?.dependsOn]).toEqual([[], [first?.id]]);
    for (const after of [failures, users]) expect(after?.dependsOn).toEqual([first?.id, second?.id]);
    expect(tasks.every(({ body }) => body.includes(TOGGLE))).toBe(true);
    expect(tasks.map(({ steelThread }) => steelThread)).toEqual([true, false, false, false]);
  });

  it("of several sentences has a task for each", () => {
    const { tasks } = skeletonOf("Build a parser for the log. Add a page that shows its lines.");
    expect(tasks.map(({ title }) => title).slice(0, 2)).toEqual([
      "Build a parser for the log",
      "Add a page that shows its lines",
    ]);
    expect(tasks).toHaveLength(4);
  });

  it("is planned alone where a person wants no more", () => {
    expect(skeletonOf("Make a clock", { [size]: "Only the idea itself" }).tasks).toHaveLength(1);
  });

  it("is proven by the command that a person chose", () => {
    const commands = [...TESTS, { purpose: "check the types", run: "npx tsc" }];
    const { tasks } = skeletonOf("Make a clock", { [proof]: "npx tsc" }, commands);
    expect(tasks.map(({ kind, checks }) => [kind, checks.map(({ run }) => run)])).toEqual(
      Array.from({ length: 3 }, () => ["work", ["npx tsc"]]),
    );
  });

  it.each<[what: string, answers: Record<string, string>, commands: typeof TESTS]>([
    ["where no command shows that it works", {}, []],
    ["where a person wants to see it", { [proof]: "A person tries it" }, TESTS],
  ])("waits for a person %s", (_, answers, commands) => {
    const { tasks } = skeletonOf("Make a clock", answers, commands);
    expect(tasks.at(-1)).toMatchObject({ kind: "gate", title: "Try it: Make a clock", checks: [] });
    expect(tasks.at(-1)?.dependsOn).toContain(tasks[0]?.id);
  });

  it("asks how much of it is planned and what shows that it works", () => {
    expect(questionsAboutIdea(TESTS).map((asked) => [asked.options.length, asked.default])).toEqual([
      [2, "The idea, what can go wrong, and a word to its users"],
      [2, "npm test"],
    ]);
    expect(questionsAboutIdea([])[1]?.default).toBe("A person tries it");
  });
});
