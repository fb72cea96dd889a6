import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DRAFT, SPEC } from "../../../test/planning.js";
import { type PlanDraft, planDraft } from "../contracts/plan-draft.js";
import { sequence } from "../draft/sequence.js";
import { outlineCapabilities, outlineFiles, outlineTasks } from "../outline/outline.js";
import { parseSpec } from "../spec/parse.js";
import { planDocument } from "./plan-document.js";
import { readPlan, unreadLines } from "./read-plan.js";

const documentOf = (draft: PlanDraft): string => planDocument({ draft, sequence: sequence(draft), findings: [] });

const outlined = (text: string): PlanDraft => {
  const spec = parseSpec(text);
  const map = outlineCapabilities(spec);
  return planDraft.parse(outlineTasks(spec, map, outlineFiles(spec, map, { files: [] }), { checks: [], quick: false }));
};

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../../../test/fixtures/specs/${name}.md`), "utf8");

const AWKWARD = planDraft.parse({
  ...DRAFT,
  title: "A *plan* with # marks",
  goals: ["1. greet", "- say `hello`"],
  features: [
    { id: "F1", title: "Greeter" },
    { id: "F2", title: "Empty" },
  ],
  tasks: DRAFT.tasks.map((task) => ({
    ...task,
    body: "Do it:\n\n- one `a|b`\n- two_three\n\n```\n# no heading\n- no fact\n```\n\n* last",
    checks: [{ run: "sh -c 'echo `x`' | grep -q x", expect: "exit 0", cwd: "src", timeoutS: 5 }],
  })),
});

const WITH_INITIATIVES = planDraft.parse({
  ...DRAFT,
  initiatives: [
    { id: "I1", title: "Manners", body: "- Features: are listed below\n\nBe *polite*." },
    { id: "I2", title: "Memory" },
  ],
  features: [
    { id: "F1", title: "Greeter", parent: "I1" },
    { id: "F2", title: "Store", parent: "I2" },
    { id: "F3", title: "Elsewhere", body: "In another initiative.", parent: "INIT-007" },
  ],
  tasks: DRAFT.tasks.map((task, at) => (at === 2 ? { ...task, parent: "F2" } : task)),
});

describe("a plan document that nobody edited", () => {
  it.each<[string, PlanDraft]>([
    ["the greeter", planDraft.parse(DRAFT)],
    ["awkward words", AWKWARD],
    ["initiatives", WITH_INITIATIVES],
    ["the outline of the greeter", outlined(SPEC)],
    ...["cli-tool", "rfc", "web-service"].map((name): [string, PlanDraft] => [name, outlined(fixture(name))]),
  ])("changes nothing: %s", (_, draft) => {
    const text = documentOf(draft);
    const read = readPlan(draft, text);
    expect(read.changes).toEqual([]);
    expect(read.draft).toEqual(draft);
    expect(unreadLines(text, documentOf(read.draft))).toEqual([]);
  });
});

