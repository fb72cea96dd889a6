// Landings whose program was killed: those that moved the main branch are written down as done, the others are taken back.

import { mainRef } from "../../git/contains.js";
import { halfMoved } from "../../git/half-move.js";
import { contains } from "../../git/merge.js";
import { featureBranch, readRef } from "../../git/refs.js";
import { type Attempt, hasEnded, isLanding } from "../../graph/attempt/attempt.js";
import { LIVE } from "../../graph/item/item.js";
import type { Services } from "../engine/services.js";
import { giveSlotBack } from "../engine/slots.js";
import { removeIdleWorktrees } from "../engine/worktree-pool.js";
import { removeBranch, settleAdvance } from "./advance.js";
import { endLanding, settleLand } from "./land-attempt.js";

/** Landings that this very program drives, with their workspace: another has the same keys. */
const driven = new Set<string>();

const nameOf = ({ context }: Services, key: string): string => `${context.root}\0${key}`;

/** Nobody takes it for dead while it goes on. */
export async function drivenHere<T>(services: Services, key: string, work: () => Promise<T>): Promise<T> {
  const name = nameOf(services, key);
  driven.add(name);
  try {
    return await work();
  } finally {
    driven.delete(name);
  }
}

const isDrivenHere = (services: Services, key: string): boolean => driven.has(nameOf(services, key));

/** What every landing ends with, however it went: whoever declared it lost has left it its slot until now. */
export async function leaveLanding(services: Services, key: string): Promise<void> {
  await tried(services, key, async () => {
    if (!(await finish(services, key))) await giveSlotBack(services, key);
  });
}

/** Keys of attempts that their programs left. */
export interface Recovered {
  /** Those that were settled here. */
  readonly settled: string[];
  /** Those that could not be settled yet: worth another try soon. */
  readonly failed: string[];
}

export async function finishLandings(services: Services): Promise<Recovered> {
  const { store } = services.context;
  const live = await store.read((reader) => reader.items("attempt", { state: LIVE }));
  const [settled, failed]: [string[], string[]] = [[], []];
  for (const item of live.filter(({ fields }) => isLanding(fields))) {
    if (isDrivenHere(services, item.key) || !(await isAbandoned(services, item.fields))) continue;
    const ended = await tried(services, item.key, () => finish(services, item.key));
    if (ended === undefined) failed.push(item.key);
    else if (ended) settled.push(item.key);
  }
  // Each slot can be given out again by now, so only whoever looks at all of them under the store's lock may clear it.
  if (settled.length > 0) await tried(services, settled.join(", "), () => removeIdleWorktrees(services));
  return { settled, failed: [...failed, ...(await settleHalves(services))] };
}

/** What cannot be settled now, because git or the disk is in trouble, is looked at again; it holds up nothing else. */
async function tried<T>({ onEvent }: Services, key: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    onEvent({ type: "notice", text: `What the landing ${key} left could not be put right yet: ${why}` });
    return undefined;
  }
}

/** Checkouts that a landing has left half moved when it ended, because git was in trouble then. The keys of those that still are. */
async function settleHalves(services: Services): Promise<string[]> {
  const { root, store } = services.context;
  const failed: string[] = [];
  for (const { owner, locked } of await halfMoved(root)) {
    if (isDrivenHere(services, owner)) continue;
    const item = await store.read((reader) => reader.item("attempt", owner));
    // One that nobody knows here, and that is locked, may be going on in another plan of the same repository.
    if (item ? !hasEnded(item.fields.state) : locked) continue;
    if ((await tried(services, owner, () => settleAdvance(services, owner))) === undefined) failed.push(owner);
  }
  return failed;
}

async function isAbandoned(services: Services, { driver, task, token }: Attempt): Promise<boolean> {
  if (!services.isAlive(driver)) return true;
  const { context } = services;
  const node = await context.store.read((reader) => reader.node(task));
  return node?.claim?.token !== token || node.claim.until < context.now();
}

const LOST = "its program ended, or its lease did, before the main branch moved";

/** Whether it was this program that ended it. */
async function finish(services: Services, key: string): Promise<boolean> {
  const { root, store } = services.context;
  const item = await store.read((reader) => reader.item("attempt", key));
  // By itself, or another program was faster: its branch may be in use again.
  if (!item || hasEnded(item.fields.state)) return false;
  const { fields } = item;
  if (!(await settleAdvance(services, key, fields.driver))) return false;
  // From here on what it wrote down can move nothing. If it has written down more since, it is not ended below.
  const landed = await hasLanded(root, fields);
  const land = await store.read((reader) => reader.node(fields.task));
  if (!landed || !land) {
    const ended = await endLanding(services, key, { state: "lost", note: LOST, seen: fields });
    return !ended.ok && ended.error.reason === "went-on" ? finish(services, key) : ended.ok;
  }
  await removeBranchOf(services, fields);
  const commit = fields.merged as string;
  const proof = `the main branch contains ${commit.slice(0, 10)}; finished after an interruption`;
  const ended = await endLanding(services, key, { state: "accepted", note: proof });
  if (!ended.ok) return false;
  const settled = await settleLand(services, land, { proof, checks: fields.checks, commit }, fields);
  if (!settled.ok) services.onEvent({ type: "notice", text: settled.error.message });
  return true;
}

/** A git that was killed may have moved the main branch and nothing else. */
async function removeBranchOf({ context }: Services, { feature, tip }: Attempt): Promise<void> {
  const id = feature === null ? undefined : await context.store.read((reader) => reader.idOf(feature));
  if (id !== undefined && tip !== null) await removeBranch(context.root, featureBranch(id), tip);
}

async function hasLanded(root: string, { merged }: Attempt): Promise<boolean> {
  const main = await mainRef(root);
  return main !== null && merged !== null && (await readRef(root, main)) !== null && contains(root, main, merged);
}
