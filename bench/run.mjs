// Runs the benchmarks, prints one table, and writes bench/results.json. README.md beside this says how to read it.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAttempts } from "./attempts.mjs";
import { measureBoard } from "./board.mjs";
import { measureSoak } from "./board-soak.mjs";
import { measureBulkAdd } from "./bulk-add.mjs";
import { measureCheckTrees } from "./check-trees.mjs";
import { measureClaims } from "./claims.mjs";
import { measureDoors } from "./doors.mjs";
import { measureFirstMinute } from "./first-minute.mjs";
import { makePlan } from "./generate.mjs";
import { measureHotCommands } from "./hot-commands.mjs";
import { measureInGit } from "./in-git.mjs";
import { measureLargePlans } from "./large-plans.mjs";
import { floorMs, round } from "./measure.mjs";
import { measurePeers } from "./peers.mjs";
import { measurePlanning } from "./planning.mjs";
import { scratch } from "./product.mjs";
import { measureProof } from "./proof.mjs";
import { measureSharedFile } from "./shared-file.mjs";
import { measureSignatures } from "./signatures.mjs";
import { measureStatus } from "./status-one-feature.mjs";
import { judge } from "./targets.mjs";
import { measureWholePlan } from "./whole-plan.mjs";

// With the first, `node -e 0` takes 67 ms instead of 25, and every ratio looks good.
for (const name of ["NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"]) delete process.env[name];

const PARTS = [
  "hot-commands",
  "status-one-feature",
  "whole-plan",
  "bulk-add",
  "claims",
  "in-git",
  "signatures",
  "planning",
  "attempts",
  "proof",
  "check-trees",
  "shared-file",
  "large-plans",
  "doors",
  "board",
  "board-soak",
  "first-minute",
  "peers",
];

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    "skip-peer": { type: "string", multiple: true, default: [] },
    output: { type: "string" },
    "soak-minutes": { type: "string" },
    "must-meet": { type: "boolean", default: false },
  },
});
const unknown = flags.only.find((part) => !PARTS.includes(part));
if (unknown) throw new Error(`There is no part "${unknown}"; the parts are ${PARTS.join(", ")}.`);

const wants = (part) => (flags.only.length === 0 ? !(flags.quick && part === "peers") : flags.only.includes(part));
const report = (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);

const SIZES = flags.quick ? [1000, 10_000] : [1000, 10_000, 100_000, 1_000_000];

async function makePlans() {
  const plans = [];
  for (const size of SIZES) {
    report(`making a plan of ${size} tasks`);
    plans.push(await makePlan(scratch, size));
  }
  return plans;
}

/** The machine's own speed before and after the parts that are judged by the clock: it is part of what they say. */
const nodeStartMs = {};

/** Parts that ended with an error. The others are measured all the same. */
const failed = {};

async function tried(part, job) {
  try {
    await job();
  } catch (error) {
    failed[part] = String(error?.stack ?? error).slice(0, 2000);
    report(`${part} failed: ${failed[part]}`);
  }
}

/** On the same plans of growing size, which take the longest to make. */
async function measureOnPlans(results) {
  const plans = await makePlans();
  results.plans = plans.map(({ count, addMs, approveMs, approveMb }) => ({
    tasks: count,
    addSeconds: round(addMs / 1000),
    approveSeconds: round(approveMs / 1000),
    approveMb: round(approveMb, 0),
  }));
  report("hot-commands");
  if (wants("hot-commands")) results.hotCommands = measureHotCommands(plans, { rounds: flags.quick ? 5 : 21 });
  report("status-one-feature");
  if (wants("status-one-feature")) results.statusOneFeature = measureStatus(plans);
  if (wants("whole-plan")) {
    const most = flags.quick ? 10_000 : 100_000;
    await tried("whole-plan", async () => {
      results.wholePlan = measureWholePlan(plans, { rounds: flags.quick ? 3 : 7, most, report });
    });
  }
}

async function measure() {
  const results = {};
  const measured = async (part, key, job) => {
    if (!wants(part)) return;
    report(part);
    const before = floorMs();
    await tried(part, async () => (results[key] = await job()));
    nodeStartMs[part] = [before, floorMs()];
  };
  await measured("bulk-add", "bulkAdd", () => measureBulkAdd({ count: 100_000, rounds: flags.quick ? 1 : 3 }));
  await measured("claims", "claims", () => measureClaims({ count: flags.quick ? 2_000 : 20_000 }));
  await measured("in-git", "inGit", () =>
    measureInGit({
      tasks: flags.quick ? 1000 : 10_000,
      rounds: flags.quick ? 3 : 15,
      racers: flags.quick ? 100 : 600,
    }),
  );
  await measured("signatures", "signatures", () => measureSignatures());
  await measured("planning", "planning", () => measurePlanning({ rounds: flags.quick ? 3 : 5 }));
  await measured("attempts", "attempts", () =>
    measureAttempts(flags.quick ? { count: 60, rounds: 1 } : { count: 300, rounds: 3 }),
  );
  await measured("proof", "proof", () => measureProof({ count: flags.quick ? 8 : 24 }));
  await measured("check-trees", "checkTrees", () => measureCheckTrees({ tasks: flags.quick ? 4 : 10 }));
  await measured("shared-file", "sharedFile", () => measureSharedFile({ sizes: flags.quick ? [5, 20] : [10, 40] }));
  await measured("large-plans", "largePlans", () => measureLargePlans({ scale: flags.quick ? 0.1 : 1 }));
  await measured("doors", "doors", async () =>
    measureDoors(await makePlan(scratch, flags.quick ? 1000 : 10_000), { rounds: flags.quick ? 7 : 25 }),
  );
  const board = flags.quick
    ? { tasks: 2_000, operations: 10_000, large: 20_000 }
    : { tasks: 10_000, operations: 100_000, large: 100_000 };
  await measured("board", "board", () => measureBoard({ ...board, report }));
  const minutes = Number(flags["soak-minutes"] ?? (flags.quick ? 1 : 3));
  await measured("board-soak", "boardSoak", () => measureSoak({ minutes, report }));
  if (wants("first-minute")) {
    report("first-minute");
    await tried("first-minute", async () => {
      results.firstMinute = await measureFirstMinute({ peers: !flags.quick, report });
    });
  }
  if (wants("hot-commands") || wants("status-one-feature") || wants("whole-plan")) await measureOnPlans(results);
  if (wants("peers"))
    await tried("peers", async () => {
      results.peers = await measurePeers({ skip: flags["skip-peer"], report });
    });
  return results;
}