describe("an edited plan document", () => {
  const draft = planDraft.parse(DRAFT);
  const edited = (change: (text: string) => string) => readPlan(draft, change(documentOf(draft)));

  it("gives titles, bodies, checks, files and dependencies by id", () => {
    const read = edited((text) =>
      text
        .replace("#### T1 Greet by name", "#### T1 Greet people\\_by name")
        .replace("Do it: Greet by name.", "Also names with spaces.\n\n- and \\*stars\\*")
        .replace("Check: `sh test/t1.sh`", "Check: `sh test/t1.sh --all`, expects `ok`")
        .replace("- create `src/store.sh`: the code", "- modify `src/store.sh`: the \\*code\\*")
        .replace("- After: T1", "- After: T1, T3"),
    );
    expect(read.changes).toEqual(["T1 title", "T1 body", "T1 checks", "T2 dependencies", "T3 files"]);
    expect(read.draft.tasks[0]).toMatchObject({
      title: "Greet people_by name",
      body: "Also names with spaces.\n\n- and *stars*",
      checks: [{ run: "sh test/t1.sh --all", expect: "ok" }],
      steelThread: true,
    });
    expect(read.draft.tasks[1]?.dependsOn).toEqual(["T1", "T3"]);
    expect(read.draft.tasks[2]?.files[0]).toMatchObject({
      path: "src/store.sh",
      action: "modify",
      purpose: "the *code*",
    });
  });

  it("gives the order, what is gone, and what the plan says of itself", () => {
    const text = documentOf(draft);
    const part = (id: string): string =>
      /(?:^|\n)(#### ID [\s\S]*?)(?=\n#{2,4} )/.exec(text.replaceAll(`#### ${id} `, "#### ID "))?.[1] ?? "";
    const [first, third] = [part("T1").replace("#### ID", "#### T1"), part("T3").replace("#### ID", "#### T3")];
    const swapped = readPlan(draft, text.replace(first, "@").replace(third, first).replace("@", third));
    expect(swapped.changes).toEqual(["order"]);
    expect(swapped.draft.tasks.map(({ id }) => id)).toEqual(["T3", "T2", "T1"]);
    const less = readPlan(draft, text.replace(first, "").replace("A shell program that greets.", "A program."));
    expect(less.changes).toEqual(["overview", "T1 removed"]);
    expect(less.draft.tasks.map(({ id, dependsOn }) => [id, dependsOn])).toEqual([
      ["T2", []],
      ["T3", []],
    ]);
    expect(less.draft.decisions[0]?.tasks).toEqual([]);
    expect(less.draft.overview).toBe("A program.");
  });

  it("removes nothing when its list of tasks is lost", () => {
    const read = edited((text) => text.slice(0, text.indexOf("## Tasks")));
    expect(read.draft.tasks).toHaveLength(3);
    expect(read.removed).toEqual([]);
  });

  it("gives initiatives, and the features that are in each", () => {
    const text = documentOf(WITH_INITIATIVES);
    const read = readPlan(
      WITH_INITIATIVES,
      text
        .replace("### I1 Manners", "### I1 Good manners")
        .replace("- Features: F1", "- Features: f1, F2")
        .replace("- Features: F2", "- Features: none"),
    );
    expect(read.changes).toEqual(["I1 title", "F2 parent"]);
    expect(read.draft.initiatives.map(({ title }) => title)).toEqual(["Good manners", "Memory"]);
    expect(read.draft.features.map(({ parent }) => parent)).toEqual(["I1", "I1", "INIT-007"]);
    const without = readPlan(WITH_INITIATIVES, text.replace("### I2 Memory\n\n- Features: F2\n", ""));
    expect([without.changes, without.removed]).toEqual([["F2 parent", "I2 removed"], ["I2"]]);
    expect(without.draft.features.map(({ parent }) => parent)).toEqual(["I1", "MISSION", "INIT-007"]);
    const lost = text.slice(0, text.indexOf("## Initiatives")) + text.slice(text.indexOf("## Tasks"));
    expect(readPlan(WITH_INITIATIVES, lost).changes).toEqual([]);
  });

  it("lists the words that only an agent can act on", () => {
    const text = documentOf(draft).replace("## Rollback", "Please make the tasks smaller.\n\n## Rollback");
    const read = readPlan(draft, text);
    expect(unreadLines(text, documentOf(read.draft))).toEqual(["Please make the tasks smaller."]);
    const more = documentOf(draft)
      .replace("#### T1 Greet by name", "#### T7 Greet   twice\n\n#### T1 Greet  by\\_name")
      .replace("| names with spaces | quote them |", "| names with spaces | refuse them |");
    const readMore = readPlan(draft, more);
    expect(readMore.changes).toEqual(["T7 added", "T1 title"]);
    expect(unreadLines(more, `${documentOf(draft)}\n${documentOf(readMore.draft)}`)).toEqual([
      "| names with spaces | refuse them |",
    ]);
  });
});

describe("a plan document that a person added to", () => {
  const before = planDraft.parse(DRAFT);
  const added = (words: string, below = "## Rollback") =>
    readPlan(before, documentOf(before).replace(below, `${words}\n\n${below}`));

  it("never loses a task: its text, files, hours, order and checks are read", () => {
    const text = [
      "#### Greet in Latin",
      "Say *salve*.",
      "- backend, 3.5 h\n\n- After: T1, T2\n- Files: `src/latin.sh`, `test/latin.sh`\n- create `docs/latin.md`: says how\n\n- Check: `sh test/latin.sh`, expects `salve`",
    ].join("\n\n");
    const { draft, changes } = added(text);
    expect(changes).toEqual(["N1 added"]);
    expect(draft.tasks.at(-1)).toEqual({
      ...planDraft.shape.tasks.element.parse({ id: "N1", parent: "F1", title: "Greet in Latin", body: "Say *salve*." }),
      profile: "backend",
      estimateHours: 3.5,
      dependsOn: ["T1", "T2"],
      files: [
        { path: "src/latin.sh", action: "modify", purpose: "" },
        { path: "test/latin.sh", action: "modify", purpose: "" },
        { path: "docs/latin.md", action: "create", purpose: "says how" },
      ],
      checks: [{ run: "sh test/latin.sh", expect: "salve" }],
    });
    expect(planDraft.safeParse(draft).success).toBe(true);
  });

  it("never loses a feature with its tasks, and keeps the ids that it was given", () => {
    const { draft, changes } = added("### F7 Goodbyes\n\nSays goodbye.\n\n#### T9 Say goodbye\n\nBye.\n\n#### Wave");
    expect(changes).toEqual(["F7 added", "T9 added", "N1 added"]);
    expect(draft.features.at(-1)).toEqual({ id: "F7", title: "Goodbyes", body: "Says goodbye." });
    expect(draft.tasks.slice(-2).map(({ id, parent, title }) => [id, parent, title])).toEqual([
      ["T9", "F7", "Say goodbye"],
      ["N1", "F7", "Wave"],
    ]);
  });

  it("never takes its own instructions for a plan", () => {
    expect(documentOf(before)).toContain("A new task needs no id");
    expect(readPlan(before, documentOf(before)).changes).toEqual([]);
  });
});

describe("the list of a task", () => {
  const before = planDraft.parse(DRAFT);
  const edit = (from: string, to: string) => readPlan(before, documentOf(before).replace(from, to));

  it("has hours that can be changed", () => {
    const { draft, changes } = edit("- steel thread, 2 h", "- steel thread, 4 h");
    expect(changes).toEqual(["T1 hours"]);
    expect(draft.tasks[0]).toMatchObject({ estimateHours: 4, steelThread: true });
  });

  it("never turns a check into text because of an empty line before it", () => {
    const { draft, changes } = edit(
      "- Check: `sh test/t1.sh`",
      "\n- Check: `sh test/t1.sh`\n- Check: `sh -n src/greet.sh`",
    );
    expect(changes).toEqual(["T1 checks"]);
    expect(draft.tasks[0]).toMatchObject({
      body: before.tasks[0]?.body,
      checks: [{ run: "sh test/t1.sh" }, { run: "sh -n src/greet.sh" }],
    });
  });
});
