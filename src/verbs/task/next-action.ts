// Hands out work: the most urgent claimable task, claimed for the actor in the same breath.

import { type Actor, isPerson } from "../../model/actor.js";
import { type Occupied, occupiedBy, overlapsOf } from "../../model/conflict/conflict.js";
import type { ClaimedCheckout } from "../../model/item/comment.js";
import type { Node } from "../../model/node/node.js";
import { type Change, changeFocus, changeNode } from "../../model/operation/change.js";
import { byUrgency } from "../../model/order/rank.js";
import { ok, type Result } from "../../model/result.js";
import { type ClaimTerms, claimPatch, expirePatch } from "../../model/rules/claim.js";
import { holds } from "../../model/status/holds.js";
import { ALONE, isClaimable } from "../../model/status/status.js";
import { requireIntact } from "../../plan/branch/require-intact.js";
import { type Assignment, type Drafted, draftAssignment, toAssignment } from "../../plan/claim/assignment.js";
import { claimedCheckout, noteCheckout } from "../../plan/claim/claim-notes.js";
import { leaseMs } from "../../plan/claim/claim-terms.js";
import { EXPIRED_AT_ONCE, expireLeases } from "../../plan/claim/expire.js";
import { isOfOther } from "../../plan/claim/session-notes.js";
import { makeToken } from "../../plan/claim/token.js";
import { act, type Context } from "../../plan/context.js";
import { IN_FLIGHT } from "../../plan/holds/gather-surroundings.js";
import { resolve } from "../../plan/resolve.js";
import { type NodeView, toView } from "../../plan/view.js";
import type { Decision, InFlight, Reader, Writer } from "../../store/store.js";
import type { WorkSeeker } from "./nothing-ready.js";

export interface NextInput {
  readonly within?: string;
  readonly count?: number;
  readonly leaseMinutes?: number;
}

export async function next(context: Context, input: NextInput): Promise<Result<Assignment[]>> {
  const checkout = await claimedCheckout(context);
  let claimed = await claim(context, input, checkout, "look");
  if (claimed.ok && claimed.value === LEASES_ENDED) {
    await expireLeases(context);
    claimed = await claim(context, input, checkout, "looked");
  }
  if (!claimed.ok) return claimed;
  const assignments: Assignment[] = [];
  for (const drafted of claimed.value ?? []) assignments.push(await toAssignment(context, drafted, checkout));
  return ok(assignments);
}

/** A lease that ended is an operation of its own, before this one. */
const LEASES_ENDED = null;

