// Finishes landings whose program was killed: records those that moved main as done, and rolls back the others.

import { halfMoved } from "../../machine/git/checkouts/half-move.js";
import { contains } from "../../machine/git/merge.js";
import { featureBranch, readRef } from "../../machine/git/refs.js";
import { type Attempt, hasEnded, isLanding } from "../../model/attempt/attempt.js";
import { LIVE } from "../../model/item/item.js";
import { mainRefOf } from "../../plan/repository/main-branch.js";
import { giveSlotBack } from "../attempt/begin-attempt.js";
import { type EngineServices, orNotice } from "../services.js";
import { removeIdleWorktrees } from "../worktree/worktree-pool.js";
import { endLanding, removeBranch, settleAdvance, settleLand } from "./land-attempt.js";

/** Landings of this process. The name includes the workspace, because two workspaces have the same keys. */
const driven = new Set<string>();

const nameOf = ({ context }: EngineServices, key: string): string => `${context.root}\0${key}`;

/** While `work` runs, this process does not take the landing for abandoned. */
export function drivenHere<T>(services: EngineServices, key: string, work: () => Promise<T>): Promise<T> {
  driven.add(nameOf(services, key));
  return work().finally(() => driven.delete(nameOf(services, key)));
}

const isDrivenHere = (services: EngineServices, key: string): boolean => driven.has(nameOf(services, key));

/** Ends every landing. If another program declared it lost, it kept its slot until now. */
export async function leaveLanding(services: EngineServices, key: string): Promise<void> {
  await tried(services, key, async () => (await finish(services, key)) || giveSlotBack(services, key));
}

/** Keys of attempts whose program is gone. */
export interface Recovered {
  readonly settled: string[];
  /** Not settled yet: try again soon. */
  readonly failed: string[];
}

export async function finishLandings(services: EngineServices): Promise<Recovered> {
  const { store } = services.context;
  const live = await store.read((reader) => reader.items("attempt", { state: LIVE }));
  const [settled, failed]: [string[], string[]] = [[], []];
  for (const item of live.filter(({ fields }) => isLanding(fields))) {
    if (isDrivenHere(services, item.key) || !(await isAbandoned(services, item.fields))) continue;
    const ended = await tried(services, item.key, () => finish(services, item.key));
    if (ended === undefined) failed.push(item.key);
    else if (ended) settled.push(item.key);
  }
  if (settled.length > 0) await tried(services, settled.join(", "), () => removeIdleWorktrees(services));
  return { settled, failed: [...failed, ...(await settleHalves(services))] };
}

const tried = <T>(services: EngineServices, key: string, work: () => Promise<T>): Promise<T | undefined> =>
  orNotice(services, `Repairing what the landing ${key} left failed, it is tried again`, work);

/** Repairs checkouts that ended landings left half moved because git failed. Returns the keys of those that still are. */
async function settleHalves(services: EngineServices): Promise<string[]> {
  const { root, store } = services.context;
  const failed: string[] = [];
  for (const { owner, locked } of await halfMoved(root)) {
    if (isDrivenHere(services, owner)) continue;
    const item = await store.read((reader) => reader.item("attempt", owner));
    // A locked one that this plan does not know may belong to another plan in the same repository.
    if (item ? !hasEnded(item.fields.state) : locked) continue;
    if ((await tried(services, owner, () => settleAdvance(services, owner))) === undefined) failed.push(owner);
  }
  return failed;
}

/** Its program is gone, or it lost its claim. */
export async function isAbandoned(services: EngineServices, { driver, task, token }: Attempt): Promise<boolean> {
  if (!services.isAlive(driver)) return true;
  const { context } = services;
  const node = await context.store.read((reader) => reader.node(task));
  return node?.claim?.token !== token || node.claim.until < context.now();
}

const LOST = "its program stopped or its lease ended before main moved";

/** Returns whether this call ended the landing. */
async function finish(services: EngineServices, key: string): Promise<boolean> {
  const { store } = services.context;
  const item = await store.read((reader) => reader.item("attempt", key));
  // Another program was faster, and the branch may be in use again.
  if (!item || hasEnded(item.fields.state)) return false;
  const { fields } = item;
  if (!(await settleAdvance(services, key, fields.driver))) return false;
  // It can no longer move main. If it recorded another step since we read it, endLanding refuses and we start over.
  const landed = await hasLanded(services, fields);
  const land = await store.read((reader) => reader.node(fields.task));
  if (!landed || !land) {
    const ended = await endLanding(services, key, { state: "lost", note: LOST, seen: fields });
    return !ended.ok && ended.error.reason === "went-on" ? finish(services, key) : ended.ok;
  }
  await removeBranchOf(services, fields);
  const commit = fields.merged as string;
  const proof = `main contains ${commit.slice(0, 10)}; finished after an interruption`;
  const settled = await settleLand(services, land, { proof, checks: fields.checks, commit }, fields);
  const ended = await endLanding(services, key, { state: "accepted", note: proof });
  if (!ended.ok) return false;
  if (!settled.ok) services.onEvent({ type: "notice", text: settled.error.message });
  return true;
}

/** A killed git may have moved main without deleting the feature's branch. */
async function removeBranchOf({ context }: EngineServices, { feature, tip }: Attempt): Promise<void> {
  const id = feature === null ? undefined : await context.store.read((reader) => reader.idOf(feature));
  if (id !== undefined && tip !== null) await removeBranch(context.root, featureBranch(id), tip);
}

async function hasLanded({ context }: EngineServices, { merged }: Attempt): Promise<boolean> {
  const { root } = context;
  const main = await mainRefOf(context);
  return main !== null && merged !== null && (await readRef(root, main)) !== null && contains(root, main, merged);
}
