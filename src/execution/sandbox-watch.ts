// Watches over an attempt that no sandbox confines: what happened outside of its worktree and was none of ours. Others
// put their work onto features' branches at the same time, so what moved there is looked up in the plan.

import { mainRef } from "../git/contains.js";
import { git } from "../git/git.js";
import { contains } from "../git/merge.js";
import { attemptBranch, keptRef } from "../git/refs.js";
import type { Live } from "./moves.js";
import { guardOutside, lookOutside, managedMoves, type RefMove } from "./sandbox-guard.js";
import type { Services } from "./services.js";

/** What the worker did outside since the last time, one sentence each. */
export type Watch = () => Promise<string[]>;

const DAY_MS = 86_400_000;

export async function watchOutside(
  services: Pick<Services, "context" | "policy">,
  key: string,
  worktree: string,
): Promise<Watch> {
  const { root } = services.context;
  let before = await lookOutside(root, worktree);
  return async () => {
    const after = await lookOutside(root, worktree);
    const ours = new Set<string>();
    for (const move of managedMoves(before, after)) if (await isOurs(services, key, move)) ours.add(move.ref);
    const problems = guardOutside(before, after, {
      own: [attemptBranch(key), keptRef(key)],
      isOurs: (ref) => ours.has(ref),
    });
    before = after;
    return problems;
  };
}

const watches = new WeakMap<Live, Watch>();

/** Watches an attempt to its end: what was found once stays found. */
export async function watchAttempt(services: Services, live: Live, worktree: string): Promise<Watch> {
  const look = await watchOutside(services, live.key, worktree);
  const found: string[] = [];
  const watch = async (): Promise<string[]> => {
    found.push(...(await look()));
    return [...found];
  };
  watches.set(live, watch);
  return watch;
}

/** All that the attempt did outside, however it ended; nothing if it was not watched. */
export const strayingOf = async (live: Live): Promise<string[]> => (await watches.get(live)?.()) ?? [];

async function isOurs(services: Pick<Services, "context" | "policy">, own: string, move: RefMove): Promise<boolean> {
  const { root } = services.context;
  const { ref, from, to } = move;
  if (ref.startsWith("refs/planwright/kept/")) return to !== null || hasExpired(services, ref);
  const main = (await mainRef(root)) ?? "HEAD";
  // A feature's branch begins on the main branch, and goes when everything on it has landed there.
  if (from === null && to !== null && (await contains(root, main, to))) return true;
  if (to === null) return from !== null && contains(root, main, from);
  const key = await attemptThatMade(root, to);
  if (key === own) return false;
  const attempt = await services.context.store.read((reader) => reader.item("attempt", key));
  // Written down before the branch moves.
  return attempt?.fields.merged === to;
}

async function attemptThatMade(root: string, commit: string): Promise<string> {
  const format = "--format=%(trailers:key=Planwright-Attempt,valueonly)";
  const { stdout } = await git(root, ["log", "-1", format, "--end-of-options", commit]);
  return stdout.trim();
}

async function hasExpired({ context, policy }: Pick<Services, "context" | "policy">, ref: string): Promise<boolean> {
  const key = ref.slice(ref.lastIndexOf("/") + 1);
  const attempt = await context.store.read((reader) => reader.item("attempt", key));
  const endedAt = attempt?.fields.endedAt ?? null;
  return endedAt !== null && endedAt + policy.keepDays * DAY_MS <= context.now();
}
