import { describe, expect, it } from "vitest";
import { makeRecord } from "../../../test/record.js";
import type { PlanRecord } from "../../model/item/record.js";
import { estimateTokens } from "../../model/words.js";
import type { Feedback, StoredFinding } from "../contracts/findings.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { parseSpec } from "../spec/parse.js";
import type { Brief } from "./brief.js";
import { choose, listPart, textPart } from "./call-budget.js";
import { promptFor } from "./prompt.js";

const WINDOW = 8_000;
const LONG = "and so on in many words ".repeat(40);
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

const DRAFT: PlanDraft = {
  title: "A plan",
  overview: "It is built.",
  goals: [],
  nonGoals: [],
  decisions: [],
  risks: [],
  rollback: "",
  initiatives: [],
  features: [{ id: "F1", title: "Feature", body: "" }],
  stories: [],
  tasks: many(30, (n) => ({
    id: `T${n}`,
    parent: "F1",
    kind: "work" as const,
    title: `Task ${n}`,
    body: LONG,
    behaviours: [],
    requirements: [],
    quotes: [],
    dependsOn: [],
    files: [],
    symbols: [],
    checks: [],
    steelThread: false,
  })),
};

const BRIEF: Brief = {
  role: "critic",
  stage: "review",
  revise: false,
  round: 1,
  spec: parseSpec("# Invoices\n\nInvoices are printed.\n"),
  part: { number: 1, of: 1 },
  focus: null,
  windowTokens: WINDOW,
  stack: null,
  target: null,
  node: null,
  clarification: null,
  answers: [],
  research: null,
  map: null,
  files: null,
  draft: DRAFT,
  settled: [],
  initiatives: [],
  responses: [],
  ownDraft: false,
  feedback: [],
  earlier: null,
  records: [],
  lessons: [],
  materials: [],
  commit: null,
  repositoryFiles: [],
  commands: [],
  problems: [],
};

const record = (n: number, about: Partial<PlanRecord>): Brief["records"][number] => ({
  key: `DEC-${n}`,
  record: makeRecord({ title: `Decision ${n}`, body: LONG, ...about }),
});

const finding = (n: number, about: Partial<StoredFinding> = {}): StoredFinding => ({
  id: `K${n}`,
  severity: "low",
  title: `Finding ${n}`,
  description: LONG,
  nodes: [],
  ...about,
});

const said = (findings: readonly StoredFinding[]): Feedback => ({
  source: "critic",
  round: 0,
  findings,
  questions: [],
  note: "",
});

const promptOf = (about: Partial<Brief>): string => promptFor({ ...BRIEF, ...about }, "=====");
const whole = (prompt: string, id: string): boolean =>
  prompt.includes(`${id} (decision) `) && prompt.includes(`${id}:`);