/** One transaction, with a look at the leases in it: a second one for that would be a tenth of the work. */
async function claim(
  context: Context,
  input: NextInput,
  checkout: ClaimedCheckout | null,
  leases: "look" | "looked",
): Promise<Result<Drafted[] | typeof LEASES_ENDED>> {
  const committed = await act<Drafted[] | typeof LEASES_ENDED>(context, "next", async (writer, at) => {
    const inFlight = await writer.inFlight(IN_FLIGHT);
    if (leases === "look" && hasEnded(inFlight, at)) return ok({ sentence: "", changes: [], value: LEASES_ENDED });
    const asker = askerOf(context);
    const found = await candidates(writer, asker, input, { inFlight, returned: [] });
    const intact = found.ok ? await requireIntact(writer, found.value) : found;
    if (!intact.ok) return intact;
    const alsoYours = await heldBy(writer, asker, inFlight);
    const terms = { at, leaseMs: leaseMs(context, input), checkout, alsoYours };
    return found.ok ? ok(await assign(writer, context.actor, found.value, terms)) : found;
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

async function heldBy(
  reader: Reader,
  { actor, isElsewhere }: WorkSeeker,
  inFlight: readonly InFlight[],
): Promise<string[]> {
  const ids = inFlight.flatMap(({ id, by }) => (by === actor ? [id] : []));
  if (ids.length === 0) return ids;
  const elsewhere = new Set((await reader.byIds(ids)).filter(isElsewhere).map(({ id }) => id));
  return ids.filter((id) => !elsewhere.has(id));
}

interface Terms extends Pick<ClaimTerms, "at" | "leaseMs"> {
  readonly checkout: ClaimedCheckout | null;
  /** What the actor has claimed already. */
  readonly alsoYours: readonly string[];
}

async function assign(
  writer: Writer,
  by: Actor,
  nodes: readonly Node[],
  { checkout, alsoYours, ...terms }: Terms,
): Promise<Decision<Drafted[]>> {
  const { at } = terms;
  const changes: Change[] = [];
  const drafts: Drafted[] = [];
  for (const node of nodes) {
    const { token, hash } = await makeToken(writer);
    const patch = claimPatch(node, { by, token: hash, ...terms });
    changes.push(...changeNode(node, patch), ...(await noteCheckout(writer, node, checkout)));
    drafts.push(await draftAssignment(writer, { ...node, ...patch }, { token, until: at + terms.leaseMs }, alsoYours));
  }
  const last = nodes.at(-1) as Node;
  changes.push(...changeFocus(by, await writer.focus(by), last.nr));
  return { sentence: `${by} claimed ${nodes.map((node) => node.id).join(", ")}`, changes, value: drafts };
}

/** What `next` would give, without giving it. A claim whose lease has ended counts as given back. */
export function peek(context: Context, input: NextInput): Promise<Result<NodeView[]>> {
  return context.store.read(async (reader) => {
    const at = context.now();
    const inFlight = await reader.inFlight(IN_FLIGHT);
    const around = hasEnded(inFlight, at)
      ? await afterExpiry(reader, context, at, inFlight)
      : { inFlight, returned: [] };
    const found = await candidates(reader, askerOf(context), input, around);
    if (!found.ok) return found;
    const views: NodeView[] = [];
    for (const node of found.value) views.push(await toView(reader, node));
    return ok(views);
  });
}

/** What others are working on, and what would come back from those whose lease has ended. */
interface Around {
  readonly inFlight: readonly InFlight[];
  readonly returned: readonly Node[];
}

const hasEnded = (inFlight: readonly InFlight[], at: number): boolean => inFlight.some(({ until }) => until < at);

async function afterExpiry(reader: Reader, context: Context, at: number, all: readonly InFlight[]): Promise<Around> {
  const expired = await reader.claimed({ expiredBy: at, limit: EXPIRED_AT_ONCE });
  const returned = expired
    .map((node): Node => ({ ...node, ...expirePatch(node, at, context.settings.maxRetries, context.actor) }))
    .filter(isClaimable);
  const gone = new Set(returned.map(({ nr }) => nr));
  return { inFlight: all.filter(({ nr }) => !gone.has(nr)), returned };
}

const askerOf = ({ actor, root, conversation }: Context): WorkSeeker => ({
  actor,
  isElsewhere: (task) => isOfOther(root, conversation, task),
});

/** A person's focus comes first, then the whole plan; agents get the whole plan. */
async function candidates(
  reader: Reader,
  asker: WorkSeeker,
  { within, count: limit = 1 }: NextInput,
  around: Around,
): Promise<Result<Node[]>> {
  const { actor } = asker;
  const scope = within === undefined ? undefined : await resolve(reader, within, actor);
  if (scope && !scope.ok) return scope;
  if (scope) return orNothing(reader, asker, await mostUrgent(reader, limit, around, scope.value), scope.value);
  const focused = isPerson(actor) ? await focusScope(reader, actor) : undefined;
  if (!focused) return orNothing(reader, asker, await mostUrgent(reader, limit, around));
  const near = await mostUrgent(reader, limit, around, focused);
  if (near.length >= limit) return ok(near);
  const taken = new Set(near.map((node) => node.nr));
  const anywhere = await mostUrgent(reader, limit + near.length, around);
  return orNothing(reader, asker, [...near, ...anywhere.filter((node) => !taken.has(node.nr))].slice(0, limit));
}

/** How far `next` looks for a task that overlaps with nothing in progress. */
const MOST_LOOKED_AT = 2_000;

/** Few are read at first: mostly the most urgent one is free. */
async function mostUrgent(reader: Reader, limit: number, around: Around, within?: Node): Promise<Node[]> {
  const occupied = occupiedBy(around.inFlight);
  for (let looked = limit; ; looked = Math.min(looked * 20, MOST_LOOKED_AT)) {
    const ready = await ranked(reader, looked, around.returned, within);
    const free = freeTasks(ready, occupied, limit);
    if (free.length === limit || ready.length < looked || looked >= MOST_LOOKED_AT) return free;
  }
}

/** Tasks that nothing holds back, not even an earlier one of the same list. */
function freeTasks(ready: readonly Node[], occupied: readonly Occupied[], limit: number): Node[] {
  const taken = [...occupied];
  const free: Node[] = [];
  for (const node of ready) {
    if (free.length === limit) break;
    if (holds(node, { around: { ...ALONE, overlaps: overlapsOf(node, taken) } }, "self").length > 0) continue;
    free.push(node);
    taken.push(...occupiedBy([node]));
  }
  return free;
}

async function ranked(reader: Reader, limit: number, returned: readonly Node[], within?: Node): Promise<Node[]> {
  const ready = await reader.claimable({ ...(within ? { within } : {}), limit });
  if (returned.length === 0) return ready;
  const inside: Node[] = [];
  for (const node of returned) if (!within || (await isInside(reader, node, within))) inside.push(node);
  return [...ready, ...inside].sort(byUrgency).slice(0, limit);
}

const isInside = async (reader: Reader, node: Node, scope: Node): Promise<boolean> =>
  node.nr === scope.nr || (await reader.ancestors(node.nr)).some((above) => above.nr === scope.nr);

async function focusScope(reader: Reader, actor: string): Promise<Node | undefined> {
  const nr = await reader.focus(actor);
  const node = nr === null ? undefined : await reader.node(nr);
  return node?.tier === "task" && node.parent !== null ? reader.node(node.parent) : node;
}

async function orNothing(reader: Reader, asker: WorkSeeker, nodes: Node[], scope?: Node): Promise<Result<Node[]>> {
  if (nodes.length > 0) return ok(nodes);
  // Loaded only here: a plan in which something is ready needs none of it.
  return (await import("./nothing-ready.js")).nothingReady(reader, asker, scope);
}
