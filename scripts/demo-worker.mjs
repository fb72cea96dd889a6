// A worker without a model: it claims a task, runs the command in its body, commits, and hands it in.

import { spawnSync } from "node:child_process";

const [bin, actor] = process.argv.slice(2);

function planwright(...args) {
  const child = spawnSync(process.execPath, [bin, ...args, "--as", actor, "--json"], { encoding: "utf8" });
  return JSON.parse(child.stdout);
}

const sh = (command) => spawnSync("sh", ["-c", command], { encoding: "utf8" });

/** What other workers have finished is on main or in their branches: take it in before building on it. */
function catchUp() {
  for (const branch of sh("git branch --list 'worker/*' --format '%(refname:short)'")
    .stdout.split("\n")
    .filter(Boolean)) {
    sh(`git merge --quiet --no-edit ${branch}`);
  }
}

for (;;) {
  const next = planwright("next");
  if (!next.ok) {
    if (next.error.reason !== "nothing-ready") throw new Error(next.error.message);
    // Others may still be working on what the rest waits for.
    const { data } = planwright("stats");
    if (data.statuses.in_progress === 0) break;
    continue;
  }
  const { task, token } = next.data;
  catchUp();
  sh(task.body);
  sh(`git add --all && git commit --quiet --message "${task.id}"`);
  const { data } = planwright("complete", task.id, "--token", token);
  console.log(`  ${actor.padEnd(10)} ${task.id.padEnd(10)} ${data.acceptance}`);
}
