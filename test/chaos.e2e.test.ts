// Four daemons on one workspace, killed outright again and again, in the middle of landings above all, with a git that fails
// and a disk that is full: in the end each task is done exactly once, every feature has landed, each change is on the main
// branch exactly once, and nothing is left behind.

import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Daemon,
  FEATURES,
  filesBelow,
  mayBeRejected,
  type Planned,
  prepare,
  processesIn,
  randomFrom,
  startDaemon,
  wrapGit,
} from "./chaos.js";
import { makeRig, type Rig } from "./rig.js";

const FULL = process.env["PLANWRIGHT_TEST_FULL"] === "1";
/** Everything random comes from it; it is in the test's title. */
const SEED = Number(process.env["PLANWRIGHT_TEST_SEED"] ?? 1);
const TASKS = FULL ? 200 : 20;
const KILLS = FULL ? 60 : 6;
/** Besides those, in the middle of a landing. */
const LANDING_KILLS = FULL ? 12 : 2;
const DAEMONS = 4;
/** Of a thousand calls of git. */
const GIT_TROUBLE = 15;
/** Daemons that have finished nothing for so long never will, however busy the machine is. */
const PATIENCE_MS = 120_000;
const TEST_MS = FULL ? 3_600_000 : 900_000;
/** A lock that a killed git has left is given up after ten seconds. */
const LOCKS_MS = 30_000;

interface Place {
  readonly rig: Rig;
  /** For temporary folders, so that what is left of them is found. */
  readonly tmp: string;
}

interface Rage {
  readonly kills: number;
  /** Those of a daemon that was in the middle of a landing. */
  readonly landingKills: number;
  /** What the daemons said, of those that ended by themselves. */
  readonly ended: readonly string[];
  /** The same of all, in the order in which they ended. */
  readonly said: readonly string[];
}

/** Keeps four alive and kills each again and again; when enough have died, the last four may finish. */
async function rage({ rig, tmp }: Place, isDone: () => boolean): Promise<Rage> {
  const [ended, said]: [string[], string[]] = [[], []];
  let [kills, landingKills] = [0, 0];
  const isEnough = (): boolean => kills >= KILLS && landingKills >= LANDING_KILLS;
  const end = async (daemon: Daemon, mustDie: boolean): Promise<void> => {
    if (daemon.hasEnded()) ended.push((await daemon.ended).said);
    else if (!isDone() || mustDie) {
      landingKills += Number(daemon.isLanding());
      kills += Number(daemon.child.kill("SIGKILL"));
    } else daemon.child.kill("SIGTERM");
    said.push((await daemon.ended).said);
  };
  const keepOne = async (_: unknown, keeper: number): Promise<void> => {
    const random = randomFrom(SEED * DAEMONS + keeper);
    for (let begun = 1; !isDone(); begun++) {
      // Every fourth has a disk that is full before long. It knows no better than to wait, so it always dies.
      const largestFile = (begun + keeper) % DAEMONS === 0 && !isEnough() ? 1000 + Math.floor(random() * 1500) : null;
      const git = join(rig.root, ".planwright/chaos", `${keeper}-${begun}`);
      const path = wrapGit(git, GIT_TROUBLE, Math.floor(random() * 2 ** 31));
      const daemon = startDaemon(rig, { path, tmp, largestFile });
      // So many steps of its work, whatever the speed of the machine; one that has nothing to do dies as well.
      const lines = 4 + random() * 30;
      const depth = random();
      const until = performance.now() + 10_000;
      let landingSince = Number.POSITIVE_INFINITY;
      const isDeepInLanding = (): boolean => {
        landingSince = daemon.isLanding() ? Math.min(landingSince, performance.now()) : Number.POSITIVE_INFINITY;
        // The first of them soon, for landings are short; the others anywhere.
        const intoLanding = depth * (landingKills === 0 ? 50 : 1_500);
        return landingKills < LANDING_KILLS && performance.now() - landingSince > intoLanding;
      };
      const isYoung = (): boolean => daemon.lines() < lines && performance.now() < until;
      const mayLive = (): boolean => !isDeepInLanding() && (isYoung() || (largestFile === null && kills >= KILLS));
      while (!daemon.hasEnded() && !isDone() && mayLive()) await wait(20);
      await end(daemon, largestFile !== null);
    }
  };
  await Promise.all(Array.from({ length: DAEMONS }, keepOne));
  return { kills, landingKills, ended, said };
}

const lastWords = (said: readonly string[]): string =>
  said
    .slice(-DAEMONS)
    .map((text) => `\n\n${text.split("\n").slice(-40).join("\n")}`)
    .join("");

interface Question {
  readonly id: string;
  readonly kind: string;
  readonly blocks: readonly string[];
}

/** A person says that a landing be tried again, and a task that was made to be wrong at first. */
function answerTo({ kind, blocks }: Question): string | null {
  if (kind === "land") return "again";
  return kind === "rejected" && blocks.every(mayBeRejected) ? "reset" : null;
}

async function answerQuestions(rig: Rig): Promise<void> {
  const { stdout } = await rig.start(["escalations", "--json"]);
  for (const question of (JSON.parse(stdout) as { data: Question[] }).data) {
    const said = answerTo(question);
    if (said !== null) await rig.start(["answer", question.id, said]);
  }
}

