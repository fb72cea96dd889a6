// Commands that look at or change much of a large plan: their processor time, and how long others wait for them.

import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { featureId, makePlan } from "./generate.mjs";
import { cpuSeconds, round } from "./measure.mjs";
import { BIN, ENVIRONMENT, planwright, scratch } from "./product.mjs";

const seconds = (since) => round((performance.now() - since) / 1000);

async function onPlan(count, options, job) {
  const plan = await makePlan(scratch, count, options);
  try {
    return await job(plan.root);
  } finally {
    rmSync(plan.root, { recursive: true, force: true });
  }
}

const measureThaw = (nodes) =>
  onPlan(nodes, { approve: false }, (root) => {
    const freezeCpuSeconds = cpuSeconds(root, ["freeze", "MISSION", "--reason", "measured"]);
    return { nodes, freezeCpuSeconds, thawCpuSeconds: cpuSeconds(root, ["thaw", "MISSION"]) };
  });

/** Every task becomes ready at once, and each is one row that the subscriber has not heard of. */
const measureNews = (rows) =>
  onPlan(rows, { approve: false, dependencies: false }, (root) => {
    planwright(root, ["subscribe"]);
    planwright(root, ["approve", "MISSION", "--yes"]);
    return { rows, peekCpuSeconds: cpuSeconds(root, ["inbox", "--peek"]), cpuSeconds: cpuSeconds(root, ["inbox"]) };
  });

const measureLint = (tasks) =>
  onPlan(tasks, { approve: false, checks: [{ run: "npm test" }] }, (root) => ({
    tasks,
    cpuSeconds: cpuSeconds(root, ["lint"], { allowed: [0, 1] }),
  }));

/** Another process adds one task after the other for as long as everything is being approved. */
const measureApprove = (tasks) =>
  onPlan(tasks, { approve: false }, async (root) => {
    const started = performance.now();
    const state = { isApproving: true, seconds: 0 };
    const approved = start(root, ["approve", "MISSION", "--yes"]).ended.then(() => {
      state.isApproving = false;
      state.seconds = seconds(started);
    });
    const waits = [];
    while (state.isApproving) {
      const since = performance.now();
      // 3: it gave up waiting.
      await start(root, ["add", "While all is approved", "--parent", featureId(1)], { ok: [0, 3] }).ended;
      waits.push(seconds(since));
    }
    await approved;
    return { tasks, approveSeconds: state.seconds, longestWriteSeconds: Math.max(...waits), writes: waits.length };
  });

function start(root, args, { file = process.execPath, words = [BIN, ...args], env = {}, ok = [0] } = {}) {
  const child = spawn(file, words, { cwd: root, env: { ...ENVIRONMENT, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said = (said + chunk).slice(-2000)));
  const ended = new Promise((done, fail) => {
    child.on("close", (code) => (ok.includes(code) ? done() : fail(new Error(`${args.join(" ")}: ${code} ${said}`))));
  });
  return { child, ended };
}

/** Reports the processor time of this process once a second, so that starting can be told from watching. */
function reportCpu() {
  const { writeFileSync: write } = require("node:fs");
  const report = () => {
    const { user, system } = process.cpuUsage();
    write(process.env.CPU_FILE, JSON.stringify({ cpu: (user + system) / 1000, at: Date.now() }));
  };
  setInterval(report, 250).unref();
}

const WATCHED_SECONDS = 20;
const WRITES_PER_SECOND = 2;

const pause = (ms) => new Promise((wake) => setTimeout(wake, ms));

/** The share of one processor that `status --watch` takes on a terminal while others write. */
const measureWatch = (tasks) =>
  onPlan(tasks, { approve: false }, async (root) => {
    const preload = join(scratch, "watch-cpu.cjs");
    const report = join(scratch, "watch-cpu.json");
    writeFileSync(preload, `(${String(reportCpu)})()`);
    const env = { NODE_OPTIONS: `--require ${preload}`, CPU_FILE: report, TERM: "xterm", COLUMNS: "100", LINES: "40" };
    const command = `exec '${process.execPath}' '${BIN}' status --watch`;
    const watch = start(root, ["status", "--watch"], {
      file: "script",
      words: ["--quiet", "--return", "--command", command, "/dev/null"],
      env,
      ok: [0, 130, null],
    });
    const read = () => JSON.parse(readFileSync(report, "utf8"));
    await pause(5000);
    const before = read();
    for (let i = 0; i < WATCHED_SECONDS * WRITES_PER_SECOND; i++) {
      const due = performance.now() + 1000 / WRITES_PER_SECOND;
      await start(root, ["add", "While somebody watches", "--parent", featureId(1)]).ended;
      await pause(Math.max(0, due - performance.now()));
    }
    const after = read();
    watch.child.kill("SIGTERM");
    await watch.ended;
    return { tasks, cpuPercent: round((100 * (after.cpu - before.cpu)) / (after.at - before.at), 1) };
  });

export async function measureLargePlans({ scale = 1 } = {}) {
  return {
    thaw: await measureThaw(30_000 * scale),
    news: await measureNews(10_000 * scale),
    lint: await measureLint(200_000 * scale),
    approve: await measureApprove(100_000 * scale),
    watch: await measureWatch(100_000 * scale),
  };
}
