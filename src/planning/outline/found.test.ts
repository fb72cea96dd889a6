// Shapes of public documents, in words of our own: what is work in them, what is not, and what belongs together.

import { describe, expect, it } from "vitest";
import { commandsIn } from "../../model/attempt/choose-worker.js";
import { parseSpec } from "../spec/parse.js";
import { nothingFound, outlineCapabilities, outlineClarification, outlineFiles, outlineTasks } from "./outline.js";

function planOf(text: string) {
  const spec = parseSpec(text);
  const map = outlineCapabilities(spec);
  const draft = outlineTasks(spec, map, outlineFiles(spec, map, { files: [] }), {});
  return { draft, map, understood: outlineClarification(spec) };
}

const titles = (text: string): string[] => planOf(text).draft.tasks.map(({ title }) => title);

/** A feature with two tasks, so that what follows has something to stand beside. */
const WORK = "# T\n\n## Features\n\n- Print a report\n- Send a mail\n\n";
const TASKS = ["Print a report", "Send a mail"];

describe("lists", () => {
  it.each<[what: string, spec: string, expected: string[]]>([
    [
      "go on with any number below a bold line",
      "# T\n\n## User stories\n\n**Start**\n1. As a player, I want to log in.\n\n**Play**\n2. As a player, I want to jump.\n3. As a player, I want to run.",
      ["Log in", "Jump", "Run"],
    ],
    [
      "have boxes without a space",
      "# T\n\n## Work\n\n- [x] Load a file\n- [] Save a file\n- []Close a file",
      ["Save a file", "Close a file"],
    ],
    [
      "of states are one task",
      "# T\n\n## Features\n\n### Order states\n\n- **Draft**: being written\n- **Sent**: a mail is required\n\n### Export\n\n- Write a file\n- Print a file",
      ["Order states", "Write a file", "Print a file"],
    ],
    [
      "of fields are one task",
      "# T\n\n## User data\n\n- Display name (required)\n- Profile photo (optional)\n- Last visit",
      ["User data"],
    ],
    [
      "of attributes are one task",
      "# T\n\n## Core features\n\n### F1 — Login\n\n- **Purpose:** Portals for all.\n- **Interaction:** Forms.\n- **Processing:** Check the password.\n- **Dependencies:** None\n- **Edge cases:** Wrong password.\n\n### F2 — Search\n\n- **Purpose:** Find a doctor.\n- **Inputs:** A name.\n- **Outputs:** A list.",
      ["Login", "Search"],
    ],
    [
      "of cases are one task",
      "# T\n\n## Choice of a printer\n\n1. If there is one → use it\n2. If there are more → ask\n3. Otherwise → show an error",
      ["Choice of a printer"],
    ],
    [
      "of names below a line that leads to them are one task",
      "# T\n\n## Loading\n\n- Load a file\n- Check its form\n\n**Errors:** each has a message:\n\n- `NotFound` — nothing is there\n- `Broken` — the form is wrong",
      ["Load a file", "Check its form", "Errors: each has a message"],
    ],
    [
      "in phases name again what is described elsewhere",
      "# T\n\n## Features\n\n### Mail\n\n- Reminders (by day)\n- Digest\n\n## Development phases\n\n### Phase 1: First\n\n- Reminders\n- Sign-in\n\n### Phase 2: More\n\n- Sharing\n- Themes",
      ["Reminders (by day)", "Digest", "Sign-in", "Sharing", "Themes"],
    ],
  ])("%s", (_, spec, expected) => {
    expect(titles(spec)).toEqual(expected);
  });
});

describe("a fence of plain text", () => {
  it("holds requirements and stories, a line each, and criteria, a paragraph each", () => {
    const { tasks } = planOf(
      "# T\n\n## Requirements\n\n```text\nFR-001  System shall print reports.\nFR-002  Admin shall be able to send mails.\n```\n\n## User stories\n\n```text\nAs a user, I want to read, so that I know.\n\nAs a user, I want to write, so that others know.\n```\n\n## Acceptance criteria\n\n```text\nFR-001 — Printing\nGiven a report,\nThen it is printed.\n\nFR-002 — Mails\nGiven a mail,\nThen it is sent.\n```",
    ).draft;
    expect(tasks.map(({ title }) => title)).toEqual(["Print reports", "Let an admin send mails", "Read", "Write"]);
    expect(tasks[0]?.body).toContain("Given a report, Then it is printed.");
    expect(tasks[1]?.body).not.toContain("Given a report");
  });

  it("is code otherwise", () => {
    expect(titles(`${WORK}## Layout\n\n\`\`\`\nsrc/\n  main.ts\n\`\`\``)).toEqual(TASKS);
  });
});

