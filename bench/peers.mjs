// The same job with other trackers: what is ready, mark one done, create one; each peer's command in the same
// rounds as ours. They are installed outside of the repository, once, and kept there for the next run.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { dependencies, finish, makePlan } from "./generate.mjs";
import { compare, round } from "./measure.mjs";
import { PEERS } from "./peer-list.mjs";
import { BIN, planwright, scratch } from "./product.mjs";

const CACHE = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "planwright-bench", "peers");
const DONE_SHARE = 0.4;

/** The folder that it is installed in, or what went wrong. */
export function install({ name, packages }) {
  const folder = join(CACHE, name);
  const marker = join(folder, `installed-${packages.join("-").replaceAll("/", "-")}`);
  if (existsSync(marker)) return { folder };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}\n');
  const child = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
    cwd: folder,
    encoding: "utf8",
    timeout: 15 * 60_000,
  });
  if (child.status !== 0) return { problem: `it did not install: ${child.stderr.trim().split("\n")[0]}` };
  writeFileSync(marker, "");
  return { folder };
}

function peerTasks(count) {
  const tasks = [];
  for (const [n, on] of dependencies(count, { across: true })) tasks.push({ n, on, done: n <= count * DONE_SHARE });
  return tasks;
}

/** Ours, on a plan of its own: what is ready, a person's word that a task is done, one more task. */
async function ourCommands(count) {
  const { root } = await makePlan(scratch, count);
  await finish(root, count * DONE_SHARE);
  const command = (args) => ({ name: "planwright", file: process.execPath, cwd: root, args });
  return {
    root,
    next: command([BIN, "next", "--peek"]),
    done: command(() => {
      const { task, token } = JSON.parse(planwright(root, ["next", "--json"])).data;
      planwright(root, ["complete", task.id, "--token", token]);
      return [BIN, "accept", task.id, "--reason", "measured"];
    }),
    create: command([BIN, "add", "One more task", "--parent", "FEAT-001"]),
  };
}

function theirCommand(peer, folder, root, op, firstOpen) {
  let used = 0;
  const words = () => peer[op](folder, op === "done" ? firstOpen + used++ : used++);
  const [file] = peer[op](folder, 0);
  return { name: peer.name, file, cwd: root, env: { ...peer.env, HOME: scratch }, args: () => words().slice(1) };
}

function measurePeer(peer, folder, count, ours, { rounds }) {
  const root = mkdtempSync(join(scratch, "peer-"));
  spawnSync("git", ["init", "-q"], { cwd: root });
  peer.make(root, peerTasks(count));
  const result = {};
  for (const op of ["next", "done", "create"]) {
    if (!peer[op]) {
      result[op] = null;
      continue;
    }
    try {
      const commands = [ours[op], theirCommand(peer, folder, root, op, Math.floor(count * DONE_SHARE) + 1)];
      const { commands: timed } = compare(commands, { rounds: peer.slow ? 3 : rounds, warmUps: 1 });
      const [mine, theirs] = timed;
      result[op] = { ms: theirs.ms, planwrightMs: mine.ms, timesSlower: round(theirs.ms / mine.ms, 2) };
    } catch (error) {
      result[op] = { problem: error.message.split("\n")[0].slice(0, 200) };
    }
  }
  rmSync(root, { recursive: true, force: true });
  return { tasks: count, ...result };
}

export async function measurePeers({ sizes = [1000, 10_000], rounds = 5, skip = [], report = () => {} } = {}) {
  const wanted = PEERS.filter(({ name }) => !skip.includes(name));
  const results = wanted.map((peer) => {
    report(`installing ${peer.name}`);
    return { peer, ...install(peer), sizes: [] };
  });
  for (const count of sizes) {
    for (const { peer, folder, sizes: measured } of results) {
      if (!folder) continue;
      report(`${peer.name} at ${count} tasks`);
      const ours = await ourCommands(count);
      measured.push(measurePeer(peer, folder, count, ours, { rounds }));
      rmSync(ours.root, { recursive: true, force: true });
    }
  }
  return results.map(({ peer, problem, sizes: measured }) => ({
    name: peer.name,
    packages: peer.packages,
    tenfold: peer.tenfold ?? false,
    ...(problem ? { problem } : {}),
    sizes: measured,
  }));
}
