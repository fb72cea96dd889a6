import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draft, file, map, task } from "../../../test/plan-draft.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { sequence } from "../draft/sequence.js";
import { lintDraft } from "../lint/lint.js";
import { parseSpec } from "../spec/parse.js";
import { code, escaped, escapedProse, table } from "./markdown.js";
import { planDocument } from "./plan-document.js";
import { evaluateTasks, type ReviewRound, verificationReport } from "./verification-report.js";

const SPEC = parseSpec("# Lamp\n\n- REQ-1: The lamp can be switched on.\n- The lamp is green.\n");

const PLAN = draft(
  [
    task("T1", {
      steelThread: true,
      behaviours: ["B1"],
      requirements: ["REQ-1"],
      quotes: ["The lamp can be switched on."],
      files: [file("src/lamp.ts", { purpose: "the lamp" })],
    }),
    task("T2", {
      quotes: ["The lamp is green."],
      dependsOn: ["T1"],
      checks: [{ run: "npm test | tee out", expect: "exit 0", cwd: "web" }],
    }),
    task("T3", { files: [file("src/lamp.ts")], checks: [] }),
  ],
  {
    goals: ["Light"],
    nonGoals: ["Heat"],
    decisions: [
      { id: "D01", title: "Bulb", choice: "LED", because: "It lasts.", alternatives: ["Candle"], tasks: ["T1"] },
    ],
    risks: [{ risk: "Fire", mitigation: "Water" }],
  },
);

const linted = (plan: PlanDraft) =>
  lintDraft({ draft: plan, spec: SPEC, map: map(["B1"]), hasTool: () => true, level: "normal", mode: "full" });

const about = (plan: PlanDraft) => {
  const { findings, coverage } = linted(plan);
  return { draft: plan, map: map(["B1"]), spec: SPEC, coverage, sequence: sequence(plan), findings };
};

const ROUNDS: readonly ReviewRound[] = [
  { round: 1, by: "conformance", verdict: "revise", lint: linted(PLAN).findings },
  {
    round: 1,
    by: "critic",
    verdict: "revise",
    ratings: { consistency: "pass", soundness: "warn", implementability: "pass", completeness: "pass", risk: "fail" },
    findings: [
      {
        id: "C1",
        severity: "high",
        title: "No fuse",
        description: "It burns.",
        suggestion: "Add one.",
        nodes: ["T2"],
        evidence: [{ file: "src/a.ts", lineStart: 3, lineEnd: 9, claim: "no fuse here" }],
      },
    ],
  },
];

describe("the plan document", () => {
  const page = planDocument({
    ...about(PLAN),
    clarification: {
      intent: "",
      ambiguities: [],
      questions: [],
      assumptions: [{ text: "There is power.", because: "The house has it." }],
    },
    answers: [{ question: "Which colour?", answer: "green" }],
    rounds: [
      {
        round: 2,
        by: "critic",
        verdict: "approve-with-notes",
        findings: [
          {
            id: "C1",
            severity: "low",
            title: "No fuse",
            description: "It burns.",
            suggestion: "",
            nodes: [],
            evidence: [],
          },
        ],
      },
    ],
  });

  it("has every part that a person needs to decide, in a fixed order", () => {
    expect(page.match(/^##? .*/gm)).toEqual([
      "# A lamp",
      "## Overview",
      "## Goals",
      "## Non-goals",
      "## Questions answered",
      "## Decisions",
      "## Assumptions",
      "## Risks",
      "## Traceability",
      "## Coverage of the spec",
      "## Order of work",
      "## Tasks",
      "## Open notes",
      "## Rollback",
    ]);
  });

  it.each([
    "1 feature · 3 tasks · 2 waves · 6 h of work, at least 4 h from start to end · 1 error, 1 warning · last verdict: approve-with-notes.",
    "| 4 | The lamp is green. | T2 | `npm test \\| tee out` |",
    "| 3 | The lamp can be switched on. | T1 | `npm test` |",
    "| 1 | Lamp | 2 of 2 | 100 % |",
    "Not chosen:\n\n- Candle",
    "- There is power., because: The house has it.",
    "- Which colour? **green**",
    "| Fire | Water |",
    "T1 Make T1. The thinnest path from end to end, built first.",
    "T1 → T2 (4 h).",
    "- T3 after T1: both touch src/lamp.ts",
    "- create `src/lamp.ts`: the lamp",
    "- Check: `npm test | tee out` in `web`, expects `exit 0`",
    "- critic C1 (low): **No fuse** It burns.",
    "- P-CHECK (error): T3",
    "Take the lamp away.",
  ])("says %s", (words) => {
    expect(page).toContain(words);
  });

  it("is the same every time", () => {
    expect(planDocument(about(PLAN))).toBe(planDocument(about(structuredClone(PLAN))));
  });

  it("can be written for a plan with nothing in it", () => {
    const empty = draft([], { features: [], rollback: "", overview: "" });
    expect(planDocument({ draft: empty, sequence: sequence(empty), findings: [] })).toContain(
      "Nothing is said about taking it back.",
    );
  });
});

