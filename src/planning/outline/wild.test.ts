// Documents in the shapes that people write: what becomes a task and what does not.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { checkedSentence, checkedWork } from "../draft/headline.js";
import { lintDraft } from "../lint/lint.js";
import { parseSpec } from "../spec/parse.js";
import { outlineCapabilities, outlineClarification, outlineFiles, outlineTasks } from "./outline.js";

const SPECS = resolve(import.meta.dirname, "../../../test/fixtures/specs");
const read = (name: string): string => readFileSync(resolve(SPECS, name), "utf8");

function planOf(text: string) {
  const spec = parseSpec(text);
  const map = outlineCapabilities(spec);
  const files = outlineFiles(spec, map, { files: [] });
  const draft = outlineTasks(spec, map, files, {});
  const level = "normal";
  const lint = lintDraft({ draft, map, files, spec, hasTool: () => true, asStated: true, level, mode: "full" });
  return { spec, map, draft, lint, understood: outlineClarification(spec) };
}

const titles = (text: string): string[] => planOf(text).draft.tasks.map(({ title }) => title);
const reasonsOf = (text: string): Record<string, number> =>
  Object.fromEntries((planOf(text).lint.coverage?.reasons ?? []).map(({ reason, statements }) => [reason, statements]));

describe("a product requirements document", () => {
  const { draft, lint, understood } = planOf(read("prd.md"));

  it("has a task for each story and requirement, and one for a list of fields or qualities", () => {
    expect(draft.tasks.map(({ title }) => title)).toEqual([
      "Add a folder to the library",
      "Remove a folder from the library",
      "See all folders in a sidebar",
      "Create a rule for a folder",
      "Preview what a rule would do",
      "Reorder rules",
      "Detect new pictures in a folder",
      "Ignore files that match the ignore patterns",
      "Survive a folder that disappears",
      "Evaluate rules in the order that the user defined",
      "Support these fields: Camera, Date taken, Width and height, File name, File size, Rating, Place, Keywords",
      "Match without regard to case",
      "Move a picture into a folder by pattern",
      "Never overwrite a picture",
      "Log each move",
      "Performance",
      "Security",
      "Review the whole against its acceptance criteria",
    ]);
    const fields = draft.tasks.find(
      ({ title }) =>
        title ===
        "Support these fields: Camera, Date taken, Width and height, File name, File size, Rating, Place, Keywords",
    );
    expect(fields?.body).toContain("- Camera\n- Date taken\n- Width and height");
  });

  it("has features of two to eight tasks, and starts with core work", () => {
    const storyOf = new Map(draft.stories.map(({ id, feature }) => [id, feature]));
    const sizes = draft.features.map(
      ({ id }) =>
        draft.tasks.filter(({ parent, kind }) => (storyOf.get(parent) ?? parent) === id && kind === "work").length,
    );
    expect(sizes).toEqual([6, 3, 3, 3, 2, 0]);
    expect(draft.tasks.find(({ steelThread }) => steelThread)?.requirements).toEqual(["U01"]);
  });

  it("keeps ids and priorities", () => {
    expect(draft.tasks.map(({ requirements, priority }) => [requirements[0], priority]).slice(0, 3)).toEqual([
      ["U01", 0],
      ["U02", 0],
      ["U03", 1],
    ]);
  });

  it("asks its open questions, with the options that they state", () => {
    expect(
      understood.questions.map(({ options, default: chosen }) => [options.map(({ label }) => label), chosen]),
    ).toEqual([
      [["last move for v0.1", "Session"], "last move for v0.1"],
      [["JSON", "TOML"], "TOML"],
      [["Decide during the work", "Leave it out"], "Decide during the work"],
    ]);
  });

  it("counts what is planned, left out and not understood as a person would", () => {
    // 6 stories, 9 requirements with 8 fields, 4 qualities and 2 criteria, of 56 statements.
    expect(lint.coverage).toMatchObject({
      planned: 51,
      leftOut: 49,
      notUnderstood: 0,
      uncovered: [],
    });
    const count = (parts: readonly { readonly statements: number }[] = []): number =>
      parts.reduce((sum, { statements }) => sum + statements, 0);
    expect([count(lint.coverage?.sections), count(lint.coverage?.reasons)]).toEqual([56, 27]);
    expect(lint.stats).toMatchObject({ work: 17, checked: 0 });
  });
});

