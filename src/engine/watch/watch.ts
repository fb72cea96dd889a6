// Watches over an attempt that no sandbox confines: what happened outside of its worktree and was none of ours. Others
// put their work onto features' branches and land at the same time, so what moved is looked up in the plan.

import { join } from "node:path";
import { pipesSentence } from "../../machine/git/pipes.js";
import { attemptBranch, keptRef, moveRefs, readRef, strayRef } from "../../machine/git/refs.js";
import type { Sandbox } from "../../machine/sandbox/sandbox.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import { filesWrittenSince } from "./main-checkout.js";
import { noteOrders, putOrdersAside } from "./orders.js";
import { checkoutMovesBy, isPersonsMove, movedByUs } from "./our-ref-moves.js";
import {
  branchesMade,
  findOutsideChanges,
  managedMoves,
  type RefMove,
  readOutside,
  strayMoves,
  watchedPathsOf,
} from "./outside.js";
import { type OrdersSnapshot, type OutsideSnapshot, orderSnapshots, outsideSnapshots } from "./snapshot.js";

/** What the worker did outside since the last time, one sentence each. */
export type OutsideWatch = () => Promise<string[]>;

type WatchServices = Pick<EngineServices, "context" | "policy" | "onEvent">;

interface WatchedAttempt {
  readonly key: string;
  /** The files that it is to change. If they change elsewhere, the worker did it. */
  readonly files: readonly string[];
}

/** Git may fail for a moment, and that must not count as a violation by the worker. */
const TRIES = 4;

async function patiently<T>(look: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await look();
    } catch (error) {
      if (tried === TRIES) throw error;
    }
  }
}

export async function watchOutside(
  services: WatchServices,
  watched: WatchedAttempt,
  worktree: string,
): Promise<OutsideWatch> {
  const paths = watchedPathsOf(services.context.root, worktree);
  if (!paths) return async () => [];
  const snapshot = { key: watched.key, paths, before: await patiently(() => readOutside(paths)) };
  const { pipes } = snapshot.before;
  if (pipes.length > 0) noticeOnce(services, `${BLIND} ${pipesSentence(pipes)}`);
  outsideSnapshots.save(worktree, snapshot);
  return watchFrom(services, watched, snapshot);
}

function watchFrom(services: WatchServices, { key, files }: WatchedAttempt, { paths, before: first }: OutsideSnapshot) {
  let before = first;
  const own = [attemptBranch(key), keptRef(key)];
  const said = new Set<string>();
  const look = async (): Promise<{ problems: string[]; others: string[] }> => {
    const after = await readOutside(paths);
    const ours = new Set<string>();
    for (const move of managedMoves(before, after)) {
      if (!own.includes(move.ref) && (await movedByUs(services, move))) ours.add(move.ref);
    }
    const mine = [...own, ...branchesMade(before, after)];
    const isPersons = (move: RefMove): boolean => isPersonsMove(paths.commonDir, move);
    const stray = strayMoves(before, after, { own: mine, isOurs: (ref) => ours.has(ref), isPersons });
    const restored = await putBack(services.context.root, key, stray, after.refs);
    const problems = [
      ...findOutsideChanges(before, after, stray).map((problem, i) => `${problem}${restored.said[i] ?? ""}`),
      ...checkoutMovesBy(paths.commonDir, key).filter((each) => !said.has(each)),
    ];
    for (const each of problems) said.add(each);
    const written =
      paths.checkout === null || before.dirty === null || after.dirty === null
        ? null
        : await filesWrittenSince(services, paths.checkout, before.dirty, after.dirty);
    const isItsOwn = (path: string): boolean => files.some((pattern) => matchesGlob(pattern, path));
    const strayed = (written ?? []).filter(isItsOwn);
    problems.push(...strayed.map((path) => `The worker changed ${path} in the main checkout.`));
    const planted = after.pipes.filter((path) => !before.pipes.includes(path));
    problems.push(...planted.map((path) => `The worker put a pipe into the main checkout: ${path}. Remove it.`));
    own.push(...mine.slice(own.length));
    // What cannot be known now is reported the next time.
    const dirty = written === null ? (before.dirty ?? after.dirty) : after.dirty;
    before = { ...after, refs: restored.refs, dirty };
    return { problems, others: (written ?? []).filter((path) => !isItsOwn(path)) };
  };
  return async () => {
    const { problems, others } = await patiently(look);
    if (others.length > 0) services.onEvent({ type: "notice", text: checkoutNotice(key, others) });
    return problems;
  };
}

const PATHS_SHOWN = 5;

/** People work in their own checkout, so this is not a violation. */
function checkoutNotice(key: string, paths: readonly string[]): string {
  const more = paths.length > PATHS_SHOWN ? ` and ${paths.length - PATHS_SHOWN} more` : "";
  const names = `${paths.slice(0, PATHS_SHOWN).join(", ")}${more}`;
  return `While ${key} worked without a sandbox, this changed in the main checkout: ${names}. If that was not you, look at ${key}.`;
}

