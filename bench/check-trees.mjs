// What it costs that checks run in a clean worktree of the commit: time and processor time of an attempt, with all that it starts, in
// a repository with many files, and with many carried packages.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePlan, makeRepository } from "./attempts.mjs";
import { round } from "./measure.mjs";
import { BIN, ENVIRONMENT } from "./product.mjs";

const taskIn = (n) => ({
  id: `T-${n}`,
  title: `T-${n}`,
  parent: "FEAT-1",
  files: [`out/${n}.txt`],
  body: ["```sh run", `mkdir -p out && echo ${n} > out/${n}.txt`, "```"].join("\n"),
  checks: [{ run: `test -f out/${n}.txt` }],
});

/** So many files in folders of a hundred, a kilobyte each. */
function writeFiles(folder, count) {
  const text = "x".repeat(1000);
  for (let i = 0; i < count; i++) {
    const at = join(folder, `d${Math.floor(i / 100)}`);
    if (i % 100 === 0) mkdirSync(at, { recursive: true });
    writeFileSync(join(at, `f${i}.txt`), text);
  }
}

/** Of a command and of everything that it waited for: `times` says `0m1.2s 0m0.3s` for the shell, then for its children. */
function costOf(root, words) {
  const started = performance.now();
  const child = spawnSync("/bin/sh", ["-c", '"$@"; code=$?; times >&2; exit $code', "sh", ...words], {
    cwd: root,
    env: ENVIRONMENT,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (child.status !== 0) throw new Error(`${words.join(" ")}: ${child.stdout}${child.stderr}`);
  const [user, system] = child.stderr.trim().split("\n").at(-1).split(" ").map(secondsOf);
  return { ms: performance.now() - started, cpuMs: 1000 * (user + system), said: child.stdout };
}

function secondsOf(text) {
  const [, minutes, seconds] = /(\d+)m([\d.]+)s/.exec(text);
  return 60 * Number(minutes) + Number(seconds);
}

function measureOne({ files, packages, sandbox, tasks }) {
  const root = makeRepository({ proof: "note", sandbox });
  try {
    const git = (...args) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...args], { cwd: root, env: ENVIRONMENT });
    writeFiles(join(root, "src"), files);
    writeFileSync(join(root, ".gitignore"), "node_modules/\n.planwright/\n");
    git("add", ".");
    git("commit", "--quiet", "--message", "files");
    writeFiles(join(root, "node_modules"), packages);
    makePlan(root, tasks, taskIn);
    // One after the other: a merge would run checks again for reasons of its own.
    const { ms, cpuMs, said } = costOf(root, [process.execPath, BIN, "run", "--batch", "--json"]);
    const accepted = said.split('"state":"accepted"').length - 1;
    if (accepted !== tasks) throw new Error(`${accepted} of ${tasks} tasks were accepted: ${said.slice(-2000)}`);
    return { msPerAttempt: round(ms / tasks, 0), cpuMsPerAttempt: round(cpuMs / tasks, 0) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export async function measureCheckTrees({ tasks }) {
  const rows = [];
  for (const sandbox of ["off", "auto"]) {
    for (const [files, packages] of [
      [10, 0],
      [5000, 0],
      [10, 5000],
    ]) {
      rows.push({ sandbox, files, packages, ...measureOne({ files, packages, sandbox, tasks }) });
    }
  }
  return { tasks, rows };
}