describe("a list of requirements", () => {
  const { draft, understood } = planOf(read("requirements-list.md"));

  it("plans neither the future, nor the phases, nor the footer", () => {
    const all = draft.tasks.map(({ title, body }) => `${title}\n${body}`).join("\n");
    expect(all).not.toMatch(/Whole folders|Phase 1|Document Version|Owner|Accountants/);
    expect(draft.tasks.map(({ title }) => title)).toContain("Table: Write CSV");
  });

  it("makes a gate of what the user brings, and lets the work beside it wait", () => {
    const gate = draft.tasks.find(({ kind }) => kind === "gate");
    expect(gate?.title).toBe("Provide sample exports of three banks");
    expect(draft.tasks.find(({ title }) => title.startsWith("Use the samples"))?.dependsOn).toEqual([gate?.id]);
  });

  it("asks what is to be decided", () => {
    expect(understood.questions.map(({ options }) => options[0]?.label)).toEqual(["Python 3.12", "openpyxl"]);
  });
});

describe("notes", () => {
  it("with endpoints and shapes are one task for each endpoint and one for each shape", () => {
    expect(titles(read("api-notes.md"))).toEqual([
      "Let customers browse books and put them into an order",
      "Books: Index",
      "Books: Show",
      "Create [token required]",
      "Most sold books",
      "Users: Index [token required]",
      "Users: Show [token required]",
      "Open order of a user [args: user id](token required)",
      "Data Shapes: Book",
      "Data Shapes: User",
      "Database schema",
    ]);
  });

  it("without headings are a task for each sentence that asks for something", () => {
    const { draft, understood } = planOf(read("meeting-notes.md"));
    expect(draft.tasks.map(({ kind, title }) => [kind, title])).toEqual([
      ["work", "It must write CSV and it should stream, because large tenants have millions of rows"],
      ["work", "Fix the redirect after login"],
      ["work", "Someone should look at the flaky upload test"],
      ["gate", "Jon: send the sample files on Friday"],
    ]);
    expect(understood.questions.map(({ question }) => question)).toEqual(["Do we need PDF too?"]);
    expect(draft.decisions.map(({ choice }) => choice)).toEqual(["We agreed to use Postgres for the queue."]);
  });
});

it("an RFC in prose has a task for each part of its design", () => {
  const { draft, understood } = planOf(read("prose-rfc.md"));
  expect(draft.tasks.map(({ title }) => title)).toEqual([
    "Add a key aliases to the configuration file, with the following shape",
    "Only the root configuration counts",
    "How a name is resolved",
  ]);
  expect(understood.questions).toHaveLength(1);
  expect(understood.assumptions[0]?.text).toContain('although the document says "implemented"');
});

it("a README has the open boxes of its roadmap", () => {
  expect(titles(read("readme-roadmap.md"))).toEqual(["Web page with the state of all jobs", "Redis adapter"]);
});

describe("what never becomes a task", () => {
  const WORK = "# T\n\n## Features\n\n- Print a report\n- Send a mail\n\n";
  const EXPECTED = ["Print a report", "Send a mail"];

  it.each<[what: string, more: string]>([
    ["non-goals with a version", "## Non-Goals (v0.1)\n\n- Support macOS\n- Sync rules"],
    ["what is out of scope", "## Out of scope for now\n\n- Support macOS"],
    ["a heading that says later", "## Export — later\n\n- Write a PDF"],
    ["a heading that says future", "## Sync (future)\n\nIt must sync."],
    ["future work", "## Future Enhancements\n\n- Add plug-ins"],
    ["a glossary", "## Glossary\n\n- **Rule**: a condition with an action"],
    [
      "a dictionary under another heading",
      "## Domain language\n\n- **Rule** — a condition with an action\n- **Shelf** — the place of a picture",
    ],
    ["a table of terms", "## Words\n\n| Term | Meaning |\n|--|--|\n| Rule | a condition with an action |"],
    ["metrics", "## Success Metrics\n\n| Metric | Target |\n|--|--|\n| Stars | 500 |"],
    ["finished items", "## More\n\n- ✅ Load a file\n- Save a file (done)\n- [x] Close a file\n- ~~Print twice~~"],
    [
      "rows with a status of done",
      "## More\n\n| Task | Status |\n|--|--|\n| Load a file | Done |\n| Save a file | ✅ |",
    ],
    ["a heading that is done", "## ✅ Phase 1\n\n- Load a file"],
    ["rows that are dropped", "## More\n\n| Task | Status |\n|--|--|\n| Load a file | Won't do |"],
    ["a footer", "---\n\n*Document Version: 1.0*\n\n*Owner: Sam*"],
    [
      "the history of the document",
      "## Document History\n\n| Version | Date | Changes |\n|--|--|--|\n| 1 | May | draft |",
    ],
    ["a comparison", "## Others\n\n| What | A | B |\n|--|--|--|\n| Mail | Yes | No |\n| Print | No | Yes |"],
    ["a comment", "<!-- ## Later\n- Add a clock -->"],
    ["alternatives", "## Alternatives considered\n\nWe could use mail. It must be set up."],
  ])("%s", (_, more) => {
    const { draft } = planOf(WORK + more);
    expect(draft.tasks.map(({ title }) => title)).toEqual(EXPECTED);
    expect(draft.tasks.filter(({ steelThread }) => steelThread).map(({ title }) => title)).toEqual([EXPECTED[0]]);
  });
});

