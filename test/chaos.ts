// What chaos is made of: a plan that can show whether each task was done exactly once, a `git` that fails, is slow or is
// killed at random, daemons that die and come back, and a look at what is left behind.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BIN, type Rig } from "./rig.js";

/** The same numbers for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Planned {
  readonly id: string;
  readonly feature: string;
}

export const FEATURES = 4;

/** The number of a task says whether its first result is wrong. */
const isWrongAtFirst = (n: number): boolean => n % 9 === 0;

/** Commands of a task run once: when their check failed, a person says whether they run again. */
export const mayBeRejected = (id: string): boolean => isWrongAtFirst(Number(/^T-(\d+)$/.exec(id)?.[1] ?? 1));

/** Adds a line rather than writing the file: what is done twice shows. One that is told what was wrong begins with its file. */
function taskOf(n: number): { planned: Planned; line: object } {
  const id = `T-${n}`;
  const feature = `FEAT-${1 + (n % FEATURES)}`;
  const own = `out/${id}.txt`;
  const isWrong = isWrongAtFirst(n);
  const adds = `echo ${id} >> ${own}`;
  const body = ["mkdir -p out", isWrong ? `grep -qsx ${id} ${own} || ${adds}` : adds, `sleep 0.0${n % 7}`];
  const files = [own];
  const checks = [{ run: `grep -qx ${id} ${own}` }];
  if (isWrong) {
    // Wrong at first, and put right when it is told.
    body.push(`if [ -n "$PLANWRIGHT_FAILURE" ]; then echo fixed >> ${own}; fi`);
    checks.push({ run: `grep -qx fixed ${own}` });
  }
  if (n % 10 === 0) {
    const shared = `shared/${feature}-${n % 40}.txt`;
    body.push(`mkdir -p shared && echo ${id} >> ${shared}`);
    files.push(shared);
  }
  const before = n - 3 * FEATURES;
  const dependsOn = n % 3 === 0 && before > 0 ? [`T-${before}`] : [];
  const fence = "```";
  return {
    planned: { id, feature },
    line: {
      id,
      title: `Write ${own}`,
      parent: feature,
      dependsOn,
      files,
      checks,
      body: `${fence}sh run\n${body.join("\n")}\n${fence}`,
    },
  };
}

/** Trouble is not what a person has to be asked about here, however much of it there is. */
const SETTINGS = {
  maxRetries: 1000,
  execution: {
    transientRetries: 100,
    logicRetries: 1,
    backoffSeconds: 0.02,
    storm: { failures: 1000, minutes: 1, pauseMinutes: 0 },
    sandbox: "off",
  },
};

/** A repository and an approved plan of so many tasks. */
export function prepare(rig: Rig, tasks: number): Planned[] {
  rig.git("init", "-q", "-b", "main");
  rig.write("planwright.json", JSON.stringify(SETTINGS));
  rig.git("add", ".");
  rig.git("commit", "-q", "-m", "begin");
  rig.ok(["init", "--mission", "Chaos"]);
  const features = Array.from({ length: FEATURES }, (_, i) => ({
    id: `FEAT-${i + 1}`,
    tier: "feature",
    title: `Feature ${i + 1}`,
    parent: "MISSION",
  }));
  const made = Array.from({ length: tasks }, (_, i) => taskOf(i + 1));
  const lines = [...features, ...made.map(({ line }) => line)].map((line) => JSON.stringify(line));
  rig.ok(["add", "--from", "-"], { input: lines.join("\n") });
  rig.ok(["approve", "MISSION"]);
  rig.ok(["level", "auto", "--unsandboxed"]);
  return made.map(({ planned }) => planned);
}

/**
 * Fails, is slow, or is killed before, while or after it does its work: each in so many of a thousand calls. What the dice
 * say depends on the seed and on how many calls there were, and on nothing else.
 */
const gitThatFails = (git: string, calls: string, perMille: number, seed: number): string => `#!/bin/bash
printf . >> "${calls}"
IFS= read -r -d '' n < "${calls}"
RANDOM=$(( ${seed} + \${#n} * 7919 ))
: $RANDOM $RANDOM
dice=$((RANDOM % 1000))
if [ $dice -lt ${perMille} ]; then
  case $((RANDOM % 4)) in
    0) echo "fatal: unable to read a file: Input/output error" >&2; exit 128 ;;
    1) sleep 0.3 ;;
    2) "${git}" "$@" <&0 & sleep 0.00$((RANDOM % 10)); kill -9 $!; wait $! 2>/dev/null; kill -9 $$ ;;
    3) "${git}" "$@"; kill -9 $$ ;;
  esac
fi
exec "${git}" "$@"
`;

/** A folder for the front of PATH. */
export function wrapGit(folder: string, perMille: number, seed: number): string {
  const real = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "git"), gitThatFails(real, join(folder, "calls"), perMille, seed));
  chmodSync(join(folder, "git"), 0o755);
  return folder;
}

export interface Daemon {
  readonly child: ChildProcess;
  hasEnded(): boolean;
  /** How many it has said. */
  lines(): number;
  /** It is in the middle of landing a feature, by what it said. */
  isLanding(): boolean;
  readonly ended: Promise<{ said: string }>;
}

export interface DaemonOptions {
  readonly path: string;
  readonly tmp: string;
  /** In kilobytes: writing beyond it fails as on a full disk. */
  readonly largestFile: number | null;
}

export function startDaemon(rig: Rig, { path, tmp, largestFile }: DaemonOptions): Daemon {
  const limit = largestFile === null ? "" : `trap '' XFSZ; ulimit -f ${largestFile * 2};`;
  const child = spawn(
    "/bin/sh",
    ["-c", `${limit} exec "$0" "$@"`, process.execPath, BIN, "daemon", "--parallel", "2"],
    {
      cwd: rig.root,
      env: rig.environment({
        PATH: `${path}:${process.env["PATH"] ?? ""}`,
        TMPDIR: tmp,
      }),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<Awaited<Daemon["ended"]>>((done) => {
    child.on("close", () => done({ said }));
  });
  return {
    child,
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    lines: () => said.split("\n").length,
    isLanding: () => isMidLanding(said),
  };
}

/** The last that was said about a landing tells of a step of it, not of its end. */
const isMidLanding = (said: string): boolean => {
  const last = said.split("\n").findLast((line) => / \S+-LAND ATT-/.test(line));
  return last !== undefined && !/ATT-\d+ \w+: /.test(last);
};

/** Processes whose working directory is in a folder. */
export function processesIn(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) found.push(pid);
    } catch {
      // It has ended, or is somebody else's.
    }
  }
  return found;
}

export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(ending));
}
