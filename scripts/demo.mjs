// Shows the product in a temporary git repository, without a model or network: plan a spec, answer its question, approve it,
// freeze and undo, let four workers do it, fix what a check rejects, order two tasks that conflict, land on main, verify.
//
//   npm run demo                       shows each command and what it prints
//   npm run demo -- --board            then adds work that needs you, and opens the board until Ctrl-C
//   npm run demo -- --board --no-open  prints the board's address and code, and opens no browser; --port N works too

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { addLivelyWork } from "./demo-board.mjs";

const { values: flags } = parseArgs({
  options: { board: { type: "boolean" }, "no-open": { type: "boolean" }, port: { type: "string" } },
});
const BIN = resolve(import.meta.dirname, "../dist/planwright.cjs");
const WORKER = resolve(import.meta.dirname, "demo-worker.sh");
const SPEC = resolve(import.meta.dirname, "demo-spec.md");
const root = mkdtempSync(join(tmpdir(), "planwright-demo-"));
const repository = join(root, "greeter");
const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);

/** What programs need to run and to open a browser, and nothing that names another plan, an agent or settings of git. */
const KEPT =
  /^(PATH|HOME|USER|SHELL|TMPDIR|TERM|COLUMNS|LANG|LC_.*|TZ|NO_COLOR|FORCE_COLOR|BROWSER|DISPLAY|WAYLAND_DISPLAY|DBUS_.*|XDG_.*|WSL.*)$/;

const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  PLANWRIGHT_ACTOR: "human:you",
  XDG_STATE_HOME: join(root, "state"),
  // A secret of its own, which proves that a person approves: the demo never touches yours.
  PLANWRIGHT_CONFIG: join(root, "config"),
  GIT_AUTHOR_NAME: "demo",
  GIT_AUTHOR_EMAIL: "demo@localhost",
  GIT_COMMITTER_NAME: "demo",
  GIT_COMMITTER_EMAIL: "demo@localhost",
};

const say = (text) => console.log(`\n${paint(1, text)}`);

function run(command, args, { quiet = false, mayFail = false, only = "", input = "" } = {}) {
  // One stream, so that progress comes before the answer, as in a terminal.
  const merged = quiet ? [command, args] : ["sh", ["-c", 'exec "$0" "$@" 2>&1', command, ...args]];
  const child = spawnSync(...merged, { cwd: repository, env, input, encoding: "utf8" });
  const shown = child.stdout.split("\n").filter((line) => new RegExp(only).test(line));
  if (!quiet) process.stdout.write(`${shown.join("\n").trimEnd()}\n`);
  if (child.status !== 0 && !mayFail)
    throw new Error(`${command} ${args.join(" ")} exited with ${child.status}: ${child.stdout}${child.stderr}`);
  return child.stdout;
}

const git = (...args) => run("git", args, { quiet: true });