describe("paragraphs with a name", () => {
  const TEXT =
    "# T\n\n## Requirements\n\n**FR1 — Reading.** The tool must read a file. A list says which parts count.\n\n**FR2 — Writing.** One file is written. Nothing else.\n\n**FR3 — Asking.** Given the question (from FR1), it must ask once.";

  it("are one task each, and keep all of their sentences", () => {
    const { tasks } = planOf(TEXT).draft;
    expect(tasks.map(({ title, requirements }) => [title, requirements])).toEqual([
      ["Reading", ["FR1"]],
      ["Writing", ["FR2"]],
      ["Asking", ["FR3"]],
    ]);
    expect(tasks[0]?.body).toContain("The tool must read a file. A list says which parts count.");
    expect(tasks[1]?.body).not.toContain("must read");
  });

  it("are no tasks where they are about the story above them", () => {
    const story = (nr: number, name: string): string =>
      `### User Story ${nr} - ${name} (Priority: P${nr})\n\nAs a user, I want that.\n\n**Why this priority**: it must be first.\n\n**Independent Test**: Can be tested alone.\n\n**Acceptance Scenarios**:\n\n1. **Given** a task, **When** it is saved, **Then** it is there ${nr}\n`;
    const { tasks } = planOf(
      `# Feature: Tests\n\n## User Scenarios & Testing *(mandatory)*\n\n${story(1, "Create test case")}\n${story(2, "Run it")}`,
    ).draft;
    expect(tasks.map(({ title, priority, profile }) => [title, priority, profile])).toEqual([
      ["Create test case", 1, undefined],
      ["Run it", 2, undefined],
    ]);
    expect(tasks[1]?.body).toContain("it is there 2");
  });

  it("need no id", () => {
    expect(
      titles(
        "# T\n\n## Guard rails\n\n**Money.** It never guesses. It asks.\n\n**Voice.** It must confirm each payment. It reads back the name.",
      ),
    ).toEqual(["Money", "Voice"]);
  });
});

describe("tables", () => {
  it("of states name the states, and are one task", () => {
    const { draft } = planOf(
      "# T\n\n## Behaviour\n\n| State | Icon |\n|--|--|\n| Idle | a clock |\n| Running | a number |\n| Done / Stopped | a clock |",
    );
    expect(draft.tasks).toHaveLength(1);
    expect(draft.tasks[0]?.body).toContain("Done / Stopped");
  });

  it("with a status first still tell what is done", () => {
    expect(
      titles("# T\n\n## Work\n\n| Status | Task |\n|--|--|\n| ✅ | Load a file |\n| Open | Save a file |"),
    ).toEqual(["Save a file"]);
  });

  it("of what a page shows are work, without a target to reach", () => {
    expect(
      titles(
        "# T\n\n## Dashboard\n\n| Metric | Chart | Description |\n|--|--|--|\n| Wait | bar | how long people wait |\n| Load | line | how full it is |",
      ),
    ).toEqual(["Wait: how long people wait", "Load: how full it is"]);
  });

  it("of risks keep the answer to each", () => {
    expect(
      planOf(`${WORK}## Challenges\n\n| Challenge | Solution |\n|--|--|\n| Slow disk | Cache it |`).draft.risks,
    ).toEqual([{ risk: "Slow disk", mitigation: "Cache it" }]);
  });
});

