// The story in one minute, in a temporary git repository, with no model and no network: a plan is made,
// questioned, approved, stopped and started again, worked through by three real processes in worktrees of
// their own, corrected where a check says no, landed, and verified.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BIN = resolve(import.meta.dirname, "../dist/planwright.cjs");
const WORKER = resolve(import.meta.dirname, "demo-worker.mjs");
const root = mkdtempSync(join(tmpdir(), "planwright-demo-"));
const repository = join(root, "greeter");
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

const env = {
  ...process.env,
  PLANWRIGHT_ACTOR: "human:you",
  GIT_AUTHOR_NAME: "demo",
  GIT_AUTHOR_EMAIL: "demo@localhost",
  GIT_COMMITTER_NAME: "demo",
  GIT_COMMITTER_EMAIL: "demo@localhost",
};

const say = (text) => console.log(`\n${paint(1, text)}`);

function run(command, args, { quiet = false, mayFail = false } = {}) {
  const child = spawnSync(command, args, { cwd: repository, env, encoding: "utf8" });
  if (!quiet) process.stdout.write(child.stdout + child.stderr);
  if (child.status !== 0 && !mayFail)
    throw new Error(`${command} ${args.join(" ")} exited with ${child.status}: ${child.stderr}`);
  return child.stdout;
}

const git = (...args) => run("git", args, { quiet: true });

/** Shows the command as a person would type it, then what it says. */
function pw(args, options = {}) {
  console.log(paint(36, `$ planwright ${args.map((a) => (/[\s"]/.test(a) ? `"${a}"` : a)).join(" ")}`));
  return run(process.execPath, [BIN, ...args], options);
}

const data = (args) => JSON.parse(run(process.execPath, [BIN, ...args, "--json"], { quiet: true })).data;

const PLAN = [
  { id: "FEAT-GREET", tier: "feature", title: "Greet people in their own language" },
  { id: "STORY-WORDS", tier: "story", title: "Know the words", parent: "FEAT-GREET" },
  { id: "STORY-SPEAK", tier: "story", title: "Speak them", parent: "FEAT-GREET" },
  ...["en", "de", "fr", "ja"].map((language, i) => ({
    id: `WORD-${language.toUpperCase()}`,
    title: `Words for ${language}`,
    parent: "STORY-WORDS",
    files: [`words/${language}.txt`],
    checks: [{ run: `grep -q '[^ ]' words/${language}.txt` }],
    body: `mkdir -p words && echo "${["Hello", "Guten Tag", "Bonjour", "こんにちは"][i]}" > words/${language}.txt`,
    priority: i,
  })),
  {
    id: "GREET",
    title: "Say hello in a language",
    parent: "STORY-SPEAK",
    dependsOn: ["STORY-WORDS"],
    files: ["greet.sh"],
    checks: [{ run: "sh greet.sh fr", expect: "Bonjour" }],
    body: "printf 'cat words/en.txt\\n' > greet.sh",
  },
  {
    id: "GUIDE",
    title: "Explain how to use it",
    parent: "STORY-SPEAK",
    dependsOn: ["GREET"],
    files: ["GUIDE.md"],
    checks: [{ run: "grep -q greet.sh GUIDE.md" }],
    body: "echo 'Run sh greet.sh LANGUAGE.' > GUIDE.md",
  },
];

/** Three processes, each in a linked worktree, until there is nothing left to claim. */
async function work() {
  const workers = ["ann", "bob", "cyd"].map((name) => {
    const folder = join(root, name);
    git("worktree", "add", "--quiet", "--force", "-B", `worker/${name}`, folder, "main");
    const child = spawn(process.execPath, [WORKER, BIN, `agent:${name}`], {
      cwd: folder,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    return new Promise((done, failed) => {
      child.on("close", (code) =>
        code === 0 ? done(folder) : failed(new Error(`worker ${name} exited with ${code}`)),
      );
    });
  });
  for (const folder of await Promise.all(workers)) {
    git("merge", "--quiet", "--no-edit", `worker/${folder.split("/").pop()}`);
    git("worktree", "remove", "--force", folder);
  }
}

async function main() {
  const started = Date.now();
  mkdirSync(repository);
  git("init", "--quiet", "--initial-branch", "main");
  git("commit", "--quiet", "--allow-empty", "--message", "begin");
  writeFileSync(join(root, "plan.jsonl"), PLAN.map((node) => JSON.stringify(node)).join("\n"));

  say("1. Make a plan: a feature, two stories, six tasks, each with a check.");
  pw(["init", "--mission", "A greeter for everybody"]);
  pw(["add", "--from", join(root, "plan.jsonl")]);
  pw(["status"]);

  say("2. Nothing runs that a person did not approve.");
  pw(["next"], { mayFail: true });
  pw(["why", "WORD-EN"]);
  pw(["approve", "FEAT-GREET"]);
  pw(["why", "GUIDE"]);

  say("3. Stop a branch, and take it back: one operation, undone whole.");
  pw(["freeze", "STORY-WORDS", "--reason", "waiting for the translators"]);
  pw(["status", "FEAT-GREET"]);
  pw(["undo"]);

  say("4. Three workers, three processes, three worktrees, one plan.");
  await work();
  pw(["status", "FEAT-GREET"]);

  say("5. Nothing counts as done that a check did not prove.");
  pw(["why", "GREET"]);
  pw(["edit", "GREET", "--body", "printf 'cat words/$1.txt\\n' > greet.sh"]);
  pw(["approve", "GREET"]);
  pw(["reset", "GREET"]);
  await work();

  say("6. The work is on main: landing proves it.");
  pw(["complete", "FEAT-GREET-LAND"]);
  pw(["status"]);

  say("7. Nothing that happened is lost.");
  pw(["log", "--limit", "8"]);
  pw(["verify"]);

  const { operations } = data(["verify"]);
  say(`That was ${operations} operations in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
  console.log("Where to go next:");
  console.log("  node dist/planwright.cjs help      every command, with examples");
  console.log("  README.md                          how to plan your own project");
  console.log("  ARCHITECTURE.md                    how it works inside");
}

try {
  await main();
} finally {
  rmSync(root, { recursive: true, force: true });
}
