import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planText } from "../../../test/fixtures/plan-text.js";
import { statedClarification } from "../contracts/answers.js";
import { capabilityMap, fileMap } from "../contracts/maps.js";
import { planDraft } from "../contracts/plan-draft.js";
import { lintDraft } from "../lint/lint.js";
import { coverage } from "../spec/coverage.js";
import { obliges } from "../spec/cues.js";
import { parseSpec } from "../spec/parse.js";
import { findQuote } from "../spec/quote.js";
import { outlineCapabilities, outlineClarification, outlineFiles, outlineTasks } from "./outline.js";
import { workOf } from "./read-work.js";
import type { OutlineOptions } from "./tasks.js";

const SPECS = resolve(import.meta.dirname, "../../../test/fixtures/specs");
const examples = readdirSync(SPECS).filter((name) => name.endsWith(".md"));
const read = (name: string): string => readFileSync(join(SPECS, name), "utf8");

function planOf(text: string, options: OutlineOptions = {}) {
  const spec = parseSpec(text);
  const map = outlineCapabilities(spec);
  const files = outlineFiles(spec, map, { files: ["docs/settings.md", "src/store.ts", "src/deep/only.ts"] });
  const draft = outlineTasks(spec, map, files, options);
  return { spec, map, files, draft, understood: outlineClarification(spec) };
}

const titles = (text: string): string[] => planOf(text).draft.tasks.map(({ title }) => title);

/** `Title after Other, Another`, for all tasks that wait. */
const waits = (text: string): string[] => {
  const { tasks } = planOf(text).draft;
  const name = new Map(tasks.map(({ id, title }) => [id, title]));
  return tasks
    .filter(({ dependsOn }) => dependsOn.length > 0)
    .map(({ title, dependsOn }) => `${title} after ${dependsOn.map((id) => name.get(id)).join(", ")}`);
};

const errorsOf = ({ spec, map, files, draft }: ReturnType<typeof planOf>): string[] =>
  lintDraft({
    draft,
    map,
    files,
    spec,
    hasTool: () => true,
    asStated: true,
    level: "lenient",
    mode: "full",
  }).findings.map(({ code, where }) => `${code} ${where}`);

/** What a program cannot know: files that nobody named, and how to test where nothing says so. */
const UNKNOWABLE = /^P-(?:FILES|TESTS|CHECK|NO-TASKS|STEEL-FLOW)\b/;

describe("the outline of real specs", () => {
  it.each(examples)("%s, as a person reads it", (name) => {
    const { map, draft, understood } = planOf(read(name));
    expect(planText(draft, map, understood)).toMatchSnapshot();
  });

  it.each(examples)("%s passes lint, is covered whole, and fits its contracts", (name) => {
    const plan = planOf(read(name), { checks: [{ purpose: "test", run: "npm test" }] });
    expect(errorsOf(plan)).toEqual([]);
    expect(planDraft.parse(plan.draft)).toEqual(plan.draft);
    expect(capabilityMap.parse(plan.map)).toEqual(plan.map);
    expect(fileMap.parse(plan.files)).toEqual(plan.files);
    expect(statedClarification.parse(plan.understood)).toEqual(plan.understood);
  });

  it("is one feature without stories in quick mode", () => {
    const { draft } = planOf(read("web-service.md"), { quick: true });
    expect([draft.features.length, draft.stories]).toEqual([1, []]);
    expect(new Set(draft.tasks.map(({ parent }) => parent))).toEqual(new Set([draft.features[0]?.id]));
  });
});