/** Looks now and then whether all is done and has landed, as any other process would. A look that fails ends the test at once. */
function watch(rig: Rig): { isDone: () => boolean; stop: () => Promise<number> } {
  let until = performance.now() + PATIENCE_MS;
  let [done, stopped] = [0, false];
  const isDone = (): boolean => stopped || done >= TASKS + FEATURES || performance.now() > until;
  const looking = (async () => {
    while (!isDone()) {
      const { stdout } = await rig.start(["stats", "--json"]);
      const now = (JSON.parse(stdout) as { data: { statuses: { done?: number } } }).data.statuses.done ?? 0;
      if (now !== done) until = performance.now() + PATIENCE_MS;
      done = now;
      await answerQuestions(rig);
      await wait(500);
    }
  })().finally(() => {
    stopped = true;
  });
  // It is said when somebody waits for it.
  looking.catch(() => undefined);
  return {
    isDone,
    stop: async () => {
      stopped = true;
      await looking;
      return done;
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

interface Completed {
  readonly tasks: string[];
  /** Who landed each. */
  readonly lands: string[];
}

function completed(rig: Rig): Completed {
  const log = rig.ok(["log", "--limit", "1000000"]) as {
    operations: { verb: string; actor: string; sentence: string }[];
  };
  const done = log.operations.filter(({ verb }) => verb === "complete");
  return {
    tasks: done.flatMap(({ sentence }) => /\bT-\d+/.exec(sentence)?.[0] ?? []).sort(),
    lands: done
      .flatMap(({ sentence }) => /(daemon|human):\S* landed FEAT-\d+-LAND/.exec(sentence)?.[0] ?? [])
      .map((said) => said.replace(/:\S*/, ""))
      .sort(),
  };
}

/** Whatever did not come through is asked about. */
const openQuestions = (rig: Rig): string[] =>
  (rig.ok(["escalations"]) as { question: string; context: string }[]).map(
    ({ question, context }) => `${question} ${context}`,
  );

const leftovers = ({ rig, tmp }: Place): Record<string, readonly string[]> => ({
  refs: rig
    .git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/planwright/landing")
    .split("\n")
    .filter((ref) => ref !== "refs/heads/main"),
  worktrees: rig.git("worktree", "list").split("\n").slice(1),
  folders: [...readdirSync(rig.worktrees), ...readdirSync(tmp)],
  locks: filesBelow(join(rig.root, ".git"), ".lock"),
  processes: processesIn(rig.root),
});

/** What a clean `run` leaves, as soon as locks have become old enough to be known as nobody's. */
async function afterCleanRun(place: Place): Promise<Record<string, readonly string[]>> {
  const until = performance.now() + LOCKS_MS;
  for (;;) {
    const { code, stdout, stderr } = place.rig.run(["run", "--parallel", "2"], { env: { TMPDIR: place.tmp } });
    if (code !== 0 && code !== 2) throw new Error(`planwright run exited with ${code}: ${stdout}${stderr}`);
    const left = leftovers(place);
    if (left["locks"]?.length === 0 || performance.now() > until) return left;
    await wait(1_000);
  }
}

const NOTHING = { refs: [], worktrees: [], folders: [], locks: [], processes: [] };

function makePlace(): Place {
  const tmp = realpathSync(mkdtempSync(join(tmpdir(), "planwright-chaos-")));
  onTestFinished(() => rmSync(tmp, { recursive: true, force: true }));
  return { rig: makeRig(), tmp };
}

describe("four daemons that are killed at random, a git that fails, and a disk that is full", () => {
  it(
    `do each of many tasks exactly once, land every feature, and leave nothing behind (seed ${SEED})`,
    async () => {
      const place = makePlace();
      const { rig } = place;
      const planned = prepare(rig, TASKS);
      const watching = watch(rig);
      const { kills, landingKills, ended, said } = await rage(place, watching.isDone);
      const done = await watching.stop();
      expect(ended).toEqual([]);
      expect(openQuestions(rig)).toEqual([]);
      // Of those that never will be, what holds them and what the daemons said last.
      const account = done < TASKS + FEATURES ? JSON.stringify(rig.ok(["waiting"]), null, 1) + lastWords(said) : "";
      expect({ done, account }).toEqual({ done: TASKS + FEATURES, account: "" });
      expect(kills).toBeGreaterThanOrEqual(KILLS / 2);
      expect(landingKills).toBeGreaterThan(0);
      expect(await afterCleanRun(place)).toEqual(NOTHING);
      const ids = planned.map(({ id }) => id).sort();
      const lands = Array.from({ length: FEATURES }, (_, i) => `daemon landed FEAT-${i + 1}-LAND`);
      expect(completed(rig)).toEqual({ tasks: ids, lands });
      expect(onMain(rig, planned)).toEqual({ trailers: ids, files: ids });
      expect(rig.git("status", "--porcelain")).toBe("");
      expect(rig.ok(["verify"]).differences).toEqual([]);
    },
    TEST_MS,
  );
});