describe("whatever is too much for a call", () => {
  it("of records, is given by relevance: what binds, then what the spec speaks of; an index has the rest", () => {
    const records = many(60, (n) =>
      record(n, n === 57 ? { kind: "constraint" } : n === 58 ? { title: "Invoices are printed on paper" } : {}),
    );
    const prompt = promptOf({ records, windowTokens: 2 * WINDOW });
    expect(prompt).toMatch(/Active records of the project: a plan must respect them \(\d of 60 whole/);
    expect(prompt).toContain("- DEC-57 (constraint) Decision 57: and so on");
    expect(prompt).toContain("- DEC-58 (decision) Invoices are printed on paper: and so on");
    expect(whole(prompt, "DEC-20")).toBe(false);
    expect(prompt).toContain("- DEC-9 (decision) Decision 9\n");
    expect(prompt).toContain("`look_up` of a key gives one.");
  });

  it("of a research report, is an index of its topics and the key to read it by", () => {
    const findings = many(60, (n) => ({ topic: `Topic ${n}`, text: LONG, evidence: [] }));
    const prompt = promptOf({
      research: { summary: "Short.", findings, commands: [{ purpose: "tests", run: "make t" }] },
    });
    expect(prompt).toMatch(/Research report \(\d of 61 whole/);
    expect(prompt).toContain("- Topic 9\n");
    expect(prompt).toContain("`look_up` of `research` gives all of it.");
    expect(prompt).toContain('"run": "make t"');
  });

  it("of a reviewer's earlier findings, is given by what is judged now, then by severity", () => {
    const findings = many(80, (n) =>
      finding(n, n === 70 ? { nodes: ["T3"] } : n === 71 ? { severity: "critical" } : {}),
    );
    const prompt = promptOf({ earlier: said(findings), focus: ["T3"], part: { number: 1, of: 2 } });
    expect(prompt).toMatch(/Your findings of the round before \(\d of 80 whole/);
    expect(prompt).toMatch(/"id": "K70"[^{]*"description"/);
    expect(prompt).toMatch(/"id": "K71"[^{]*"description"/);
    expect(prompt).not.toContain('"id": "K60"');
    expect(prompt).toContain("- K10 (low) Finding 10\n");
    expect(prompt).toContain("`look_up` of `earlier` gives all of it.");
  });

  it("of what a plan says of itself, is given by the tasks that are shown, and the rest by its ids", () => {
    const decisions = many(50, (n) => ({
      id: `D${n}`,
      title: `Choice ${n}`,
      choice: LONG,
      because: "",
      alternatives: [],
      tasks: n === 44 ? ["T3"] : [],
    }));
    const risks = many(50, (n) => ({ risk: `Risk ${n}. ${LONG}`, mitigation: LONG }));
    const overview = many(400, (n) => `Line ${n} of the overview, which is long.`).join("\n");
    const draft = { ...DRAFT, decisions, risks, overview };
    const prompt = promptOf({ draft, focus: ["T3"], part: { number: 1, of: 2 }, windowTokens: 5 * WINDOW });
    expect(prompt).toContain('"id": "D44"');
    expect(prompt).not.toContain('"id": "D20"');
    expect(prompt).toContain("- D9 Choice 9\n");
    expect(prompt).toContain("- Risk 3. and so on");
    expect(prompt).toMatch(
      /overview \(shortened: \d+ of 400 lines\. `look_up` of `plan` gives all of it\. Of an id it gives that node\.\)/,
    );
    expect(prompt).toContain('"id": "T3"');
  });

  it("of the latest feedback, is an index too, the gravest first", () => {
    const findings = many(80, (n) => finding(n, { severity: n === 79 ? "high" : "low" }));
    const prompt = promptOf({ role: "author", revise: true, feedback: [said(findings)] });
    expect(prompt).toMatch(/Latest feedback: critic \(\d+ of 80 findings whole, the others as an index\)/);
    expect(prompt).toMatch(/"id": "K79"[^{]*"description"/);
    expect(prompt).toContain("- K40 (low) Finding 40\n");
  });

  it("of all together, fits the window, and nothing is left out without a word", () => {
    const everything: Partial<Brief> = {
      records: many(300, (n) => record(n, {})),
      research: {
        summary: LONG,
        findings: many(100, (n) => ({ topic: `Topic ${n}`, text: LONG, evidence: [] })),
        commands: [],
      },
      settled: many(5_000, (n) => ({ id: `TASK-${n}`, state: "done" })),
      answers: many(5, (n) => ({ question: `Question ${n}?`, answer: "yes", note: LONG })),
      lessons: many(5, () => LONG),
      materials: many(4, (n) => ({ name: `File ${n}`, text: many(500, () => LONG).join("\n") })),
      node: { id: "FEAT-001", tier: "feature", title: "It", body: many(100, () => LONG).join("\n"), path: "MISSION" },
      clarification: {
        intent: "",
        ambiguities: [],
        questions: [],
        assumptions: many(50, (n) => ({ text: `Assumption ${n}. ${LONG}`, because: "" })),
      },
    };
    for (const role of ["critic", "overviewer", "author"] as const) {
      const earlier = role === "critic" ? said(many(200, finding)) : null;
      const feedback = role === "author" ? [said(many(200, finding))] : [];
      const prompt = promptOf({ ...everything, role, revise: role === "author", earlier, feedback });
      expect([role, estimateTokens(prompt) <= WINDOW]).toEqual([role, true]);
      expect(prompt).toContain("(and ");
    }
  });
});

describe("a list in a room", () => {
  const listing = { write: (text: string) => text, line: (text: string) => text.slice(0, 3), reading: "Ask." };

  it("that fits is whole", () => {
    expect(choose({ ...listing, items: ["abc", "def"], tokens: 10 })).toEqual({ whole: ["abc", "def"], rest: "" });
    expect(listPart("Name", { ...listing, items: [], tokens: 10 })).toEqual(["Name", null]);
  });

  it("keeps its order, whatever is chosen, and says how many are not even listed", () => {
    const items = many(60, (n) => `${100 + n} ${"word ".repeat(8)}`);
    const { whole: kept, rest } = choose({ ...listing, items, tokens: 60, weight: (text) => Number(text.slice(0, 3)) });
    expect(kept).toEqual(items.slice(-kept.length));
    const [first = "", ...lines] = rest.split("\n");
    expect(first).toBe(`Index of the ${60 - kept.length} others, which are not shown whole. Ask.`);
    expect(lines.at(-1)).toBe(`(and ${60 - kept.length - (lines.length - 1)} more that are not even listed)`);
  });

  it("gives a text line by line, and says how many", () => {
    expect(textPart("Name", "a\nb", 10, "Ask.")).toEqual(["Name", "a\nb"]);
    const [name, text] = textPart("Name", many(20, () => "word word").join("\n"), 16, "Ask.");
    expect(name).toBe("Name (shortened: 4 of 20 lines. Ask.)");
    expect(text).toBe(many(4, () => "word word").join("\n"));
  });
});