describe("what is work wherever it stands", () => {
  it.each<[what: string, spec: string, expected: string[]]>([
    [
      "features called Users, Roles, Notes and Budget",
      "# App\n\n## Users\n\n- Register with a mail address\n- Reset the password\n\n## Roles\n\n- An admin can delete posts\n- An editor can change posts\n\n## Notes\n\n- Users can write notes\n- Users can share notes\n\n## Budget\n\n- Set a budget for each month\n- Warn when it is used up",
      [
        "Register with a mail address",
        "Reset the password",
        "Let an admin delete posts",
        "Let an editor change posts",
        "Let users write notes",
        "Let users share notes",
        "Set a budget for each month",
        "Warn when it is used up",
      ],
    ],
    [
      "an obligation in an overview",
      "# T\n\n## Overview\n\nA clock. It must show seconds.\n\n## Features\n\n- Ring a bell",
      ["It must show seconds", "Ring a bell"],
    ],
    [
      "an endpoint",
      "# T\n\n## Introduction\n\n`GET /time` answers with the time.\n\n## Features\n\n- Ring a bell",
      ["GET /time answers with the time", "Ring a bell"],
    ],
    ["a row that is not done", "## Work\n\n| Task | Status |\n|--|--|\n| Load a file | In progress |", ["Load a file"]],
    [
      "an obligation with a part that is open",
      "## Requirements\n\n- REQ-1: It shall print a receipt. TBD: which printer?",
      ["It shall print a receipt"],
    ],
  ])("%s", (_, spec, expected) => {
    expect(titles(spec)).toEqual(expected);
  });
});

describe("acceptance criteria", () => {
  const STORY =
    "# T\n\n## US-101: Log in\n\nAs a user, I can log in.\n\n**Acceptance Criteria:**\n\n- AC-1: A wrong password is refused\n- AC-2: `npm test -- login` passes\n\n## US-102: Log out\n\nAs a user, I can log out.\n";

  it("below a story are its own: in words, and as a check where they hold a command", () => {
    const [first, second] = planOf(STORY).draft.tasks;
    expect(first?.body).toContain("Done when:\n- AC-1: A wrong password is refused");
    expect(first?.checks).toEqual([{ run: "npm test -- login" }]);
    expect(second?.checks).toEqual([]);
  });

  it("are never borrowed from another item", () => {
    const { tasks } = planOf("## Features\n\n- Print a report. Check: `npm test`\n- Send a mail").draft;
    expect(tasks.map(({ checks }) => checks.map(({ run }) => run))).toEqual([["npm test"], []]);
  });

  it("of a row are in its body", () => {
    const { tasks } = planOf(
      "## Requirements\n\n| ID | Requirement | Acceptance Criteria |\n|--|--|--|\n| FR-1 | Print a report | `make report` works |",
    ).draft;
    expect(tasks[0]?.checks).toEqual([{ run: "make report" }]);
  });
});

describe("titles", () => {
  it.each<[sentence: string, title: string]>([
    [
      "Users need to be able to browse an index of all products, see the specifics of a single product, and add products to an order.",
      "Let users browse an index of all products, see the specifics of a single product, and add products to an order",
    ],
    ["Use e.g. SQLite. It is small.", "Use e.g. SQLite"],
    ["Support Node.js 20 and v1.2 files", "Support Node.js 20 and v1.2 files"],
  ])("are whole sentences: %s", (sentence, title) => {
    expect(titles(`- ${sentence}`)).toEqual([title]);
  });
});