describe("what is no task", () => {
  it.each<[what: string, more: string]>([
    ["who came to a meeting", "## Present\n\n- Ann Lee @ann (chair)\n- Bob May"],
    [
      "a checklist for the release of a document",
      "## Release sign-off checklist\n\nItems marked with (R) are required.\n\n- [ ] (R) History is up to date",
    ],
    [
      "a questionnaire with its answers",
      "## Readiness questionnaire\n\n### Monitoring requirements\n\n- **How is it monitored?**\n  - It must not be.",
    ],
    ["non-requirements", "## Explicit non-requirements (see the cut list)\n\nAccounts and sharing. Do not add them."],
    ["what is cut", "## Cut without hesitation\n\n- Direct debit\n- Bulk transfer"],
    ["goals for a quarter", "## Goals for Q4\n\n- Reach 2,000 users\n- Achieve 90% coverage"],
    ["principles", "## UI/UX design principles\n\n- **Friendly tone**\n- **One action at a time**"],
    ["libraries", "## Libraries\n\n- `clap` - arguments\n- `rand` - random numbers"],
    ["how it is now", "## Current CLI behaviours\n\n- `run` needs a name\n- `stop` must be typed twice"],
    ["what it is", "## What it is (one line)\n\nA platform where people talk to an agent that finds jobs."],
    ["who does what", "## Team split\n\n- **Ann:** backend, deploys\n- **Bob:** the voice"],
    ["a section with nothing in it", "## Version skew strategy\n\nNone"],
    [
      "the last words of a document, below what comes later",
      "## Future\n\n- Sharding\n\nThis requirements document provides a comprehensive specification.",
    ],
    ["a legend", "## Priority levels\n\n- **High**: must be done this week\n- **Low**: nice to have"],
    ["what is postponed", "## ❌ Blocked/Postponed\n\n- [ ] Social login"],
    ["notes that ask for nothing", "## Further notes\n\n- Bots are no concern"],
  ])("%s", (_, more) => {
    expect(titles(WORK + more)).toEqual(TASKS);
  });

  it("the lines at the head of a document, and its status is said", () => {
    const { draft, understood } = planOf(
      "# T\n\n**Status:** Shipped\n**Target platform:** macOS\n**Bundle ID:** `a.b`\n**Team size:** 2 (required)\n\n## Features\n\n- Print a report\n- Send a mail",
    );
    expect(draft.tasks.map(({ title }) => title)).toEqual(TASKS);
    expect(understood.assumptions[0]?.text).toContain('"Shipped"');
  });

  it("the solution as a whole, where the stories are listed", () => {
    const { draft } = planOf(
      "# T\n\n## Solution\n\nA game in the terminal. People play it together.\n\n## User stories\n\n- As a player, I want to log in\n- As a player, I want to jump",
    );
    expect(draft.tasks.map(({ title }) => title)).toEqual(["Log in", "Jump"]);
    expect(draft.tasks[0]?.steelThread).toBe(true);
  });
});

describe("what is work", () => {
  it.each<[what: string, spec: string, expected: string[]]>([
    [
      "communication, among features",
      "# T\n\n## Features\n\n### Communication\n\n- **Chat**: real-time messages\n- **Lobby**: talk before the game",
      ["Chat: real-time messages", "Lobby: talk before the game"],
    ],
    [
      "questions that are a thing to build",
      "# T\n\n## Quiz questions\n\n- Create a question\n- Edit a question",
      ["Create a question", "Edit a question"],
    ],
    [
      "milestones with open boxes, also in a file with tips on its usage",
      "# TODO\n\n## Milestones\n\n### v1.3.0 (Target: May)\n\n- [ ] Search\n- [ ] Export\n\n## Usage tips\n\n- Update daily",
      ["Search", "Export"],
    ],
    [
      "an example that people tick off",
      "# T\n\n## Example: the bank\n\n- [x] Register\n- [ ] Log each transfer\n- [ ] Check amounts",
      ["Log each transfer", "Check amounts"],
    ],
    [
      "what somebody said that they will do",
      "# Sync\n\n## Attendees\n\n- Ann\n\n## Agenda\n\n### Releases\n\n- Make it global [#45993](https://a.b)\n  - Ann, likely adds no value\n- Docs\n  - I’ll open a PR to list the levels\n  - Next step is to review the pages",
      ["I’ll open a PR to list the levels", "Next step is to review the pages"],
    ],
    [
      "a pending thing of the product",
      "# T\n\n## Checks\n\n- **Queue**: Pending checks for review\n- **Mail**: Tell the owner",
      ["Queue: Pending checks for review", "Mail: Tell the owner"],
    ],
  ])("%s", (_, spec, expected) => {
    expect(titles(spec)).toEqual(expected);
  });
});

