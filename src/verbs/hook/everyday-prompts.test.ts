// What people type to a coding agent in a project that has a plan, and what the prompt hook says about it. The plan is as tempting as
// it can be: work is ready, the agent has something to undo, and two tasks are in conflict.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { record } from "../../../test/conflict.js";
import { must, type TestPlan } from "../../../test/plan.js";
import { SECRET } from "../../../test/secret.js";
import type { Context } from "../../plan/base/context.js";
import { App } from "../app.js";
import { allSpellings, findSpelling } from "../kit/spell.js";
import { ALL_PHRASES } from "../router/phrases.js";
import { PROMPT_VERBS } from "./prompt-verbs.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "planwright-prompts-")));
const apps: App[] = [];

afterAll(async () => {
  for (const app of apps) await app.close();
  rmSync(root, { recursive: true, force: true });
});

const open = (folder: string, env: Readonly<Record<string, string>>, actor?: string): App => {
  const app = new App({ folder, env: { PATH: process.env["PATH"] ?? "", HOME: join(root, "home"), ...env }, actor });
  apps.push(app);
  return app;
};

interface Opened {
  readonly ada: App;
  readonly claude: App;
}

function openPlan(name: string): Opened {
  const folder = join(root, name);
  mkdirSync(folder);
  const ada = open(folder, { PLANWRIGHT_SECRET: SECRET }, "human:ada");
  return { ada, claude: open(folder, { CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "s-1" }) };
}

const withActor = (session: Context): TestPlan =>
  ({ ...session, as: (actor: string) => ({ ...session, actor }) }) as unknown as TestPlan;

async function tempting(): Promise<Opened> {
  const { ada, claude } = openPlan("tempting");
  must(await ada.call("init", { mission: "Ship it" }));
  const feature = (id: string, title: string) => ada.call("add", { id, title, tier: "feature" });
  for (const [id, title] of [
    ["FEAT-A", "Log in"],
    ["FEAT-F", "Frozen"],
    ["login", "A word as an id"],
  ] as const)
    must(await feature(id, title));
  const checks = [{ run: "true" }];
  for (const [id, title, files] of [
    ["TASK-00012", "Fix the tests", ["src/a.ts"]],
    ["JIRA-1234", "Refactor the parser", ["src/a.ts"]],
    ["auth.login", "Add tests", ["src/c.ts"]],
    ["WEB_12", "Continue", ["src/d.ts"]],
    ["T-a", "Undo that change", ["src/e.ts"]],
  ] as const)
    must(await ada.call("add", { id, title, parent: "FEAT-A", files: [...files], checks }));
  must(await ada.call("approve", { references: ["FEAT-A"], yes: true }));
  must(await ada.call("freeze", { references: ["FEAT-F"], reason: "later" }));
  await record(withActor(await ada.open()), "TASK-00012", "JIRA-1234", { files: ["src/a.ts"] });
  must(await claude.call("add", { id: "IDEA-1", title: "An idea", parent: "INBOX" }));
  return { ada, claude };
}

const said = async (app: App, prompt: string): Promise<string | null> =>
  must(await app.call("hook.prompt", { host: "claude", session: "s-1", prompt })).context;

