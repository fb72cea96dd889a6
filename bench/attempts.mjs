// What an attempt costs besides its commands: processor time of the engine for each task, and how many tasks `run` gets
// through with four workers against a bare loop that starts the same git commands, the same task and the same check.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURES, taskOf } from "./attempts-task.mjs";
import { median, round } from "./measure.mjs";
import { BIN, ENVIRONMENT, planwright, scratch } from "./product.mjs";

const WORKERS = 4;
/** So that what it takes to start and to end is not counted as a task's. */
const FEW = 20;

const IDENTITY = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a" };
const ENV = { ...ENVIRONMENT, ...IDENTITY };

/** Without proofs: the part `proof` says what these cost. */
export function makeRepository(execution = { proof: "off" }) {
  const root = mkdtempSync(join(scratch, "attempts-"));
  const git = (...args) => execFileSync("git", args, { cwd: root, env: ENV });
  git("init", "--quiet", "--initial-branch", "main");
  writeFileSync(join(root, "planwright.json"), JSON.stringify({ execution: { sandbox: "off", ...execution } }));
  git("add", ".");
  git("commit", "--quiet", "--message", "begin");
  return root;
}

const trivialTask = (n) => {
  const { id, feature, run, check } = taskOf(n);
  const body = ["```sh run", run, "```"].join("\n");
  return { id, title: id, parent: feature, files: [`out/${n}.txt`], body, checks: [{ run: check }] };
};

/** `task`: the nth one. */
export function makePlan(root, count, task = trivialTask) {
  planwright(root, ["init", "--mission", "Many small tasks"]);
  planwright(root, ["config", "trust", "--yes"]);
  const features = Array.from({ length: FEATURES }, (_, i) => ({
    id: `FEAT-${i + 1}`,
    tier: "feature",
    title: `Feature ${i + 1}`,
    parent: "MISSION",
  }));
  const tasks = Array.from({ length: count }, (_, i) => task(i + 1));
  const file = join(root, "plan.jsonl");
  writeFileSync(file, [...features, ...tasks].map((line) => JSON.stringify(line)).join("\n"));
  planwright(root, ["add", "--from", file]);
  planwright(root, ["approve", "MISSION", "--yes"]);
  rmSync(file);
}

/** Preloaded into a process: writes the processor time that the process used itself to a file. */
function tellCpu() {
  process.on("exit", () => {
    const { user, system } = process.cpuUsage();
    require("node:fs").writeFileSync(process.env.CPU_FILE, String((user + system) / 1000));
  });
}

export async function timed(root, args) {
  const preload = join(scratch, "report-cpu.cjs");
  const report = join(scratch, "cpu");
  writeFileSync(preload, `(${String(tellCpu)})()`);
  const started = performance.now();
  const child = spawn(process.execPath, ["--require", preload, ...args], {
    cwd: root,
    env: { ...ENV, CPU_FILE: report },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const code = await new Promise((done) => child.on("close", done));
  if (code !== 0) throw new Error(`${args.join(" ")} exited with ${code}: ${said.slice(-2000)}`);
  return { ms: performance.now() - started, cpuMs: Number(readFileSync(report, "utf8")), said };
}

async function inFreshRepository(count, work, proof) {
  const root = makeRepository({ proof });
  try {
    return await work(root, count, proof);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const withEngine = async (root, count) => {
  makePlan(root, count);
  const run = await timed(root, [BIN, "run", "--parallel", String(WORKERS), "--json"]);
  const accepted = run.said.split('"state":"accepted"').length - 1;
  if (accepted !== count) throw new Error(`${accepted} of ${count} tasks were accepted: ${run.said.slice(-2000)}`);
  return run;
};

const BARE = join(import.meta.dirname, "attempts-bare.mjs");
const withBareLoop = (root, count, proof) => timed(root, [BARE, String(count), String(WORKERS), proof]);

/** What each further task adds. */
async function perTask(work, count, proof) {
  const few = await inFreshRepository(FEW, work, proof);
  const many = await inFreshRepository(count, work, proof);
  return {
    cpuMs: round((many.cpuMs - few.cpuMs) / (count - FEW), 1),
    perSecond: round((1000 * (count - FEW)) / (many.ms - few.ms), 1),
  };
}

/** In turn, so that whatever else the machine does falls on both alike. */
async function measureWith(proof, { count, rounds }) {
  const measured = [];
  for (let i = 0; i < rounds; i++) {
    const bare = await perTask(withBareLoop, count, proof);
    measured.push({ bare, engine: await perTask(withEngine, count, proof) });
  }
  const middle = (of) => round(median(measured.map(of)));
  return {
    rounds: measured,
    /** Starting the commands is theirs; what remains is the engine's. */
    beyondCommandsCpuMs: middle(({ bare, engine }) => engine.cpuMs - bare.cpuMs),
    throughput: middle(({ bare, engine }) => engine.perSecond / bare.perSecond),
  };
}

export async function measureAttempts({ count = 1000, rounds = 3 } = {}) {
  return {
    tasks: count,
    workers: WORKERS,
    withoutProof: await measureWith("off", { count, rounds }),
    withDefaults: await measureWith("note", { count: Math.ceil(count / 2), rounds }),
  };
}