describe("titles", () => {
  it.each<[text: string, title: string]>([
    ["HKDF-SHA256 to expand the key", "HKDF-SHA256 to expand the key"],
    ["`argon2` - the second layer", "argon2 - the second layer"],
    ["Route `/auth/*` to the service", "Route /auth/* to the service"],
    ["System shall not send data", "Do not send data"],
    ["A registered user can reset the password", "Let a registered user reset the password"],
    ["As a player, I never want to pick a channel", "Never pick a channel"],
    ["Run test — the same as a click", "Run test — the same as a click"],
  ])("%s", (text, title) => {
    expect(titles(`# T\n\n## Features\n\n- ${text}\n- Print a report`)[0]).toBe(title);
  });

  it("are the heading of a story, not the word story", () => {
    const long =
      "so that different workflows can be triggered by the status that each of the work items has at that time";
    const { tasks } = planOf(
      `# Requirements document\n\n## Requirements\n\n### Requirement 1: Monitoring\n\n**User Story:** As an admin, I want all states to be watched, ${long}.\n\n#### Acceptance Criteria\n\n1. WHEN it polls, THE monitor SHALL ask for all states\n\n### Requirement 2: Routing\n\n**User Story:** As an admin, I want states to be routed, ${long}.\n\n#### Acceptance Criteria\n\n1. WHEN a state is new, THE router SHALL warn`,
    ).draft;
    expect(tasks.map(({ title }) => title)).toEqual(["Monitoring", "Routing"]);
    expect(tasks[1]?.body).toContain("THE router SHALL warn");
    expect(tasks[1]?.body).not.toContain("THE monitor");
  });
});

describe("what belongs together", () => {
  const section = (name: string, count: number): string =>
    `#### ${name}\n\n${Array.from({ length: count }, (_, nr) => `- Show ${name.toLowerCase()} ${"abcdefgh"[nr]}`).join("\n")}\n`;

  it("features have the headings below them as stories, and no feature has one task", () => {
    const { features, stories, tasks } = planOf(
      `# T\n\n## Core features\n\n### Games\n\n${section("Boards", 3)}\n${section("Chats", 4)}\n### Players\n\n${section("Lists", 3)}\n### Limits\n\n- Show at most ten\n\n## Goals\n\n- Be fast`,
    ).draft;
    expect(features.map(({ title }) => title)).toEqual(["Games", "Players"]);
    expect(stories.map(({ title }) => title)).toEqual(["Boards", "Chats"]);
    expect(tasks).toHaveLength(11);
  });

  it("criteria of several headings are one review", () => {
    const { tasks } = planOf(
      `${WORK}## Acceptance criteria\n\n### Functional\n\n- [ ] Prints\n\n### Speed\n\n- [ ] Takes 2 s`,
    ).draft;
    expect(tasks.filter(({ kind }) => kind === "review").map(({ title }) => title)).toEqual([
      "Review the whole against its acceptance criteria",
    ]);
  });

  it("decisions below a heading are one, and so are the paragraphs of a caveat", () => {
    const { decisions, risks } = planOf(
      `${WORK}## Technical decisions\n\n### Menu\n\n- \`build\` — makes it\n- \`run\` — starts it\n\n### Parsing\n\nA relaxed rule. It takes both forms.\n\n## Caveat: it may be slow\n\nIt is not sure.\n\nConsider this:\n\nThere are four now.`,
    ).draft;
    expect(decisions.map(({ title }) => title)).toEqual(["Menu", "Parsing"]);
    expect(risks).toEqual([{ risk: "Caveat: it may be slow: It is not sure. There are four now.", mitigation: "" }]);
  });

  it("goals and non-goals of one heading are told apart", () => {
    const { goals, nonGoals } = planOf(
      `${WORK}## Goals and non-goals\n\n**Goals:**\n\n- Be fast\n\n**Non-goals:**\n\n- Be pretty`,
    ).map;
    expect({ goals, nonGoals }).toEqual({ goals: ["Be fast"], nonGoals: ["Be pretty"] });
  });
});