describe("what becomes a task", () => {
  it.each<[what: string, spec: string, expected: string[]]>([
    ["items of a list", "- write it\n- read it", ["Write it", "Read it"]],
    ["an idea", "Make a clock.", ["Make a clock"]],
    ["nothing that is ticked", "# A\n- [x] one\n- [ ] two", ["Two"]],
    ["nothing below a ticked item, but what has a box of its own", "- [x] one\n  - a\n  - [ ] b", ["B"]],
    [
      "rows of a table",
      "## Work\n\n| what | who |\n|---|---|\n| Draw the logo of the app | me |",
      ["Draw the logo of the app"],
    ],
    ["a short cell with the next one", "## API\n| path | does |\n|--|--|\n| GET /x | lists x |", ["GET /x: lists x"]],
    ["prose under a heading", "# T\n\n## Export\n\nThe data can be exported.", ["Export"]],
    ["a heading alone", "# T\n\n## Import\n\n## Export\n", ["Import", "Export"]],
    ["no background", "# T\n\n## Background\n\n- old\n\n## Work\n\n- new", ["New"]],
    ["no list that is led in as out of scope", "## Work\n\n- new\n\nOut of scope:\n\n- old", ["New"]],
    ["the goals, if the spec has nothing else", "# T\n\n## Goals\n\n- fast", ["Fast"]],
    ["a few sub-items as one", "- a\n  - b\n  - c", ["A"]],
    ["sub-items with ids of their own", "- Login\n  - R1.1 mail\n  - R1.2 phone", ["Mail", "Phone"]],
    [
      "many sub-items that ask for work",
      `- all\n${"  - add one of them\n".repeat(7)}`,
      Array<string>(7).fill("Add one of them"),
    ],
    ["a long list of parts as one", `- all\n${"  - one of them\n".repeat(7)}`, ["All"]],
    [
      "user stories by what is wanted",
      "- As a cook, I want to print recipes so that I can read them",
      ["Print recipes"],
    ],
    [
      "titles without ids, marks and waits",
      "- **REQ-2**: Store [it](http://x) (depends on REQ-1)\n- REQ-1: Load",
      ["Store it", "Load"],
    ],
    ["what a heading is about before a list of more", "# T\n## `add`\nAdds one.\n- more", ["add", "More"]],
  ])("%s", (_, spec, expected) => {
    expect(titles(spec)).toEqual(expected);
  });

  it("has no task if everything is done", () => {
    const { map, draft } = planOf("# A\n\nText.\n\n- [x] one");
    expect([map.domains, draft.tasks]).toEqual([[], []]);
    expect(draft.overview).toContain("- One");
  });

  it("plans nothing from nothing", () => {
    expect(planOf("").draft.tasks).toEqual([]);
  });
});

describe("what waits for what", () => {
  it.each<[what: string, spec: string, expected: string[]]>([
    ["nothing by itself", "## Work\n\n1. one\n2. two", []],
    ["steps", "## Steps\n\n- [ ] one\n- [ ] two\n- [ ] three", ["Two after One", "Three after Two"]],
    ["labels", "- Step 1: dig\n- Step 2: plant", ["Plant after Dig"]],
    ["a lead that says so", "In this order:\n\n1. dig\n2. plant", ["Plant after Dig"]],
    ["ids", "- REQ-1 dig\n- REQ-2 plant; depends on REQ-1", ["Plant after Dig"]],
    ["ids that come later", "- R1 dig, blocked by R2\n- R2 buy", ["Dig after Buy"]],
    ["several ids", "- R1 a\n- R2 b\n- R3 c (requires R1 and R2)", ["C after A, B"]],
    ["task names", "- T1: dig\n- T2: plant (after T1)", ["Plant after Dig"]],
    ["a number of the same list", "1. dig\n2. plant, after step 1", ["Plant after Dig"]],
    ["titles of sections", "# G\n## Soil\n- dig\n## Trees\n- plant; depends on Soil", ["Plant after Dig"]],
    ["phases", "# G\n## Phase 1\n- dig\n## Phase 2\n- plant", ["Plant after Dig"]],
    ["sections below milestones", "# G\n## Milestones\n### A\n- dig\n### B\n- plant", ["Plant after Dig"]],
    [
      "tests",
      "## Work\n- the parser\n- the printer\n- write tests for the parser",
      ["Write tests for the parser after The parser"],
    ],
    ["not in a circle", "- R1 a, after R2\n- R2 b, after R1", ["A after B"]],
    ["not in a circle of features", "# G\n## A\n- R1 a\n- R2 b, after R3\n## B\n- R3 c, after R1", ["B after C"]],
  ])("%s", (_, spec, expected) => {
    expect(waits(spec)).toEqual(expected);
  });

  it("tells which waits cannot be", () => {
    expect(planOf("- R1 a, after R2\n- R2 b, after R1").draft.overview).toContain("wait for each other");
  });
});

