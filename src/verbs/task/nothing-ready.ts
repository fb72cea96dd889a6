// Explains why `next` has nothing to give: what holds back the most urgent tasks.

import type { Actor } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { isContainer, type Node } from "../../model/node/node.js";
import { byUrgency } from "../../model/order/rank.js";
import { absent, type Result } from "../../model/result.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import { type Hold, holds } from "../../model/status/holds.js";
import { gatherSurroundings } from "../../plan/holds/gather-surroundings.js";
import type { Reader } from "../../store/store.js";

/** Tasks that are named. */
const NAMED = 5;
/** Claims that are looked through for those of the asker. */
const CLAIMED = 200;
/** Nodes that are looked at for the most urgent tasks: not the whole plan. */
const LOOKED_AT = 100;

export interface WorkSeeker {
  readonly actor: Actor;
  /** Whether another conversation of the same actor has claimed it. */
  readonly isElsewhere: (task: Node) => boolean;
}

/** Names the asker's own tasks first. */
export async function nothingReady(
  reader: Reader,
  { actor, isElsewhere }: WorkSeeker,
  scope?: Node,
): Promise<Result<never>> {
  const yours = (await reader.claimed({ limit: CLAIMED }))
    .filter((node) => node.claim?.by === actor && !isElsewhere(node))
    .map(({ id }) => id);
  const held = await heldTasks(reader, scope);
  const where = scope === undefined ? "" : ` in ${scope.id}`;
  const [first] = held;
  const hold = first?.holds[0];
  const unapproved = held.filter((task) => task.holds[0]?.reason === "unapproved").map(({ id }) => id);
  const waits = `${unapproved.join(", ")} ${unapproved.length === 1 ? "waits" : "wait"} for your approval.`;
  const isUnapproved = hold?.reason === "unapproved";
  const why = hold === undefined ? "" : isUnapproved ? ` ${waits}` : ` ${first?.id} comes next, but ${phraseOf(hold)}.`;
  const [yourFirst] = yours;
  if (yourFirst !== undefined) {
    const message = `No other task${where} is ready. You hold ${yours.join(", ")}: hand ${yours.length === 1 ? "it" : "them"} in or release ${yours.length === 1 ? "it" : "them"}.`;
    const next = [step("start", { reference: yourFirst }), step("claim.release", { reference: yourFirst })];
    return absent("nothing-ready", message, { details: { held, yours }, next });
  }
  return absent("nothing-ready", `No task${where} is ready.${why}`, {
    details: { held },
    next: first ? [step("why", { reference: first.id }), step("status")] : [step("status")],
  });
}

/** A landing waits for the tasks of its feature, so they say more. */
const landsLast = (a: Node, b: Node): number =>
  Number(a.kind === "land") - Number(b.kind === "land") || byUrgency(a, b);

interface Held {
  readonly id: string;
  readonly holds: readonly Hold[];
}

async function heldTasks(reader: Reader, scope: Node | undefined): Promise<Held[]> {
  const ready = await reader.claimable({ ...(scope ? { within: scope } : {}), limit: NAMED });
  const waiting = ready.length < NAMED ? await openTasks(reader, scope) : [];
  const known = new Set(ready.map(({ nr }) => nr));
  const most = [...ready, ...waiting.filter(({ nr }) => !known.has(nr)).sort(landsLast)].slice(0, NAMED);
  const found: Held[] = [];
  for (const task of most) {
    found.push({ id: task.id, holds: holds(task, { around: await gatherSurroundings(reader, task) }, "self") });
  }
  return found;
}

/** The first open tasks in the order of the plan. Goes down from container to container, so it reads only a few of each. */
async function openTasks(reader: Reader, scope: Node | undefined): Promise<Node[]> {
  const found: Node[] = [];
  const stack = scope === undefined ? (await reader.children(null)).reverse() : [scope];
  let looked = 0;
  for (let node = stack.pop(); node && looked < LOOKED_AT; node = stack.pop()) {
    looked++;
    if (!isContainer(node)) {
      if (node.outcome === null) found.push(node);
      continue;
    }
    const { openChildren } = await reader.surroundings(node);
    const children = await reader.byIds(openChildren);
    stack.push(...children.sort((a, b) => b.nr - a.nr));
  }
  return found;
}