const commit = () => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  } catch {
    return null;
  }
};

const table = (rows) => {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  return rows.map((row) => row.map((cell, i) => String(cell).padEnd(widths[i])).join("  ")).join("\n");
};

const timeCell = ({ ms, ratio, beyondMs }) => `${ms} ms ${ratio}× +${beyondMs}`;

function printHot({ times: { floor, bySize } }) {
  const names = bySize[0].commands.map(({ name }) => name);
  const rows = bySize.map(({ tasks, commands }) => [tasks, ...commands.map(timeCell)]);
  console.log(`\nWhole processes; node -e 0 takes ${floor.ms} ms, + is what a command takes beyond it\n`);
  console.log(table([["tasks", ...names], ...rows]));
}

function printInGit({ floor, commands }) {
  console.log(`\nIn a git repository; node -e 0 takes ${floor.ms} ms, + is what a command takes beyond it\n`);
  console.log(table(commands.map((each) => [each.name, timeCell(each)])));
}

function printWholePlan({ before, judged, inGit, indexed }) {
  const rows = [before, judged, inGit, indexed].map(({ tasks, commands }, i) => [
    i === 2 ? `${tasks} in git` : tasks,
    ...judged.commands.map(({ name }) => {
      const found = commands.find((each) => each.name === name);
      return found ? `${found.ms} ms ${found.ratio}×` : "";
    }),
  ]);
  console.log("\nWhat looks at the whole plan\n");
  console.log(table([["tasks", ...judged.commands.map(({ name }) => name)], ...rows]));
}

function printPeers(peers) {
  const cell = (op) => (op?.ms === undefined ? (op?.problem ?? "–") : `${op.ms} ms ${op.timesSlower}×`);
  const rows = peers.flatMap(({ name, problem, sizes }) =>
    problem
      ? [[name, "–", problem, "", ""]]
      : sizes.map(({ tasks, next, done, create }) => [name, tasks, cell(next), cell(done), cell(create)]),
  );
  console.log("\nOther trackers on the same job; × is how many times as long as planwright in the same rounds\n");
  console.log(table([["tracker", "tasks", "next ready", "mark done", "create one"], ...rows]));
}

function printFirstMinute(all) {
  const rows = all.map(({ name, problem, tools, calls, known, asked, answered }) =>
    problem ? [name, problem, "", "", "", ""] : [name, tools, known, calls, asked, answered],
  );
  console.log("\nAn agent's first minute: one task from ready to done; tokens are o200k\n");
  console.log(table([["how", "tools", "tokens it must know", "calls", "tokens asked", "tokens answered"], ...rows]));
}

const started = performance.now();
const loadBefore = round(loadavg()[0]);
const results = await measure();
const targets = judge(results);
const summary = {
  date: new Date().toISOString(),
  commit: commit(),
  machine: {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
  },
  node: process.version,
  /** Before and after, over the last minute: what else the machine was busy with. */
  load: [loadBefore, round(loadavg()[0])],
  /** `node -e 0` before and after each part that is judged by the clock. */
  nodeStartMs,
  quick: flags.quick,
  minutes: round((performance.now() - started) / 60_000, 1),
  howPlansAreMade:
    "Features of 100 tasks below one mission; each task depends on 1-3 of the 100 before it in its feature. Added with `add --from` in chunks of 100,000 lines, approved with one `approve MISSION`.",
  ...(Object.keys(failed).length > 0 && { failed }),
  targets,
  ...results,
};

if (results.hotCommands) printHot(results.hotCommands);
if (results.inGit) printInGit(results.inGit);
if (results.wholePlan) printWholePlan(results.wholePlan);
if (results.firstMinute) printFirstMinute(results.firstMinute);
if (results.peers) printPeers(results.peers);
console.log("\nTargets\n");
console.log(
  table([
    ["", "what", "target", "measured"],
    ...targets.map(({ met, name, target, measured }) => [met ? "met" : "MISSED", name, target, measured]),
  ]),
);
console.log();
for (const [part, [before, after]] of Object.entries(nodeStartMs))
  console.log(`${part}: node -e 0 took ${before} ms before, ${after} ms after`);
const output =
  flags.output ?? (flags.quick || flags.only.length > 0 ? undefined : join(import.meta.dirname, "results.json"));
if (output) writeFileSync(output, `${JSON.stringify(summary, null, 2)}\n`);
console.log(
  `\n${targets.filter(({ met }) => met).length} of ${targets.length} targets met${output ? `; ${output}` : ""}.`,
);
for (const [part, problem] of Object.entries(failed)) console.log(`\n${part} was not measured: ${problem}`);
if (Object.keys(failed).length > 0 || (flags["must-meet"] && targets.some(({ met }) => !met))) process.exitCode = 1;