/** `planted`: only what was planted for the agents of the person. */
const watches = new WeakMap<LiveAttempt, Readonly<Record<"whole" | "planted", OutsideWatch>>>();

/** Watches an attempt to its end: what was found once stays found. */
function remember(live: LiveAttempt, look: OutsideWatch, orders: OrdersSnapshot | undefined): OutsideWatch {
  const found: string[] = [];
  const planted = async (): Promise<string[]> => {
    const fresh = orders ? (await putOrdersAside(orders)).filter((each) => !found.includes(each)) : [];
    found.push(...fresh);
    return fresh;
  };
  const whole = async (): Promise<string[]> => {
    found.push(...(await look()));
    await planted();
    return [...found];
  };
  watches.set(live, { whole, planted });
  return whole;
}

const NOBODY: OutsideWatch = async () => [];

/** Where a sandbox confines it, only the folders of agents have to be looked at. People may do in their own repository what they like. */
export async function watchAttempt(
  services: EngineServices,
  live: LiveAttempt,
  worktree: string,
  { kind, why }: Pick<Sandbox, "kind" | "why">,
): Promise<OutsideWatch> {
  const isOwnProgram = live.attempt.worker.kind === "person" || live.attempt.checkout !== undefined;
  if (isOwnProgram) return NOBODY;
  const isConfined = kind !== "none";
  const orders = watchOrders(services, live.key, worktree, isConfined);
  if (isConfined) return remember(live, NOBODY, orders);
  if (services.policy.sandbox === "auto") noticeOnce(services, unconfined(why));
  const watched = { key: live.key, files: live.task.files };
  return remember(live, await watchOutside(services, watched, worktree), orders);
}

function watchOrders({ policy, env }: EngineServices, key: string, worktree: string, isConfined: boolean) {
  const home = env["HOME"] ?? env["USERPROFILE"];
  if (home === undefined) return undefined;
  const orders = noteOrders({ key, home, aside: join(policy.quarantine, key), isConfined });
  orderSnapshots.save(worktree, orders);
  return orders;
}

/** All that the attempt did outside, however it ended; nothing if it was not watched. */
export const outsideChangesOf = async (live: LiveAttempt): Promise<string[]> =>
  (await watches.get(live)?.whole()) ?? [];

/** What was planted for the agents of the person since the last look, for instance by a check. It is put aside. */
export const ordersPlantedBy = async (live: LiveAttempt): Promise<string[]> =>
  (await watches.get(live)?.planted()) ?? [];

/** What an attempt did outside whose program was killed, from the snapshots that it saved. */
export async function outsideChangesOfKilled(services: EngineServices, live: LiveAttempt): Promise<string[]> {
  const snapshot = outsideSnapshots.load(live.key, live.attempt);
  const watched = { key: live.key, files: live.task.files };
  const look = snapshot ? watchFrom(services, watched, snapshot) : NOBODY;
  return remember(live, look, orderSnapshots.load(live.key, live.attempt))();
}

const noticed = new Set<string>();

/** Says it once for all attempts in this process. */
function noticeOnce({ context, onEvent }: WatchServices, text: string): void {
  const what = JSON.stringify([context.root, text]);
  if (noticed.has(what)) return;
  noticed.add(what);
  onEvent({ type: "notice", text });
}

/** Warns people who think that there is a sandbox. */
const unconfined = (why: string): string =>
  `No sandbox confines workers here: ${why}. What they do outside of their worktrees is only looked for afterwards; execution.sandbox "require" in planwright.json begins nothing without one.`;

const BLIND = "Planwright cannot see what workers change in the main checkout.";

/** `said`: what became of each move, to be added to the sentence about it. `refs`: as they are now. */
async function putBack(root: string, key: string, moves: readonly RefMove[], found: ReadonlyMap<string, string>) {
  const said: string[] = [];
  const refs = new Map(found);
  for (const [i, { ref, from, to }] of moves.entries()) {
    const name = to === null ? null : strayRef(key, i + 1, to);
    const kept = name === null || (await readRef(root, name)) !== null ? [] : [{ ref: name, to, from: null }];
    const moved = await moveRefs(root, [{ ref, to: from, from: to }, ...kept], `planwright: undo a move by ${key}`);
    if (moved.ok && from === null) refs.delete(ref);
    else if (moved.ok && from !== null) refs.set(ref, from);
    const where = from === null ? "It was removed again." : `It is back at ${from.slice(0, 12)}.`;
    said.push(moved.ok ? ` ${where}` : ` It could not be put back: ${moved.problem}.`);
  }
  return { said, refs };
}
