import { describe, expect, it } from "vitest";
import { DRAFT, FILES, MAP, SPEC } from "../../../test/planning.js";
import type { PlanRecord } from "../../model/item/record.js";
import type { Feedback } from "../contracts/findings.js";
import { capabilityMap, fileMap } from "../contracts/maps.js";
import { planDraft } from "../contracts/plan-draft.js";
import { parseSpec } from "../spec/parse.js";
import { type Brief, lookUpIn } from "./brief.js";
import { promptFor } from "./prompt.js";

const LONG = "and so on in many words ".repeat(40);
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const said = (source: Feedback["source"]): Feedback => {
  const findings = many(80, (n) => ({ id: `K${n}`, severity: "low", title: LONG, nodes: [] }));
  const questions = many(30, (n) => ({ id: `Q${n}`, question: LONG, context: "", impact: "", options: [] }));
  return { source, round: 0, findings, questions, note: LONG };
};

/** All of it is too much for one call. */
const brief = (role: Brief["role"]): Brief =>
  ({
    role,
    stage: "review",
    revise: role === "author",
    round: 1,
    spec: parseSpec(many(60, (n) => `${SPEC.replace("# Greeter", `# Part ${n}`)}\n${LONG}\n`).join("\n")),
    part: { number: 1, of: 1 },
    focus: role === "critic" ? ["T1"] : null,
    windowTokens: 8_000,
    stack: null,
    target: null,
    node: { id: "FEAT-001", tier: "feature", title: "It", body: many(100, () => LONG).join("\n"), path: "MISSION" },
    clarification: {
      intent: "",
      ambiguities: [],
      questions: [],
      assumptions: many(50, () => ({ text: LONG, because: "" })),
    },
    answers: many(50, (n) => ({ question: `Question ${n}?`, answer: "yes", note: LONG })),
    research: { summary: LONG, findings: many(60, () => ({ topic: "T", text: LONG, evidence: [] })), commands: [] },
    map: capabilityMap.parse(MAP),
    files: fileMap.parse(FILES),
    draft: planDraft.parse({
      ...DRAFT,
      tasks: [...DRAFT.tasks, ...many(60, (n) => ({ ...DRAFT.tasks[0], id: `X${n}`, body: LONG }))],
    }),
    responses: many(role === "author" ? 0 : 3_000, (n) => ({
      source: "critic" as const,
      round: 1,
      id: `K${n}`,
      severity: "high",
      title: `Finding ${n}`,
      action: "declined" as const,
      note: "No.",
    })),
    initiatives: many(2_000, (n) => ({ id: `INIT-${n}`, title: LONG })),
    settled: many(5_000, (n) => ({ id: `TASK-${n}`, state: "done" })),
    feedback: role === "author" ? [said("critic"), said("person")] : [],
    earlier: role === "critic" ? said("critic") : null,
    records: many(60, (n) => ({
      key: `DEC-${n}`,
      record: { kind: "decision", title: `Decision ${n}`, body: LONG, measure: null } as unknown as PlanRecord,
    })),
    lessons: many(50, () => LONG),
    materials: many(2, (n) => ({ name: `Prior plan ${n}`, text: many(500, () => LONG).join("\n") })),
    repositoryFiles: [],
    commands: [],
    problems: [],
  }) as unknown as Brief;

/** Every name that the prompt gives for what it leaves out. */
const namesIn = (prompt: string): string[] => [
  ...new Set([...prompt.matchAll(/`look_up` of `([^`]+)` gives all of it/g)].map(([, name]) => name as string)),
];

describe("what a prompt leaves out", () => {
  it.each([
    [
      "critic",
      [
        "answers",
        "assumptions",
        "earlier",
        "files",
        "initiatives",
        "lessons",
        "map",
        "node",
        "plan",
        "research",
        "responses",
        "settled",
      ],
    ],
    [
      "author",
      [
        "answers",
        "assumptions",
        "feedback critic",
        "feedback person",
        "files",
        "initiatives",
        "lessons",
        "map",
        "node",
        "plan",
        "research",
        "settled",
      ],
    ],
    ["overviewer", ["answers", "plan"]],
  ] as const)("the %s can look up by every name that stands there", (role, expected) => {
    const asked = brief(role);
    const names = namesIn(promptFor(asked, "====="));
    expect(names.filter((name) => !name.startsWith("Prior plan")).toSorted()).toEqual(expected);
    const lookUp = lookUpIn(asked);
    expect(names.filter((name) => (lookUp(name) ?? "") === "")).toEqual([]);
  });

  it("can be looked up one by one, by ids in any case", () => {
    const asked = brief("critic");
    const lookUp = lookUpIn(asked);
    expect(JSON.parse(lookUp("x59") ?? "")).toMatchObject({ id: "X59", body: LONG });
    expect(JSON.parse(lookUp("DEC-59") ?? "")).toMatchObject({ title: "Decision 59", body: LONG });
    const [section] = asked.spec.sections.slice(-1);
    expect(lookUp(section?.id ?? "")).toContain("REQ-3");
    expect(lookUp("Prior plan 1")).toContain(LONG);
    expect(lookUp("X60")).toBeUndefined();
    expect(lookUp("constructor")).toBeUndefined();
  });

  it("stays hidden from fresh eyes", () => {
    const lookUp = lookUpIn({ ...brief("author"), role: "overviewer" });
    const hidden = ["spec", "map", "files", "node", "assumptions", "lessons", "research", "settled", "responses"];
    for (const name of [...hidden, "feedback critic", "Prior plan 1"])
      expect([name, lookUp(name)]).toEqual([name, undefined]);
    expect(lookUp("X3")).toContain(LONG);
    expect(lookUp("DEC-3")).toContain(LONG);
  });
});