describe("checks", () => {
  const checks = (spec: string, options: OutlineOptions = {}): string[][] =>
    planOf(spec, options).draft.tasks.map((task) => task.checks.map(({ run }) => run));

  it.each<[what: string, spec: string, expected: string[][]]>([
    ["in an item", "- a\n  ```sh\n  make a\n  ```\n- b\n  ```sh\n  make b\n  ```", [["make a"], ["make b"]]],
    ["named in an item", "- a. Check: `node a.js`\n- b. Verify: `node b.js`", [["node a.js"], ["node b.js"]]],
    ["named below an item", "- a\n  - Acceptance: `pytest -q`", [["pytest -q"]]],
    [
      "of a section, for its last task",
      "## A\n- a. Check: `node a.js`\n- b\n\n```sh\nmake b\n```",
      [["node a.js"], ["make b"]],
    ],
    [
      "of the section about testing, for all",
      "# T\n## A\n- a\n- b\n## Testing\n```sh\nnpm ci\nnpm test\n```",
      [["npm ci && npm test"], ["npm ci && npm test"]],
    ],
    ["in the words of that section", "# T\n## A\n- a\n## Verification\nRun `make test`.", [["make test"]]],
    [
      "several commands",
      "# T\n## A\n- a\n## Tests\n```sh\nmake lint\nmake test # slow\n```",
      [["make lint", "make test"]],
    ],
    [
      "none that publish, destroy or never end",
      "- a\n  ```sh\n  npm publish\n  ```\n- b\n  ```sh\n  npm run dev\n  ```\n- c\n  ```sh\n  rm -rf /\n  ```",
      [[], [], []],
    ],
    ["none that only install", "- a\n  ```sh\n  npm install\n  ```", [[]]],
    ["none in other languages", "- a\n  ```js\n  npm()\n  ```", [[]]],
    ["none of several lines", "- a\n  ```sh\n  for x in 1 2; do\n    echo\n  done\n  ```", [[]]],
    ["none at all", "- a", [[]]],
  ])("%s", (_, spec, expected) => {
    expect(checks(spec)).toEqual(expected);
  });

  it("come from the repository where the spec has none, tests first", () => {
    const found = [
      { purpose: "build", run: "npm run build" },
      { purpose: "test", run: "npm test" },
    ];
    expect(checks("- a", { checks: found })).toEqual([["npm test"]]);
    expect(checks("- a", { checks: found.slice(0, 1) })).toEqual([["npm run build"]]);
  });

  it("expect what a session shows", () => {
    const { draft } = planOf("# T\n## A\n- a\n\n```console\n$ node a.js\nhello\n```");
    expect(draft.tasks[0]?.checks).toEqual([{ run: "node a.js", expect: "hello" }]);
  });
});

describe("files and symbols", () => {
  it.each<[what: string, item: string, files: string[]]>([
    ["new", "- in `src/new.ts`", ["create src/new.ts"]],
    ["there already", "- in `./src/store.ts`", ["modify src/store.ts"]],
    ["by the only file of that name", "- in `only.ts`", ["modify src/deep/only.ts"]],
    ["tests beside", "- in `a.ts` and `test/a.test.ts`", ["create a.ts", "create test/a.test.ts"]],
    ["of the heading", "## `src/store.ts`\n- one", ["modify src/store.ts"]],
    ["none outside of the repository", "- in `/etc/passwd.conf`, `~/a.ts`, `../b.ts` and `.git/c.txt`", []],
    ["none that only look so", "- with `Node.js`, `node.js`, `a.b`, `and/or`, `application/json`", []],
    ["none that are not in back-ticks", "- in src/x.ts", []],
  ])("%s", (_, spec, expected) => {
    expect(planOf(spec).draft.tasks[0]?.files.map(({ action, path }) => `${action} ${path}`)).toEqual(expected);
  });

  it("has symbols with parentheses only", () => {
    expect(planOf("- call `load()` and `Store.save(path)`, not `x` or `f (y)`").draft.tasks[0]?.symbols).toEqual([
      "load()",
      "Store.save()",
    ]);
  });
});

