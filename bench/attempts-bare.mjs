// The bare loop: for each task the git commands that an attempt needs, the task's command and its check in a clean worktree of the
// commit, so many at a time, and nothing else: no plan, no claim, no log, no limits, no clean-up after a crash. With `note` the check
// runs on what was there before, too.

import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { taskOf } from "./attempts-task.mjs";

const [count, workers] = process.argv.slice(2, 4).map(Number);
const proof = process.argv[4];
const root = process.cwd();

function start(command, args, cwd, input) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, {
      cwd,
      detached: true,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.stdin?.end(input);
    child.on("error", failed);
    child.on("close", (code) => done({ code, stdout: stdout.trim(), stderr }));
  });
}

async function git(cwd, args, input) {
  const result = await start("git", args, cwd, input);
  if (result.code !== 0) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
  return result.stdout;
}

async function shell(cwd, command) {
  const { code, stderr } = await start("/bin/sh", ["-c", command], cwd);
  if (code !== 0) throw new Error(`${command}: ${stderr}`);
}

/** Git looks at all worktrees when it adds or removes one, and fails if another is just being added. */
async function worktree(...words) {
  const args = ["worktree", ...words];
  for (let left = 10; ; left--) {
    const { code, stderr } = await start("git", args, root);
    if (code === 0) return;
    if (left === 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  }
}

/** Whether the check passes on exactly this commit, and leaves it as it was. */
async function checkOn(tree, commit, command) {
  const clean = `${tree}-checks`;
  await worktree("add", "--quiet", "-f", "--detach", clean, commit);
  const { code } = await start("/bin/sh", ["-c", command], clean);
  await git(clean, ["status", "--porcelain"]);
  await worktree("remove", "--force", clean);
  return code === 0;
}

async function mustPass(tree, commit, command) {
  if (!(await checkOn(tree, commit, command))) throw new Error(`${command} failed on ${commit}`);
}

const tips = new Map();
const main = await git(root, ["rev-parse", "main"]);
const branchOf = (feature) => `refs/heads/feature/${feature}`;

async function tipOf(feature) {
  if (!tips.has(feature)) {
    tips.set(feature, main);
    await git(root, ["update-ref", "--stdin"], `create ${branchOf(feature)} ${main}\n`);
  }
  return tips.get(feature);
}

const layOut = async (tree, commit, where) => {
  await git(tree, ["clean", "-ffdxq"]);
  await git(tree, ["checkout", "--quiet", "--force", ...where, commit, "--"]);
};

/** Moves the branch by compare-and-swap; if others were faster, merges, checks again, and tries again. */
async function integrate(tree, { id, feature, check }, base, commit) {
  let [onto, merged] = [base, commit];
  for (;;) {
    const moves = [`delete refs/heads/attempt/${id}`, `update ${branchOf(feature)} ${merged} ${onto}`, ""].join("\n");
    const { code } = await start("git", ["update-ref", "--stdin"], root, moves);
    if (code === 0) return tips.set(feature, merged);
    onto = await git(root, ["rev-parse", branchOf(feature)]);
    const result = await git(root, ["merge-tree", "--write-tree", onto, commit]);
    merged = await git(root, ["commit-tree", "-p", onto, "-m", id, result]);
    await mustPass(tree, merged, check);
  }
}

async function attempt(tree, task) {
  const base = await tipOf(task.feature);
  await layOut(tree, base, ["--no-track", "-b", `attempt/${task.id}`]);
  await shell(tree, task.run);
  await git(tree, ["add", "--all"]);
  await git(tree, ["diff-index", "--cached", "--raw", "-z", "--no-renames", base, "--"]);
  const written = await git(tree, ["write-tree"]);
  const commit = await git(tree, ["commit-tree", "-p", base, "-F", "-", written], `${task.id}\n`);
  await mustPass(tree, commit, task.check);
  if (proof === "note") await checkOn(tree, base, task.check);
  await integrate(tree, task, base, commit);
}

let next = 1;
async function work(tree) {
  while (next <= count) await attempt(tree, taskOf(next++));
}

mkdirSync(join(root, "trees"), { recursive: true });
const trees = Array.from({ length: workers }, (_, slot) => join(root, "trees", `slot-${slot + 1}`));
for (const tree of trees) await git(root, ["worktree", "add", "--quiet", "--detach", tree, main]);
await Promise.all(trees.map(work));