describe("the intent", () => {
  it.each<[what: string, spec: string, intent: string]>([
    [
      "is no advice on what to read",
      `# T\n\nRead \`SCOPE.md\` first. A shop for books.\n\n## Features\n\n- Print a report`,
      "T: A shop for books.",
    ],
    [
      "comes from the summary",
      "# T\n\n> Source of truth: [x](y).\n\n## Summary\n\nA clock for the desk.\n\n## Features\n\n- Print a report",
      "T: A clock for the desk.",
    ],
  ])("%s", (_, spec, intent) => {
    expect(planOf(spec).understood.intent).toBe(intent);
  });

  it("has the name that the document gives, without a title", () => {
    expect(
      planOf(
        "## Overview & objectives\n\n**App Name (placeholder):** *Nutri*\n**Type:** Web\n\nA diary.\n\n## Features\n\n- Print a report\n- Send a mail",
      ).draft.title,
    ).toBe("Nutri");
  });
});

describe("commands for the shell worker", () => {
  const RUN = "```sh run\necho plain > plain.html\n```";
  const inItem = RUN.replaceAll(/^/gm, "  ");

  it.each<[where: string, spec: string, checks: string[]]>([
    ["in an item", `# T\n\n## Pages\n\n- Write \`a.html\`\n\n${inItem}\n- Send a mail`, []],
    [
      "in an item with a check",
      `# T\n\n## Pages\n\n- Write \`a.html\`. Check: \`test -f a.html\`\n\n${inItem}\n- Send a mail`,
      ["test -f a.html"],
    ],
    ["below a paragraph", `# T\n\n## Pages\n\nThe tool must write a page.\n\n${RUN}`, []],
    ["below a section about testing", `# T\n\n## Testing\n\n- Write unit tests for the page\n\n${RUN}`, []],
  ])("%s are work and prove nothing", (_, spec, checks) => {
    const [task] = planOf(spec).draft.tasks;
    expect(task?.checks.map(({ run }) => run)).toEqual(checks);
    expect(commandsIn(task?.body ?? "")).toEqual(["echo plain > plain.html"]);
  });

  it("are never cut", () => {
    const script = Array.from({ length: 400 }, (_, nr) => `echo line ${nr}`).join("\n");
    const { tasks } = planOf(`# T\n\n## Pages\n\nThe tool must write a page.\n\n\`\`\`sh run\n${script}\n\`\`\``).draft;
    expect(commandsIn(tasks[0]?.body ?? "")).toEqual([script]);
  });
});

describe("notes of a meeting", () => {
  const NOTES: readonly (readonly [title: string, lines: string[]])[] = [
    ["Where we are", ["- old search is slow", "- Bo moved the index to its own table, done last week"]],
    ["What we agreed", ["- Bo: add an index (by Friday)", "- results page shows the hit in bold"]],
    ["Not doing", ["- no fuzzy matching for now"]],
    ["Parking lot", ["- saved searches?"]],
    ["Open", ["- do we keep the old URL?", "- What about tenants w/o Postgres 14"]],
    ["TODO", ["[ ] Chidi: measure p95", "[x] Ann: book room for the review"]],
  ];
  const notes = (name: string, mark: string, gap: string): string =>
    [
      `${name}\n\nAttendees: Ann, Bo, Chidi (notes)`,
      ...NOTES.map(([title, lines]) => `${mark}${title}${gap}${lines.join("\n")}`),
      "Next meeting 18 Nov",
    ].join("\n\n");

  it.each<[what: string, text: string]>([
    ["with headings", notes("# Meeting 2026-11-11 – search revamp", "## ", "\n\n")],
    ["with a name of their own", notes("# Search revamp", "## ", "\n\n")],
    ["with a date as their name", notes("# 2026-11-11 Weekly sync", "## ", "\n\n")],
    ["in plain lines", notes("Meeting 2026-11-11 – search revamp", "", "\n")],
    ["in plain lines with gaps", notes("Meeting 2026-11-11 – search revamp", "", "\n\n")],
  ])("%s have tasks and questions, and nothing else is work", (_, text) => {
    const { draft, map, understood } = planOf(text);
    expect(draft.tasks.map(({ title }) => title)).toEqual([
      "Bo: add an index (by Friday)",
      "Results page shows the hit in bold",
      "Chidi: measure p95",
    ]);
    expect(understood.questions.map(({ question }) => question)).toEqual([
      "do we keep the old URL?",
      "What about tenants w/o Postgres 14",
    ]);
    expect(map.nonGoals).toEqual(["no fuzzy matching for now", "saved searches?"]);
    expect(draft.tasks.flatMap(({ quotes }) => quotes).join()).not.toContain("Next meeting");
  });

  it("call tasks open that are still to do", () => {
    expect(titles("# T\n\n## Open\n\n- Search page\n- Print a report\n\n## Done\n\n- Log in")).toEqual([
      "Search page",
      "Print a report",
    ]);
  });
});