describe("what the spec leaves open", () => {
  it.each<[question: string, options: string[]]>([
    ["Should we use SQLite or PostgreSQL?", ["SQLite", "PostgreSQL"]],
    ["Storage: files, SQLite or PostgreSQL?", ["files", "SQLite", "PostgreSQL"]],
    ["Which colour – red or green?", ["red", "green"]],
    ["REST vs GraphQL?", ["REST", "GraphQL"]],
    ["Do we charge reminders? (a) yes (b) no", ["yes", "no"]],
    ["Should rules be stored as JSON or as TOML?", ["JSON", "TOML"]],
    ["Method not specified - mail, SSO, OAuth?", ["mail", "SSO", "OAuth"]],
    ["Which database?\n  - SQLite\n  - PostgreSQL", ["SQLite", "PostgreSQL"]],
    ["How long do we keep it?", ["Decide during the work", "Leave it out"]],
    [
      "What happens if the network is down or the disk of the machine is full at the same time?",
      ["Decide during the work", "Leave it out"],
    ],
  ])("%s", (text, options) => {
    const { understood } = planOf(`# T\n## Work\n- a\n## Open questions\n- ${text}`);
    expect(understood.questions[0]?.options.map(({ label }) => label)).toEqual(options);
    expect(understood.assumptions).toEqual([]);
  });

  it("takes the stated default", () => {
    const { understood } = planOf("# T\n## Work\n- a\n## Open questions\n- A or B? (default: B)");
    expect(understood.questions[0]?.default).toBe("B");
  });
});

describe("ids", () => {
  it("stay when something is added elsewhere", () => {
    const ids = (text: string): string[] => planOf(text).draft.tasks.map(({ id }) => id);
    const before = ids("# T\n## A\n- one\n- REQ-2 two\n## B\n- three");
    const after = ids("# T\n\nNew.\n\n## New\n- zero\n## A\n- half\n- **one**\n- REQ-2 changed\n## B\n- [ ] three");
    expect(after.filter((id) => before.includes(id))).toEqual(before);
  });

  it("are the same for the same spec", () => {
    for (const name of examples) expect(planOf(read(name)).draft).toEqual(planOf(read(name)).draft);
  });
});