describe("the headline", () => {
  it("counts only what a task carries", () => {
    const text =
      "# T\n\n## REQ-1 Print\n\n- Print a report\n\n## Background\n\nPaper is patient.\n\n## Thoughts\n\nA sunny day.";
    expect(planOf(text).lint.coverage).toMatchObject({ planned: 33, leftOut: 33, notUnderstood: 34 });
    expect(reasonsOf(text)).toEqual({ "Explains why, not what to do.": 1 });
  });

  it.each<[checks: string[][], sentence: string]>([
    [[], "No task is for an agent."],
    [[["a"]], "1 of 1 task has a check."],
    [[["a"], []], "1 of 2 tasks has a check."],
    [[["a"], ["b"]], "2 of 2 tasks have a check."],
    [[["t"], ["t"], []], "2 of 3 tasks have a check, but none has one of its own: they share `t`."],
    [[["t"], ["t"], ["t", "a"]], "3 of 3 tasks have a check, but 2 of them only what they share with others: `t`."],
  ])("says which checks are only shared: %j", (checks, sentence) => {
    const work = checks.map((runs) => ({ checks: runs.map((run) => ({ run })) }));
    expect(checkedSentence(checkedWork(work))).toBe(sentence);
  });

  it("has one line for warnings of one kind", () => {
    const items = Array.from({ length: 40 }, (_, nr) => `- Print report ${nr}`).join("\n");
    const { findings } = planOf(`## Work\n\n${items}`).lint;
    expect(findings.map(({ code }) => code)).toEqual(["P-FILES", "P-CHECK", "P-TESTS"]);
    expect(findings[1]?.message).toMatch(/^0 of 40 tasks have a check\. /);
  });
});

describe("a list of tasks with boxes", () => {
  const TEXT =
    "# Tasks: Login\n\n**Tests**: They must fail first.\n\n## Format\n\n- **[P]**: Can run in parallel\n- Include file paths\n\n## Phase 1: Setup\n\n**Purpose**: All of it MUST be there before the rest.\n\n- [ ] T001 Add the router to `web/package.json`\n- [x] T002 Create the folders\n- [ ] T003 [P] Write the loader\n\n## Phase 2: Pages\n\n- [ ] T004 [P] [US1] Draw the page\n\n## Notes\n\n- Commit after each task";

  it("has a task for each open box and for nothing else", () => {
    const { draft } = planOf(TEXT);
    expect(draft.tasks.map(({ title, requirements }) => [title, requirements])).toEqual([
      ["Add the router to web/package.json", ["T001"]],
      ["Write the loader", ["T003"]],
      ["Draw the page", ["T004"]],
    ]);
  });
});

it("an issue has one task for what it asks for, with its criteria", () => {
  const { draft } = planOf(
    "### Is your feature request related to a problem? Please describe.\n\nThe table loses its order.\n\n### Describe the solution you'd like\n\nThe table should remember its order. It must survive a logout.\n\n### Describe alternatives you've considered\n\nSorting by hand.\n\n### Acceptance criteria\n\n- [ ] The order is kept\n- [ ] `npm test -- table` passes\n\n### Additional context\n\nSee the chat.",
  );
  expect(draft.tasks.map(({ title, checks }) => [title, checks])).toEqual([
    ["The table should remember its order", [{ run: "npm test -- table" }]],
  ]);
});

it("a table with a status plans its open rows", () => {
  const text =
    "# Epic\n\n## Scope\n\n| # | Item | Status | Priority |\n|--|--|--|--|\n| 1 | Move prices | ✅ Done | High |\n| 2 | Recalculate invoices | In progress | High |\n| 3 | Send reminders | Not started | Medium |\n| 4 | Credit notes | Dropped | Low |\n\n## Dependencies\n\n- Legal to approve the new text";
  expect(planOf(text).draft.tasks.map(({ kind, title, priority }) => [kind, title, priority])).toEqual([
    ["work", "Recalculate invoices", 1],
    ["work", "Send reminders", 2],
    ["gate", "Legal: approve the new text", undefined],
  ]);
});

describe("notes of a meeting with headings", () => {
  it("are talk, but for what somebody is to do and what is asked", () => {
    const { draft, understood } = planOf(
      "# Weekly\n\n### Attendees\n\n- Ida\n- Jon\n\n### Notes\n\n- [Conversation]\n  - Ida\n    - globs are not ideal\n    - should the value be a name?\n- [Actions]\n  - Write the proposal\n  - Ask the other team",
    );
    expect(draft.tasks.map(({ title }) => title)).toEqual(["Write the proposal", "Ask the other team"]);
    expect(understood.questions.map(({ question }) => question)).toEqual(["should the value be a name?"]);
  });
});

it("says what it can read outside of the Latin script", () => {
  const { understood } = planOf(`# 업무 관리\n\n## 기능\n\n${"- 개인 업무를 생성하고 수정하고 삭제한다\n".repeat(20)}`);
  expect(understood.assumptions[0]).toEqual({
    text: "Sections whose headings the outline planner does not know ask for work.",
    because:
      "Outside of the Latin script, the outline planner knows common headings in Chinese, Japanese, Korean and Russian, and few other words. Read the plan with care, or plan with a model.",
  });
});