/** Shows the command as you would type it, then its output. */
function pw(args, options = {}) {
  const typed = args.map((a) => (/[\s"$]/.test(a) ? `'${a}'` : a)).join(" ");
  const filter = options.only === undefined ? "" : ` 2>&1 | grep -E '${options.only}'`;
  console.log(paint(36, `$ planwright ${typed}${filter}`));
  return run(process.execPath, [BIN, ...args], options);
}

const data = (args) => JSON.parse(run(process.execPath, [BIN, ...args, "--json"], { quiet: true })).data;

/** Any command can be a worker: it runs in the worktree and finds the task in its environment. */
const SETTINGS = {
  agents: { demo: { shell: `sh ${WORKER}` } },
  roles: { worker: { agent: "demo" } },
  // Two workers add a line to one file that neither task names, to show how a conflict is decided.
  execution: { footprint: "note", readable: [WORKER] },
};

function begin() {
  mkdirSync(join(repository, "docs"), { recursive: true });
  copyFileSync(SPEC, join(repository, "docs/spec.md"));
  writeFileSync(join(repository, "planwright.json"), `${JSON.stringify(SETTINGS, null, 2)}\n`);
  git("init", "--quiet", "--initial-branch", "main");
  git("add", ".");
  git("commit", "--quiet", "--message", "begin");
}

/** Shows any other command as you would type it. */
function sh(line) {
  console.log(paint(36, `$ ${line}`));
  return run("sh", ["-c", line]);
}

function plan() {
  say("1. Start with a spec: six requirements, each with a check, and one open question.");
  sh("grep -h REQ- docs/spec.md");

  say("2. Plan it. The outline planner reads the structure of the spec, without a model. It has one question for you.");
  pw(["init", "--mission", "A greeter for everybody"]);
  pw(["config", "trust", "--yes"]);
  pw(["plan", "docs/spec.md", "--agent", "outline"], { mayFail: true });
  pw(["question", "answer", "ESC-001", "english"]);
  pw(["plan", "resume"]);

  say(
    "3. Approve it. Nothing runs that you did not approve. On a machine without a sandbox you also allow that, once.",
  );
  pw(["run", "--unsandboxed"], { mayFail: true });
  pw(["waiting"]);
  pw(["approve", "RUN-001", "--yes"]);
  pw(["run", "--dry-run"]);
  pw(["why", "TASK-00006"]);

  say("4. Freeze a story, then undo that. Every operation can be undone as a whole.");
  pw(["freeze", "STORY-0001", "--reason", "waiting for the translators"]);
  pw(["undo"]);
}

function work() {
  say("5. Let four workers do it at once, each in its own worktree, behind checks.");
  console.log(
    "TASK-00005 fails its check at first. Its worker gets the output and fixes it. TASK-00002 and TASK-00003 both change",
  );
  console.log(
    "a file that the plan does not mention: the first one is merged, and the other is done again on top of it.",
  );
  pw(["run", "--parallel", "4"], { only: "working|accepted|failed" });
  pw(["conflicts"]);
  pw(["status"]);

  say(
    "6. Land it. It waits for you, so status named it first. All checks run again on the merged result before main moves.",
  );
  pw(["land", "FEAT-001", "--yes"]);
  sh("git log --graph --oneline main");
  sh("sh greet.sh fr; cat languages.txt");

  say("7. See that nothing waits for you any more and what happened, and verify that the log and the plan agree.");
  pw(["waiting"]);
  pw(["log", "--limit", "5"]);
  pw(["verify"]);
}

/** Returns when the board has ended: at Ctrl-C, or when this process is asked to end. */
async function openBoard() {
  say(
    "8. Add work that needs you, for the board: a feature to land, a failed check, a manual step, a plan to approve.",
  );
  const quietly = (args, options = {}) => run(process.execPath, [BIN, ...args], { quiet: true, ...options });
  const write = (path, text) => writeFileSync(join(repository, path), text);
  addLivelyWork({ repository, write, pw: quietly, git });
  pw(["waiting"]);
  say("9. Decide about it in your browser: type the code there. Ctrl-C ends the board and removes the demo's folder.");
  const args = ["board", ...(flags["no-open"] ? ["--no-open"] : []), ...(flags.port ? ["--port", flags.port] : [])];
  console.log(paint(36, `$ planwright ${args.join(" ")}`));
  const board = spawn(process.execPath, [BIN, ...args], { cwd: repository, env, stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => board.kill(signal));
  await once(board, "exit");
}

function tour() {
  const started = Date.now();
  begin();
  plan();
  work();
  const { operations } = data(["verify"]);
  say(`That was ${operations} operations in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
  console.log("Where to go next:");
  console.log("  README.md                          how to start in your own project");
  console.log("  docs/planning.md                   from an idea to an approved plan, with and without a model");
  console.log("  docs/running.md                    workers, worktrees and checks");
  console.log("  node dist/planwright.cjs help      the commands of a normal day, with examples");
  if (!flags.board) console.log("  npm run demo -- --board            the same with a board in your browser");
}

try {
  tour();
  if (flags.board) await openBoard();
} finally {
  rmSync(root, { recursive: true, force: true });
}