const word = fc.constantFrom(
  "store",
  "the",
  "file",
  "REQ-1",
  "R1.2",
  "depends on",
  "after",
  "Step 2:",
  "`src/a.ts`",
  "`f()`",
  "**bold**",
  "🚀",
  "שלום",
  "a_b",
  "must",
  "Check: `make test`",
  "or",
  "[x](y)",
  "|",
  "日本語",
  "_it_",
  "<b>",
  "FR-7",
  "tests",
);
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const heading = fc.constantFrom(
  "Goals",
  "Overview",
  "Steps",
  "Phase 1",
  "Phase 2",
  "Testing",
  "Acceptance criteria",
  "Open questions",
  "Risks",
  "Constraints",
  "Storage",
  "REQ-1: Login",
  "API",
  "`src/a.ts`",
  "Non-goals",
  "",
);
const line = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 4 }), heading).map(([level, title]) => `\n${"#".repeat(level)} ${title}\n`),
  fc
    .tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("-", "*", "1.", "2)", "- [ ]", "- [x]"), text)
    .map(([depth, mark, words]) => `${"  ".repeat(depth)}${mark} ${words}`),
  text.map((words) => `\n${words}\n`),
  text.map((words) => `> ${words}`),
  text.map((words) => `| ${words} | x |\n|---|---|\n| ${words} | y |\n`),
  fc.constantFrom(
    "\n```sh\nmake test\n```\n",
    "\n```\n# no heading\n- no item\n```\n",
    "<!-- hidden -->",
    "\n---\n",
    "\n**Bold line**\n",
    "```",
    "",
    "\tTabbed text",
    "It can:\n",
    "===",
    "<!-- open",
  ),
);
const markdown = fc
  .tuple(fc.array(line, { maxLength: 40 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => lines.join("\n").replaceAll("\n", end));

it.each(["Testing", "Acceptance criteria"])("a requirement that is only a heading below %s is not lost", (above) => {
  const { tasks } = planOf(`# ${above}\n\n## REQ-1: Login\n\n# Goals\n`).draft;
  expect(tasks.map(({ title, requirements }) => [title, requirements])).toEqual([["Login", ["REQ-1"]]]);
});

describe("for any spec", () => {
  it("the plan fits its contract, waits for nothing in a circle, quotes what is there, and covers all", () => {
    fc.assert(
      fc.property(markdown, (source) => {
        const plan = planOf(source);
        const { spec, map, files, draft, understood } = plan;
        expect(planDraft.parse(draft)).toEqual(draft);
        expect(fileMap.parse(files)).toEqual(files);
        expect(statedClarification.parse(understood)).toEqual(understood);
        // A spec that asks for nothing has no map.
        expect(capabilityMap.safeParse(map).success).toBe(map.domains.length > 0);
        const quotes = draft.tasks.flatMap((task) => task.quotes);
        const { leftOut } = map;
        expect(
          [...quotes, ...leftOut.map(({ quote }) => quote)].filter((quote) => findQuote(spec, quote) === undefined),
        ).toEqual([]);
        // Everything is in a task, left out with a reason, or said to be not understood.
        const unclear = workOf(spec).noWork.filter(({ role }) => role === "unclear");
        const bodies = draft.tasks.map(({ body }) => body);
        const { uncovered } = coverage(spec, { quotes, bodies, requirements: [], leftOut });
        const lines = new Set<unknown>([
          ...unclear.map(({ place }) => spec.statements[place]),
          ...workOf(spec).leftFences.flatMap(({ fence, role }) => (role === "unclear" ? [fence] : [])),
        ]);
        expect(uncovered.filter((each) => !lines.has(each))).toEqual([]);
        // What asks for something is understood, always.
        const asking = unclear.map(({ place }) => spec.statements[place]?.text ?? "").filter(obliges);
        expect(asking).toEqual([]);
        expect(errorsOf(plan).filter((error) => !UNKNOWABLE.test(error))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("nothing in it makes the planner fail", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (source) => {
        const { draft, map, understood } = planOf(source);
        expect(planDraft.safeParse(draft).error).toBeUndefined();
        expect(statedClarification.safeParse(understood).error).toBeUndefined();
        expect(capabilityMap.safeParse(map).success).toBe(map.domains.length > 0);
      }),
      { numRuns: 300 },
    );
  });
});

describe("beyond the limits of a contract", () => {
  it.each<[what: string, spec: string, tasks: number]>([
    ["many items", Array.from({ length: 3_000 }, (_, nr) => `- item number ${nr}`).join("\n"), 3_000],
    ["many top headings", Array.from({ length: 1_500 }, (_, nr) => `# Part ${nr}\n- item ${nr}`).join("\n"), 1_500],
    ["more items than tasks", Array.from({ length: 21_000 }, (_, nr) => `- item number ${nr}`).join("\n"), 10_500],
  ])("%s", (_, source, tasks) => {
    const { map, draft, spec } = planOf(source);
    expect(capabilityMap.safeParse(map).success).toBe(true);
    expect(planDraft.safeParse(draft).success).toBe(true);
    expect(draft.tasks.length).toBe(tasks);
    const quotes = draft.tasks.flatMap((task) => task.quotes);
    expect(coverage(spec, { quotes, requirements: [], leftOut: [] }).planned).toBe(100);
  });
});