describe("a spec without work", () => {
  it("is said in words, with the lines and what they are", () => {
    const text = "# Search\n\n## Background\n\nIt is slow.\n\nPeople wait.\n\n## Open questions\n\n- Why?";
    expect(nothingFound(parseSpec(text))).toBe(
      'The outline planner found no work. It read lines 5-7 (explains why, not what to do), line 11 (an open question). Say what is to be done, for example as a list below a heading "Tasks", or plan with a model (--agent).',
    );
    expect(nothingFound(parseSpec(WORK))).toBeUndefined();
  });
});

describe("ids of requirements", () => {
  const table = (second: string): string =>
    `# T\n\n| ID | Requirement |\n|--|--|\n| R-1 | The device shall start |\n| R-2 | ${second} |\n| R-7 | The device shall stop |\n\n`;
  const idsOf = (text: string): string[] => planOf(text).draft.tasks.map(({ id }) => id);

  it.each<[what: string, spec: string, ids: string[]]>([
    ["of a table", table("The device shall beep"), ["T-R-1", "T-R-2", "T-R-7"]],
    ["that stay when the words change", table("The device shall flash twice"), ["T-R-1", "T-R-2", "T-R-7"]],
    [
      "of headings",
      "# T\n\n## User stories\n\n### US-1 Upload\n\nAs a user, I want to upload.\n\n### US-2 Read the total\n\nAs a user, I want to read.",
      ["T-US-1", "T-US-2"],
    ],
    [
      "of items",
      "# T\n\n## Requirements\n\n- FR7.1 The tool must print\n- FR7.2 The tool must send",
      ["T-FR7.1", "T-FR7.2"],
    ],
  ])("%s are the ids of the tasks", (_, spec, expected) => {
    expect(idsOf(spec)).toEqual(expected);
  });

  it.each<[text: string, waits: string, first: string]>([
    ["R-7 depends on R-2.", "T-R-7", "T-R-2"],
    ["- R-7 requires R-1", "T-R-7", "T-R-1"],
    ["R-2 blocks R-7.", "T-R-7", "T-R-2"],
    ["**R-1** must be done before R-2.", "T-R-2", "T-R-1"],
    ["## Dependencies\n\n- R-7 depends on R-2", "T-R-7", "T-R-2"],
  ])("%s", (text, waits, first) => {
    const { draft, map } = planOf(table("The device shall beep") + text);
    expect(draft.tasks.map(({ id }) => id)).toEqual(["T-R-1", "T-R-2", "T-R-7"]);
    expect(draft.tasks.find(({ id }) => id === waits)?.dependsOn).toContain(first);
    expect(map.leftOut).toEqual([]);
  });
});

it.each<[text: string, kind: string]>([
  ["Tax adviser will provide three sample CSV files.", "gate"],
  ["The legal department will supply the texts of the contract.", "gate"],
  ["The system will provide sample files.", "work"],
  ["The report service will send files.", "work"],
])("%s is a %s", (text, kind) => {
  const tasks = planOf(`# T\n\n## Features\n\n- Print a report\n- ${text}`).draft.tasks;
  expect(tasks.map((task) => task.kind).sort()).toEqual([kind, "work"].sort());
});

it("a line that leads into criteria belongs to the task that carries them", () => {
  const story = (nr: number): string =>
    `### US-${nr} Upload ${nr}\n\nAs a user, I want to upload it.\n\nAcceptance criteria:\n\n- It is stored in ${nr}\n\n`;
  const { draft, map } = planOf(`# T\n\n## User stories\n\n${story(1)}${story(2)}`);
  expect(draft.tasks.map(({ body }) => /Done when:\n- It is stored in \d/.test(body))).toEqual([true, true]);
  expect(map.leftOut).toEqual([]);
});

