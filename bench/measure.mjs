// Times whole processes. Each round runs the floor (`node -e 0`) and every command once, so that whatever
// else the machine does falls on all of them alike; medians over the rounds, and ratios of medians.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, ENVIRONMENT, scratch } from "./product.mjs";

const FLOOR = { name: "node -e 0", file: process.execPath, args: ["-e", "0"] };

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const round = (number, digits = 2) => Number(number.toFixed(digits));

/** `args` may be a function: it is asked just before the clock starts. */
const wordsOf = ({ args }) => (typeof args === "function" ? args() : args);

function run({ file, cwd, env, allowed = [0], ...command }) {
  const given = wordsOf(command);
  const started = performance.now();
  const child = spawnSync(file, given, {
    encoding: "utf8",
    cwd,
    env: { ...ENVIRONMENT, ...env },
    maxBuffer: 1 << 30,
  });
  const ms = performance.now() - started;
  if (child.error) throw child.error;
  if (!allowed.includes(child.status)) {
    throw new Error(
      `${file} ${given.join(" ").slice(0, 200)} exited with ${child.status}: ${child.stdout}${child.stderr}`,
    );
  }
  return { ms, stdout: child.stdout };
}

/**
 * Each command is `{ name, file, args, cwd?, env?, after? }`; `after` gets the output once the clock has stopped.
 * The answer has one entry per command: `{ name, ms, ratio, min, max }`; `ratio` is to the floor.
 */
export function compare(commands, { rounds = 15, warmUps = 2, env = {} } = {}) {
  const all = [FLOOR, ...commands].map((command) => ({ ...command, env: { ...command.env, ...env }, times: [] }));
  for (let i = -warmUps; i < rounds; i++) {
    for (const command of all) {
      const { ms, stdout } = run(command);
      command.after?.(stdout);
      if (i >= 0) command.times.push(ms);
    }
  }
  const [floor, ...timed] = all.map(({ name, times }) => ({
    name,
    ms: round(median(times)),
    min: round(Math.min(...times)),
    max: round(Math.max(...times)),
  }));
  return {
    floor,
    commands: timed.map((entry) => ({
      ...entry,
      ratio: round(entry.ms / floor.ms, 3),
      beyondMs: round(entry.ms - floor.ms),
    })),
  };
}

/** Seconds of processor time of a command and of everything that it started and waited for, as the shell counts them. */
export function cpuSeconds(root, args, { allowed = [0] } = {}) {
  const problems = join(scratch, "problems.txt");
  const script = '"$@" > /dev/null 2> "$PROBLEMS"; code=$?; times; exit $code';
  const child = spawnSync("sh", ["-c", script, "sh", process.execPath, BIN, ...args], {
    cwd: root,
    env: { ...ENVIRONMENT, PROBLEMS: problems },
    encoding: "utf8",
  });
  if (!allowed.includes(child.status))
    throw new Error(`planwright ${args.join(" ")}: ${readFileSync(problems, "utf8")}`);
  const times = child.stdout
    .trim()
    .split("\n")
    .at(-1)
    .match(/[\d.]+m[\d.]+s/g);
  return round(
    times.reduce((sum, time) => sum + Number(time.split("m")[0]) * 60 + Number.parseFloat(time.split("m")[1]), 0),
  );
}

const GNU_TIME = "/usr/bin/time";
/** Where there is no GNU time, a Node process reports its own peak at its end. */
const REPORTER =
  "process.on('exit',()=>require('fs').writeFileSync(process.env.PEAK_FILE,String(process.resourceUsage().maxRSS)))";

/** The peak of resident memory of one run, in MB. */
export function peakOf(command) {
  const report = join(scratch, "peak");
  rmSync(report, { force: true });
  let ran;
  if (existsSync(GNU_TIME)) {
    ran = run({
      ...command,
      file: GNU_TIME,
      args: () => ["--quiet", "-f", "%M", "-o", report, command.file, ...wordsOf(command)],
    });
  } else {
    const preload = join(scratch, "report-peak.cjs");
    writeFileSync(preload, REPORTER);
    ran = run({ ...command, env: { ...command.env, NODE_OPTIONS: `--require ${preload}`, PEAK_FILE: report } });
  }
  command.after?.(ran.stdout);
  return Number(readFileSync(report, "utf8")) / 1024;
}

/** The median peak of resident memory in MB, of the floor first and then of each command. */
export function peakMemory(commands, { rounds = 5 } = {}) {
  const all = [FLOOR, ...commands].map((command) => ({ command, peaks: [] }));
  for (let i = 0; i < rounds; i++) for (const { command, peaks } of all) peaks.push(peakOf(command));
  const [floor, ...rest] = all.map(({ command, peaks }) => ({ name: command.name, mb: round(median(peaks), 1) }));
  return { floor, commands: rest.map((entry) => ({ ...entry, extraMb: round(entry.mb - floor.mb, 1) })) };
}

/** What `node -e 0` takes just now. */
export const floorMs = () => compare([], { rounds: 9 }).floor.ms;