/** `silent`, the command that it names, or the nodes that it explains. */
function meaning(context: string | null): string {
  if (context === null) return "silent";
  const command = /`planwright ([^`]+)`/u.exec(context)?.[1];
  if (command !== undefined) return command;
  return [...context.matchAll(/(\S+) is an? \w+ of this project's plan/gu)].map(([, id]) => id).join(" ");
}

/** What the hook makes of them, and the prompts. */
const TABLE: readonly [answer: string, prompts: readonly string[]][] = [
  // The verbs that can run right now as they are typed.
  ["next", ["next", "Next", "NEXT", " next ", "next!", "next.", "plan-next", "must do: next", "Just do: next"]],
  ["status", ["status", "Status", "status?", "Status.", "plan-status", "exactly: status"]],
  ["undo", ["undo", "Undo!", "plan-undo", "must do: undo"]],
  ["conflicts", ["conflicts", "Conflicts?", "plan-conflicts"]],
  // A command with a node of the plan, as it is typed in a terminal.
  ["expand FEAT-A", ["expand FEAT-A", "Expand FEAT-A", "expand FEAT-A.", "plan-expand FEAT-A"]],
  ["status FEAT-A", ["status FEAT-A", "status FEAT-A?"]],
  ["next --in FEAT-A", ["next --in FEAT-A"]],
  ["freeze FEAT-A", ["freeze FEAT-A"]],
  ["freeze TASK-00012 --reason 'the API is down'", ['freeze TASK-00012 --reason "the API is down"']],
  ["thaw FEAT-F", ["thaw FEAT-F", "plan-thaw FEAT-F"]],
  ["undo IDEA-1", ["undo IDEA-1"]],
  ["next TASK-00012", ["next TASK-00012"]],
  ["replan FEAT-F --reason 'too large'", ['replan FEAT-F --reason "too large"']],
  // A node of the plan in other words: what it is, and nothing to do.
  [
    "TASK-00012",
    [
      "why does TASK-00012 fail",
      "why does TASK-00012 fail?",
      "please look at task-00012",
      "TASK-00012",
      "implement TASK-00012: it is about src/a.ts",
      "what's left in TASK-00012?",
      "git commit -m 'TASK-00012 fix the parser'",
      "Mach bitte mit TASK-00012 weiter",
      "fix(auth): done with (TASK-00012)",
      // Nobody froze it.
      "thaw TASK-00012",
      // A task is not planned further.
      "expand TASK-00012",
      "replan TASK-00012",
      "complete TASK-00012",
    ],
  ],
  ["JIRA-1234", ["can you check JIRA-1234 before lunch", "jira-1234 is broken again", "archive JIRA-1234"]],
  [
    "FEAT-A",
    [
      "approve FEAT-A",
      "land FEAT-A",
      "unfreeze FEAT-A please",
      "expand FEAT-A?",
      "archive FEAT-A",
      "replan FEAT-A",
      // A person approved what it would drop.
      'replan FEAT-A --reason "too large"',
    ],
  ],
  ["FEAT-A TASK-00012", ["what do FEAT-A and TASK-00012 have in common?"]],
  ["auth.login", ["rename auth.login to signIn", "auth.login() returns null"]],
  ["WEB_12", ["WEB_12 looks wrong on mobile"]],
  ["T-a", ["T-a first, then the rest"]],
  ["FEAT-F", ["freeze FEAT-F", "promote FEAT-F to production"]],
  // A question never claims and never changes anything.
  ["silent", ["next?", "Next?!", "undo?", "what's next?", "what is next", "which task is next?", "must do: next?"]],
  // A verb that cannot run as it is typed.
  [
    "silent",
    [
      "bootstrap",
      "plan-bootstrap",
      "expand",
      "replan",
      "promote",
      "archive",
      "freeze",
      "thaw",
      "plan-freeze",
      "must do: thaw",
      "expand FEAT-Z",
      "expand TASK-99999",
      "freeze TASK-99999",
      "undo 99999",
      "plan-undo 99999",
      "promote caching helps",
      "plan-promote caching helps",
      "conflicts list",
      "status --active",
    ],
  ],
  // A verb in front of ordinary words.
  [
    "silent",
    [
      "bootstrap the project with vite",
      "bootstrap 5 grid for the form",
      "expand the README a bit",
      "expand all the accordions by default",
      "expand this into a class",
      "next step?",
      "next steps are unclear",
      "next, add a dark mode",
      "next I want you to fix the tests",
      "next.js or remix?",
      "next up: the footer",
      "next please",
      "next one",
      "next task",
      "status of the PR?",
      "status codes are wrong",
      "status 500 on /login",
      "status bar overlaps the header",
      "replan the sprint",
      "promote the staging build to production",
      "promote this helper to utils.ts",
      "archive the old logs",
      "archive.zip is corrupt",
      "undo that change you made",
      "undo the last edit",
      "undo your last commit",
      "undo everything",
      "undo 2 commits",
      "undo/redo does not work in the editor",
      "freeze the dependencies in package.json",
      "freeze the header row",
      "thaw the frozen columns",
      "conflicts in package-lock.json",
      "conflicts with main, please rebase",
    ],
  ],
  // What was hijacked before.
  ["silent", ["continue", "add tests", "log in", "explain this", "revert", "merge", "run the tests", "done", "go on"]],
  // Short.
  [
    "silent",
    [
      "yes",
      "no",
      "ok",
      "y",
      "1",
      "2.",
      "thanks",
      "thx!",
      "go",
      "go ahead",
      "do it",
      "proceed",
      "keep going",
      "continue please",
      "resume",
      "stop",
      "wait",
      "pause",
      "cancel",
      "abort",
      "retry",
      "try again",
      "again",
      "more",
      "why",
      "why?",
      "how?",
      "what?",
      "huh",
      "help",
      "list",
      "ls",
      "show",
      "show me",
      "log",
      "run",
      "run it",
      "build",
      "test",
      "lint",
      "fix",
      "fix it",
      "commit",
      "push",
      "ship it",
      "land it",
      "deploy",
      "clean up",
      "reset",
      "restore",
      "rollback",
      "approve",
      "approved",
      "lgtm",
      "plan",
      "replace",
      "search",
      "find",
      "find the bug",
      "block",
      "unblock",
      "complete",
      "mission",
      "inbox",
      "bugs",
      "BUGS",
      "MISSION",
      "login",
      "feature",
      "task",
      "tasks",
      "progress",
      "tree",
      "render",
      "overlap",
      "insight",
      "discovery",
      "",
      "   ",
      "?",
      "...",
      "🚀",
      "👍",
    ],
  ],
  // Ordinary sentences.
  [
    "silent",
    [
      "fix the failing tests",
      "add tests for the parser",
      "add a dark mode toggle to the settings page",
      "explain this regex",
      "explain why the build fails",
      "log in with GitHub should redirect to /home",
      "log the request id",
      "merge the two functions",
      "merge main into this branch",
      "revert the last commit",
      "revert src/a.ts to what it was",
      "continue with the refactoring",
      "continue where you left off",
      "plan the migration",
      "plan out how we would add OAuth, do not code yet",
      "make a plan first",
      "run the linter and fix what it finds",
      "show me the diff",
      "list all usages of parseDate",
      "search for TODO comments",
      "find all callers of login()",
      "drop the users table in the test setup",
      "reset the database before each test",
      "restore the deleted file",
      "block the UI while saving",
      "land on the dashboard after sign-in",
      "work on the README next",
      "complete the function below",
      "split this file into two",
      "break down this function into smaller ones",
      "check for conflicts between the two schemas",
      "pause the video when the tab is hidden",
      "resume the upload after a reconnect",
      "wrap up and summarize what you did",
      "roll back the migration",
      "what happened?",
      "where are we?",
      "how are we doing on the tests?",
      "are there any conflicts?",
      "is the next release blocked?",
      "who approved this?",
      "what's waiting for me?",
      "rename login to signIn everywhere",
      "our mission statement is on /about",
      "empty the inbox after import",
      "there are bugs in the cart",
      "why does TASK-99999 fail",
      "close GH-421 and #88",
      "use UTF-8 and ISO-8601, never SHA-1",
      "bump to v1.2.3-rc.1",
      "see docs/FEAT-A/notes.md",
      "checkout planwright/feature/FEAT-A",
      "open https://jira.example.org/browse/JIRA-1234",
      "mail FEAT-A@example.org",
      "/next",
      "/plan expand FEAT-A",
      "/compact next",
      "just do: the migration",
      "exactly: that one",
      "must do: add tests",
      "must do: approve everything",
      "plan-ahead is the flag",
      "plan-driven development is nice",
    ],
  ],
  // Other languages.
  [
    "silent",
    [
      "weiter",
      "mach weiter",
      "nächste Aufgabe",
      "was kommt als nächstes?",
      "rückgängig",
      "bitte die Tests reparieren",
      "continue s'il te plaît",
      "suivant",
      "annule ça",
      "siguiente",
      "deshacer",
      "continúa",
      "avanti",
      "próximo",
      "дальше",
      "отмени",
      "下一个",
      "继续",
      "撤销",
      "次へ",
      "続けて",
      "다음",
      "التالي",
    ],
  ],
  // Code, logs and long texts.
  [
    "silent",
    [
      "next\nundo",
      "next\n\nand then add tests",
      "undo\n```ts\nconst undo = () => history.pop();\n```",
      "```\nnext()\n```",
      "function next() { return queue.shift(); }",
      "TypeError: Cannot read properties of undefined (reading 'next')\n    at next (/app/src/queue.ts:12:5)",
      "git status",
      "git merge --continue",
      "npm run status",
      "const status = await fetch('/status');",
      "SELECT status FROM tasks WHERE id = 12;",
      `next ${"and so on ".repeat(5_000)}`,
      `${"lorem ipsum ".repeat(5_000)} TASK-00012`,
      "\u001B[31mnext\u001B[0m",
      "next\u0000",
    ],
  ],
];

const rows = TABLE.flatMap(([answer, prompts]) => prompts.map((prompt): [string, string] => [prompt, answer]));

const shown = (prompt: string): string => (prompt.length > 60 ? `${prompt.slice(0, 60)}…` : prompt);

describe("with work to do, something to undo and a conflict, a message", () => {
  let app: App;
  beforeAll(async () => {
    app = (await tempting()).claude;
  });

  it("is one of at least 150 that people type", () => {
    expect(new Set(rows.map(([prompt]) => prompt)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(250);
  });

  it.each(rows.map(([prompt, answer]): [string, string, string] => [shown(prompt), answer, prompt]))(
    "%j: %s",
    async (_, answer, prompt) => {
      expect(meaning(await said(app, prompt))).toBe(answer);
    },
  );

  const keywords = [
    ...new Set([...ALL_PHRASES.map(({ words }) => words.join(" ")), ...allSpellings().map(({ words }) => words)]),
  ];
  const speaking = new Set(PROMPT_VERBS.filter(({ alone }) => alone !== "never").map(({ verb }) => verb));

  it.each(keywords)("%j alone says something only if it is one of the verbs that can run now", async (word) => {
    expect(meaning(await said(app, word))).toBe(speaking.has(word) ? word : "silent");
  });

  it.each(keywords)("%j is silent in front of an ordinary sentence", async (word) => {
    for (const rest of ["the login page", "it", "that for me please", "in src/app.ts and commit"]) {
      expect(meaning(await said(app, `${word} ${rest}`))).toBe("silent");
    }
  });

  it("gets an answer of a few words that leaves the agent its work", async () => {
    for (const [prompt, answer] of rows.filter(([, each]) => each !== "silent")) {
      const context = (await said(app, prompt)) as string;
      expect({ answer, tokens: encode(context).length <= 100 }).toEqual({ answer, tokens: true });
      expect(context).not.toMatch(/before you do anything|do nothing|\n/iu);
    }
    expect(await said(app, "next")).toBe(
      '"next" is also a command to this project\'s plan: `planwright next` would claim TASK-00012 "Fix the tests". If the user means the plan, run it with Planwright\'s tool `do`; if not, go on as usual.',
    );
    expect(await said(app, "undo")).toMatch(
      /`planwright undo` would undo operation \d+ \("[^"]*IDEA-1[^"]*"\)\. If the user means/u,
    );
    expect(await said(app, "conflicts")).toContain("lists 1 open conflict.");
    expect(await said(app, "why does TASK-00012 fail")).toBe(
      "TASK-00012 is a task of this project's plan, \"Fix the tests\" (ready). Planwright's tools `show` and `why` know more, and `do` takes a command to the plan; only the user approves and lands.",
    );
  });

  it("of a conversation that holds a task is no order to claim another", async () => {
    const { claude, ada } = openPlan("held");
    must(await ada.call("init", { mission: "Ship it" }));
    must(await ada.call("add", { id: "FEAT-A", title: "A", tier: "feature" }));
    for (const id of ["T-1", "T-2"])
      must(await ada.call("add", { id, title: id, parent: "FEAT-A", checks: [{ run: "true" }] }));
    must(await ada.call("approve", { references: ["FEAT-A"], yes: true }));
    expect(meaning(await said(claude, "next"))).toBe("next");
    must(await claude.call("next", { reference: "T-1" }));
    expect(meaning(await said(claude, "next"))).toBe("silent");
    expect(meaning(await said(claude, "plan-promote caching helps"))).toBe("promote caching helps");
  });
});

describe("with nothing to do, a message", () => {
  let app: App;
  beforeAll(async () => {
    const { ada, claude } = openPlan("idle");
    must(await ada.call("init", { mission: "Ship it" }));
    must(await ada.call("add", { id: "FEAT-A", title: "A", tier: "feature" }));
    app = claude;
  });

  it.each(["next", "undo", "conflicts", "plan-next", "must do: undo"])("%j is silent", async (prompt) => {
    expect(await said(app, prompt)).toBeNull();
  });

  it("that a person alone could undo is silent", async () => {
    expect(await said(app, "undo FEAT-A")).toContain("FEAT-A is a feature");
  });
});

it("every verb of the table is a command of the same name", () => {
  expect(PROMPT_VERBS).toHaveLength(11);
  for (const { verb, operation } of PROMPT_VERBS) {
    expect([verb, findSpelling([verb])?.spelling.operation]).toEqual([verb, operation]);
  }
});