describe("what binds by its words", () => {
  it("is never done because a sign stands before it below a heading of criteria", () => {
    const spec = parseSpec(
      "# Pay\n\n## Work\n\n- Take a card\n- ✅ Refund\n\n## Exit criteria\n\n- ✅ All is booked at night\n",
    );
    expect(spec.statements.map(({ text, done }) => [text, done])).toEqual([
      ["Take a card", false],
      ["✅ Refund", true],
      ["✅ All is booked at night", false],
    ]);
  });

  it.each(["Risks", "Risks and failure modes", "Assumptions"])("is never filed away under %s", (heading) => {
    expect(
      titles(`${WORK}## ${heading}\n\n- The gateway is down: must fail closed.\n- Names with spaces.\n`),
    ).toContain("The gateway is down: must fail closed");
  });
});

describe("plain prose", () => {
  const FILES = ["src/upload.ts", "app/config.json", "docs/a.md", "web/a.md"];
  const outlined = (text: string) => {
    const spec = parseSpec(text);
    const map = outlineCapabilities(spec);
    return outlineTasks(spec, map, outlineFiles(spec, map, { files: FILES }), {}).tasks;
  };
  const waits = (text: string): [title: string, after: string[]][] => {
    const tasks = outlined(text);
    const titleOf = (id: string): string => tasks.find((task) => task.id === id)?.title ?? "";
    return tasks.map(({ title, dependsOn }) => [title, dependsOn.map(titleOf)]);
  };

  it.each([
    ["Tell the user why in src/upload.ts, at once.", ["src/upload.ts"]],
    ["Write the setting into config.json.", ["app/config.json"]],
    ["Mention it in a.md or in Node.js.", []],
    ["Write it into `new.json` and src/upload.ts.", ["new.json", "src/upload.ts"]],
  ])("%s never leaves a file of the repository unseen", (text, files) => {
    expect(outlined(`# T\n\n- ${text}\n- Add a delay\n`)[0]?.files.map(({ path }) => path)).toEqual(files);
  });

  it.each([
    ["**Stop early.** When the server says 413, do not try again, since that helps nobody.", "Stop early"],
    ["**Stop early**: when the server says 413, do not try again.", "Stop early"],
    ["**Login:** anyone can log in.", "Login: anyone can log in"],
  ])("never gets a title as long as the sentence: %s", (text, title) => {
    expect(titles(`# T\n\n- ${text}\n- Add a delay\n`)[0]).toBe(title);
  });

  it("never loses an order that its words state", () => {
    const text =
      "# T\n\n- Add a delay\n- Removing the flag should come last\n- Drain the queue, which must be emptied first\n";
    expect(waits(text)).toEqual([
      ["Add a delay", ["Drain the queue, which must be emptied first"]],
      ["Removing the flag should come last", ["Add a delay", "Drain the queue, which must be emptied first"]],
      ["Drain the queue, which must be emptied first", []],
    ]);
  });

  it("never makes tasks of steps of a scenario, of repeats or of what is left for later", () => {
    const text = `${WORK}### Scenario: no data\n\n- **WHEN** there is nothing\n- **THEN** the report is empty\n\n## Priorities (TL;DR)\n\n1. Reports first\n\n## More\n\n- A heat map — deferred to a later version\n- [>] Share links\n- Print labels\n`;
    expect(titles(text).filter((title) => !title.startsWith("Review"))).toEqual([
      "Print a report",
      "Send a mail",
      "Print labels",
    ]);
  });

  it("never makes a task of a call to action or a tag line", () => {
    expect(
      titles("# T\n\nUploads fail. Let us fix that.\n\n- Primary tagline: Uploads that last\n- Add a delay\n"),
    ).toEqual(["Add a delay"]);
  });
});

describe("a page in HTML", () => {
  const PAGE = `<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body>
<h1>Shop &amp; more</h1>
<p>We want to sell <b>things</b>.</p>
<h2 class="a">Requirements</h2>
<ul><li>Users can fill the <code>cart</code></li><li>The shop must send a receipt</li></ul>
<h2>Non-goals</h2><ul><li>Payment by cheque</li></ul>
</body></html>`;

  it("is never one task: its headings and lists are read", () => {
    const { tasks } = planOf(PAGE).draft;
    expect(tasks.map(({ title }) => title)).toEqual(["Let users fill the cart", "The shop must send a receipt"]);
    expect(
      parseSpec(PAGE)
        .sections.map(({ title }) => title)
        .filter(Boolean),
    ).toEqual(["Shop & more", "Requirements", "Non-goals"]);
    expect(parseSpec(PAGE).text).toHaveLength(PAGE.length);
  });

  it("is no page if only a few tags stand in it", () => {
    const text = "# Shop\n\n- Show <b>bold</b> words\n";
    expect(parseSpec(text).text).toBe(text);
  });
});

