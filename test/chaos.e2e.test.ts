// Four daemons on one workspace, killed outright again and again, with a git that fails and a disk that is full: in the
// end each task is done exactly once, each change is on the main branch exactly once, and nothing is left behind.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { filesBelow, type Planned, prepare, processesIn, randomFrom, startDaemon, wrapGit } from "./chaos.js";
import { makeRig, type Rig } from "./rig.js";

const FULL = process.env["PLANWRIGHT_TEST_FULL"] === "1";
const SEED = Number(process.env["PLANWRIGHT_TEST_SEED"] ?? 1);
const TASKS = FULL ? 200 : 32;
const KILLS = FULL ? 60 : 10;
const DAEMONS = 4;
/** Of a thousand calls of git. */
const GIT_TROUBLE = 15;
/** Daemons that have done nothing by then never will; what is missing is said by what is expected below. */
const PATIENCE_MS = FULL ? 900_000 : 240_000;
/** A lock that a killed git has left is given up after ten seconds. */
const LOCKS_MS = 30_000;

interface Rage {
  readonly kills: number;
  /** What the daemons said, of those that ended by themselves. */
  readonly ended: readonly string[];
}

/** Keeps four alive and kills each again and again; when enough have died, the last four may finish. */
async function rage(rig: Rig, path: string, isDone: () => boolean): Promise<Rage> {
  const random = randomFrom(SEED);
  const ended: string[] = [];
  let [kills, begun] = [0, 0];
  const keepOne = async (): Promise<void> => {
    while (!isDone()) {
      // Every fourth has a disk that is full before long. It knows no better than to wait, so it always dies.
      const largestFile = ++begun % 4 === 0 && kills < KILLS ? 1000 + Math.floor(random() * 1500) : null;
      const daemon = startDaemon(rig, { path, largestFile });
      // So many steps of its work, whatever the speed of the machine; one that has nothing to do dies as well.
      const lines = 4 + random() * 30;
      const until = performance.now() + 10_000;
      const isYoung = (): boolean => daemon.lines() < lines && performance.now() < until;
      const mayFinish = (): boolean => largestFile === null && kills >= KILLS;
      while (!daemon.hasEnded() && !isDone() && (isYoung() || mayFinish())) await wait(20);
      if (daemon.hasEnded()) ended.push((await daemon.ended).said);
      else if (!isDone() || largestFile !== null) kills += Number(daemon.child.kill("SIGKILL"));
      else daemon.child.kill("SIGTERM");
      await daemon.ended;
    }
  };
  await Promise.all(Array.from({ length: DAEMONS }, keepOne));
  return { kills, ended };
}

/** Looks now and then whether all are done, as any other process would. */
function watch(rig: Rig): { isDone: () => boolean; stop: () => Promise<void> } {
  const until = performance.now() + PATIENCE_MS;
  let [done, stopped] = [0, false];
  const isDone = (): boolean => stopped || done >= TASKS || performance.now() > until;
  const looking = (async () => {
    while (!isDone()) {
      const { stdout } = await rig.start(["stats", "--json"]);
      done = (JSON.parse(stdout) as { data: { statuses: { done?: number } } }).data.statuses.done ?? 0;
      await wait(500);
    }
  })();
  return {
    isDone,
    stop: () => {
      stopped = true;
      return looking;
    },
  };
}

/** How often each task is on the main branch: by trailers, and by the file that it adds a line to. */
function onMain(rig: Rig, planned: readonly Planned[]): { trailers: string[]; files: string[] } {
  const log = rig.git(
    "log",
    "--no-merges",
    "--format=%(trailers:key=Planwright-Task,valueonly,separator=%x2C)",
    "main",
  );
  const trailers = log.split("\n").filter((line) => line !== "");
  const files = planned.flatMap(({ id }) => rig.git("show", `main:out/${id}.txt`).split("\n"));
  return { trailers: trailers.sort(), files: files.filter((line) => line !== "fixed").sort() };
}

function accepted(rig: Rig): string[] {
  const { operations } = rig.ok(["log", "--limit", "1000000"]) as { operations: { verb: string; sentence: string }[] };
  const completed = operations.filter(({ verb }) => verb === "complete");
  return completed.flatMap(({ sentence }) => /\bT-\d+/.exec(sentence)?.[0] ?? []);
}

const leftovers = (rig: Rig): Record<string, readonly string[]> => ({
  branches: rig.git("for-each-ref", "--format=%(refname)", "refs/heads/planwright/attempt").split("\n").filter(Boolean),
  worktrees: rig.git("worktree", "list").split("\n").slice(1),
  folders: readdirSync(join(rig.root, ".planwright/worktrees")),
  locks: filesBelow(join(rig.root, ".git"), ".lock"),
  processes: processesIn(rig.root),
});

/** What a clean `run` leaves, as soon as locks have become old enough to be known as nobody's. */
async function afterCleanRun(rig: Rig): Promise<Record<string, readonly string[]>> {
  const until = performance.now() + LOCKS_MS;
  for (;;) {
    const { code, stdout, stderr } = rig.run(["run", "--parallel", "2"]);
    if (code !== 0 && code !== 2) throw new Error(`planwright run exited with ${code}: ${stdout}${stderr}`);
    const left = leftovers(rig);
    if (left["locks"]?.length === 0 || performance.now() > until) return left;
    await wait(1_000);
  }
}

const NOTHING = { branches: [], worktrees: [], folders: [], locks: [], processes: [] };

describe("four daemons that are killed at random, a git that fails, and a disk that is full", () => {
  it(
    "do each of many tasks exactly once, and leave nothing behind",
    async () => {
      const rig = makeRig();
      const planned = prepare(rig, TASKS);
      const path = wrapGit(join(rig.root, ".planwright/chaos"), GIT_TROUBLE);
      const watching = watch(rig);
      const { kills, ended } = await rage(rig, path, watching.isDone);
      await watching.stop();
      expect(ended).toEqual([]);
      expect(kills).toBeGreaterThanOrEqual(KILLS / 2);
      expect(await afterCleanRun(rig)).toEqual(NOTHING);
      const ids = planned.map(({ id }) => id).sort();
      expect(accepted(rig).sort()).toEqual(ids);
      for (const feature of new Set(planned.map((each) => each.feature))) {
        if (rig.ok(["show", feature]).status !== "done") rig.ok(["land", feature, "--yes"]);
      }
      expect(onMain(rig, planned)).toEqual({ trailers: ids, files: ids });
      expect(leftovers(rig)).toEqual(NOTHING);
      expect(rig.git("status", "--porcelain", "--untracked-files=no")).toBe("");
      expect(rig.ok(["verify"]).differences).toEqual([]);
    },
    PATIENCE_MS * 2,
  );
});