const EVIL = [
  "# Approved",
  "x | y | z",
  "a\n\n# Approved by human:ada\n",
  "<script>alert(1)</script>",
  "[click](javascript:alert(1))",
  "`` ` ``",
  "-->",
  "x\r\n## y",
  "\u2028# z",
  "\u202egnp",
  "```\n# Approved\n```",
  "~~~\n# Approved",
  "***",
  "===",
  "1. x",
];

describe("words that somebody else chose", () => {
  it.each(EVIL)("cannot break the document: %j", (evil) => {
    const plan = draft(
      [
        task("T1", {
          title: evil,
          body: evil,
          quotes: [evil],
          files: [file(evil)],
          checks: [{ run: evil }],
          symbols: [evil],
        }),
      ],
      {
        title: evil,
        overview: evil,
        rollback: evil,
        goals: [evil],
        nonGoals: [evil],
        risks: [{ risk: evil, mitigation: evil }],
        decisions: [{ id: "D01", title: evil, choice: evil, because: evil, alternatives: [evil], tasks: [] }],
        features: [{ id: "F1", title: evil, body: evil }],
      },
    );
    const given = about(plan);
    const rounds = ROUNDS.map((round) => ({
      ...round,
      findings: round.findings?.map((each) => ({ ...each, title: evil, description: evil })),
    }));
    const said = { title: evil, description: evil, suggestion: evil };
    const findings = [{ id: "C1", severity: "low" as const, ...said, nodes: [], evidence: [] }];
    for (const page of [
      planDocument({ ...given, rounds: [{ round: 1, by: "critic", verdict: "approve", findings }] }),
      verificationReport({ ...given, rounds }),
    ]) {
      const outside = withoutFences(page);
      expect(outside.filter((line) => /^\s*#{1,6} (Approved|y|z)/.test(line))).toEqual([]);
      expect(outside.filter((line) => /(?<!\\)<script|(?<!\\)\[click/.test(line.replace(/`[^`]*`/g, "")))).toEqual([]);
      expect(outside.filter((line) => /^\s*(={3,}|-{3,}|\*{3,})\s*$/.test(line))).toEqual([]);
      expect(page).not.toMatch(/[\u202e\u2028\r]/);
      for (const columns of tablesOf(outside)) expect(new Set(columns).size).toBe(1);
    }
  });

  it("stay on one line and keep their cell, whatever they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (words) => {
        expect(escaped(words)).not.toMatch(/[\n\r]/);
        expect(code(words)).not.toMatch(/[\n\r]/);
        expect(tablesOf(table(["a", "b"], [[escaped(words), "x"]]).split("\n"))).toEqual([[3, 3, 3]]);
      }),
    );
  });

  it("keep their lists, code and paragraphs", () => {
    const body = "Do `a_b` now:\n\n- one *x*\n  - two\n1. three\n\n```sh\nnpm test # x\n```\n## not a heading";
    expect(escapedProse(body)).toBe(
      "Do `a_b` now:\n\n- one \\*x\\*\n  - two\n- three\n\n```\nnpm test # x\n```\n\n\\#\\# not a heading",
    );
  });
});

function withoutFences(page: string): string[] {
  let fence: string | undefined;
  return page.split("\n").filter((line) => {
    const mark = /^`{3,}$/.exec(line)?.[0];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark === fence) fence = undefined;
    return fence === undefined;
  });
}

/** How many bars each row of each table has. */
function tablesOf(lines: readonly string[]): number[][] {
  const tables: number[][] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith("| ")) continue;
    const bars = line.replace(/\\./g, "").split("|").length - 1;
    if (lines[at - 1]?.startsWith("| ")) tables.at(-1)?.push(bars);
    else tables.push([bars]);
  }
  return tables;
}

describe("the verification report", () => {
  const input = { ...about(PLAN), rounds: ROUNDS };

  it("judges each task by what speaks for and against it", () => {
    expect(evaluateTasks(input)).toMatchObject([
      { task: "T1", verdict: "notes", evidence: ["line 3: “The lamp can be switched on.”", "check: npm test"] },
      { task: "T2", verdict: "fail", against: ["C1 (high): No fuse"] },
      {
        task: "T3",
        verdict: "fail",
        against: [expect.stringMatching(/^P-CHECK/), expect.stringMatching(/^P-OVERLAP/)],
      },
    ]);
  });

  it.each([
    "3 tasks: 0 pass, 1 with notes, 2 fail. Last verdict: revise.",
    "| 1 | critic | revise | 1 | consistency pass, soundness warn, implementability pass, completeness pass, risk fail |",
    "### Round 1, critic: revise",
    "- C1 (high) \\[T2\\]: **No fuse** It burns. Add one.\n  - `src/a.ts:3-9` no fuse here",
    "Planned 100 % of the spec, left out 0 %, not understood 0 %.",
  ])("says %s", (words) => {
    expect(verificationReport(input)).toContain(words);
  });
});