describe("a document that says under one heading what is to be done", () => {
  const PLAN = "## Implementation plan\n\n- Add an endpoint for skills\n- Update the guide of the skills\n";
  const WANTED = ["Add an endpoint for skills", "Update the guide of the skills"];

  it.each<[what: string, section: string]>([
    ["how things are", "## What exists\n\n- Skills live in a folder\n- The page lists those of the organization\n"],
    ["what is wrong", "## Diagnosis\n\n- Primary layer: a gap in the interface\n- Why: only the others have a page\n"],
    ["how a part looks", "## Color picker design\n\n- The popup appears on a click\n- Grid: 3 rows\n"],
    ["what it touches", "## Affected modules / interfaces\n\n- `a.py`: which skills are owned\n- `b.py`: reports\n"],
    ["what an old program does", "## What the old code does\n\nIt runs once and then branches all others off.\n"],
    ["commits", "## Related commits\n\n- `f9592af` `feat: add skills`\n"],
    ["open points", "## Open points to settle\n\n- [ ] **Shape**: a list or a pair?\n"],
  ])("has no task for %s", (_, section) => {
    expect(titles(`# Skills\n\n${section}\n${PLAN}`)).toEqual(WANTED);
    expect(titles(`# Skills\n\n${PLAN}\n${section}`)).toEqual(WANTED);
  });

  it("keeps what other sections ask for", () => {
    const more = "## Limits\n\n- A skill must have a name\n- Refuse a name with a slash\n";
    expect(titles(`# Skills\n\n${more}\n${PLAN}`)).toEqual([
      "A skill must have a name",
      "Refuse a name with a slash",
      ...WANTED,
    ]);
  });

  it("has one task for each numbered step, with its list in the body", () => {
    const { tasks } = planOf(
      "# Colors\n\n## Implementation plan\n\n### 1. Create the picker\n\n- Show a grid of 12 colors\n- Include none\n\n### 2. Add a button\n\n- Toggles the colors\n- Use an icon\n",
    ).draft;
    expect(tasks.map(({ title }) => title)).toEqual(["Create the picker", "Add a button"]);
    expect(tasks[0]?.body).toContain("Show a grid of 12 colors");
    expect(tasks[0]?.body).toContain("Include none");
  });

  it("does not take a name for an order", () => {
    expect(titles(`# Skills\n\n${PLAN}\n## Notes\n\n- Filter matching is cached for speed\n`)).toEqual(WANTED);
  });
});

describe("words of a mail or a report", () => {
  it("ask for work, however they are put", () => {
    expect(
      titles("Hi team,\n\nplease fix the date column. Could somebody look at why the parser crashes?\n\nThanks\nAnn"),
    ).toEqual(["Fix the date column", "Look at why the parser crashes"]);
  });

  it("that say what is expected are named after it, not after their heading", () => {
    expect(
      titles(
        "# Crash\n\n## Steps to reproduce\n\n1. Save\n\n## Expected\n\nThe file is saved.\n\n## Actual\n\nIt crashes.",
      ),
    ).toEqual(["The file is saved"]);
  });

  it("below a heading may be a scenario alone", () => {
    expect(
      titles(`${WORK}### Pay with a card\n\nGiven a basket, when the customer pays, then an order exists.`),
    ).toEqual([...TASKS, "Pay with a card"]);
  });

  it("that number steps and end with a removal are done in that order", () => {
    const { tasks } = planOf("# The new API\n\n1. Add a tokenizer\n2. Move the callers\n3. Remove the old API").draft;
    expect(tasks.map(({ dependsOn }) => dependsOn.length)).toEqual([0, 1, 1]);
  });

  it.each<[text: string, hours: number]>([
    ["Fix the typo in the readme", 2],
    ["Make a clock that tells the time of three cities", 8],
  ])("%j takes %i hours in one task", (text, hours) => {
    expect(planOf(text).draft.tasks.map(({ estimateHours }) => estimateHours)).toEqual([hours]);
  });
});
