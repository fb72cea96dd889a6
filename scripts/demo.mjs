// The story in one minute, in a temporary git repository, with no model and no network: a spec is planned, its question
// is answered, the plan is approved, stopped and started again, worked through by three real processes in worktrees of
// their own, corrected where a check says no, landed, and verified.

import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const BIN = resolve(import.meta.dirname, "../dist/planwright.cjs");
const WORKER = resolve(import.meta.dirname, "demo-worker.mjs");
const SPEC = resolve(import.meta.dirname, "demo-spec.md");
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

function run(command, args, { quiet = false, mayFail = false, lines = Number.POSITIVE_INFINITY } = {}) {
  // One stream, so that progress stands before the answer, as at a terminal.
  const merged = quiet ? [command, args] : ["sh", ["-c", 'exec "$0" "$@" 2>&1', command, ...args]];
  const child = spawnSync(...merged, { cwd: repository, env, encoding: "utf8" });
  const said = child.stdout.split("\n");
  if (!quiet) process.stdout.write(said.length > lines ? `${said.slice(0, lines).join("\n")}\n` : child.stdout);
  if (child.status !== 0 && !mayFail)
    throw new Error(`${command} ${args.join(" ")} exited with ${child.status}: ${child.stdout}${child.stderr}`);
  return child.stdout;
}

const git = (...args) => run("git", args, { quiet: true });

/** Shows the command as a person would type it, then what it says. */
function pw(args, options = {}) {
  const typed = args.map((a) => (/[\s"$]/.test(a) ? `'${a}'` : a)).join(" ");
  const shortened = options.lines === undefined ? "" : ` | head -${options.lines}`;
  console.log(paint(36, `$ planwright ${typed}${shortened}`));
  return run(process.execPath, [BIN, ...args], options);
}

const data = (args) => JSON.parse(run(process.execPath, [BIN, ...args, "--json"], { quiet: true })).data;

/** A process for each name, in a linked worktree of its own, until there is nothing left to claim. */
async function work(...names) {
  const workers = names.map((name) => {
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
  mkdirSync(join(repository, "docs"), { recursive: true });
  copyFileSync(SPEC, join(repository, "docs/spec.md"));
  git("init", "--quiet", "--initial-branch", "main");
  git("add", "docs/spec.md");
  git("commit", "--quiet", "--message", "begin");

  say("1. Begin with a spec: six requirements, their checks, and an open question.");
  console.log(readFileSync(SPEC, "utf8").trimEnd());

  say(
    "2. Plan it. Here no model is asked: the outline planner reads the structure. Nobody is there to ask, so it waits.",
  );
  pw(["init", "--mission", "A greeter for everybody"]);
  pw(["plan", "docs/spec.md", "--agent", "outline"], { mayFail: true });
  pw(["answer", "ESC-001", "english"]);
  pw(["plan", "resume"]);
  pw(["show", data(["plan", "show", "RUN-001"]).artifacts.plan], { lines: 21 });

  say("3. Nothing runs that a person did not approve.");
  pw(["next"], { mayFail: true });
  pw(["approve", "RUN-001"]);
  pw(["status", "FEAT-001"]);
  pw(["why", "TASK-00006"]);

  say("4. Stop a branch, and take it back: one operation, undone whole.");
  pw(["freeze", "STORY-0001", "--reason", "waiting for the translators"]);
  pw(["status", "FEAT-001"]);
  pw(["undo"]);

  say("5. Three workers, three processes, three worktrees, one plan.");
  await work("ann", "bob", "cyd");
  pw(["status", "FEAT-001"]);

  say(
    "6. Nothing counts as done that a check did not prove. The task was not clear enough: say more, and clear it again.",
  );
  pw(["why", "TASK-00005"]);
  pw([
    "edit",
    "TASK-00005",
    "--body",
    "greet.sh prints words/$1.txt for the language $1, and words/en.txt if there is none.",
  ]);
  pw(["approve", "TASK-00005"]);
  pw(["reset", "TASK-00005"]);
  await work("ann");

  say("7. The work is on main: landing proves it.");
  pw(["complete", "FEAT-001-LAND"]);
  pw(["status"]);

  say("8. Nothing that happened is lost.");
  pw(["log", "--limit", "8"]);
  pw(["verify"]);

  const { operations } = data(["verify"]);
  say(`That was ${operations} operations in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
  console.log("Where to go next:");
  console.log("  docs/planning.md                   from an idea to an approved plan, with and without a model");
  console.log("  node dist/planwright.cjs help      every command, with examples");
  console.log("  README.md                          how to begin in your own project");
  console.log("  ARCHITECTURE.md                    how it works inside");
}

try {
  await main();
} finally {
  rmSync(root, { recursive: true, force: true });
}
