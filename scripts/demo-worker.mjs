// A worker without a model: it claims a task, does what it knows about the task's file, commits, and hands it in.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout } from "node:timers/promises";

const [bin, actor] = process.argv.slice(2);

function planwright(...args) {
  const child = spawnSync(process.execPath, [bin, ...args, "--as", actor, "--json"], { encoding: "utf8" });
  return JSON.parse(child.stdout);
}

const sh = (command) => spawnSync("sh", ["-c", command], { encoding: "utf8" });

/** All that it can do, by the file that a task is about. It takes the words of a task literally, as workers do. */
const SKILLS = {
  "words/en.txt": () => "Hello\n",
  "words/de.txt": () => "Guten Tag\n",
  "words/fr.txt": () => "Bonjour\n",
  "words/ja.txt": () => "こんにちは\n",
  "greet.sh": ({ body }) =>
    body.includes("$1") ? 'cat "words/$1.txt" 2> /dev/null || cat words/en.txt\n' : "cat words/en.txt\n",
  "test.sh": () => 'for l in en de fr ja; do test "$(sh greet.sh $l)" = "$(cat words/$l.txt)" || exit 1; done\n',
};

/** What other workers have finished is on main or in their branches: take it in before building on it. */
function catchUp() {
  for (const branch of sh("git branch --list 'worker/*' --format '%(refname:short)'")
    .stdout.split("\n")
    .filter(Boolean)) {
    sh(`git merge --quiet --no-edit ${branch}`);
  }
}

function work(task) {
  for (const file of task.files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, SKILLS[file](task));
  }
  sh(`git add --all && git commit --quiet --message "${task.id}"`);
}

for (;;) {
  const next = planwright("next");
  if (!next.ok) {
    if (next.error.reason !== "nothing-ready") throw new Error(next.error.message);
    // Others may still be working on what the rest waits for.
    const { data } = planwright("stats");
    if (data.statuses.in_progress === 0) break;
    await setTimeout(100);
    continue;
  }
  const { task, token } = next.data;
  catchUp();
  work(task);
  const { data } = planwright("complete", task.id, "--token", token);
  console.log(`  ${actor.padEnd(10)} ${task.id.padEnd(11)} ${data.acceptance.padEnd(9)} ${task.title}`);
}
