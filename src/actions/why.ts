// Why a node stands where it does: the chain of causes down to the first of them, and what to type.

import { isContainer, type Node, type Nr } from "../graph/node.js";
import { ok, type Result } from "../graph/result.js";
import { type DerivedStatus, deriveStatus, type Reason, type Status } from "../graph/status.js";
import { type Cause, type Circumstances, type Explanation, explain } from "../graph/why.js";
import type { Link, Reader } from "../store/store.js";
import type { Context } from "./context.js";
import { resolve } from "./resolve.js";

export interface WhyStep {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly reason: Reason;
  /** Everything that stands in its way, in plain words. */
  readonly sentences: readonly string[];
}

export interface Why {
  readonly id: string;
  readonly status: Status;
  readonly reason: Reason;
  readonly because: readonly string[];
  /** Further reasons that apply. */
  readonly also: readonly Reason[];
  /** What to type, in order. None of it takes anything away. */
  readonly unblock: readonly string[];
  /** From the node down to the first cause. */
  readonly chain: readonly WhyStep[];
  /** Why the chain ends before its first cause, if it does. */
  readonly cut: "long" | "cycle" | null;
}

const LONGEST = 20;

export function why(context: Context, reference: string): Promise<Result<Why>> {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context.actor);
    return node.ok ? ok(await follow(reader, context, node.value)) : node;
  });
}

interface Looked extends Circumstances {
  readonly explanations: readonly Explanation[];
  /** The explanation whose cause comes next in the chain. */
  readonly followed: Explanation | undefined;
}

async function follow(reader: Reader, context: Context, first: Node): Promise<Why> {
  const chain: Looked[] = [];
  const seen = new Set<Nr>();
  let cut: Why["cut"] = null;
  for (let node: Node | undefined = first; node; ) {
    seen.add(node.nr);
    const looked: Looked = await look(reader, context, node);
    chain.push(looked);
    const cause = looked.followed?.cause;
    node = cause === undefined ? undefined : await reader.byId(cause);
    if (!node) break;
    if (seen.has(node.nr)) cut = "cycle";
    else if (chain.length === LONGEST) cut = "long";
    if (cut !== null) break;
  }
  const { status, reason, because, also } = (chain[0] as Looked).derived;
  return { id: first.id, status, reason, because, also, unblock: commands(chain, cut), chain: chain.map(toStep), cut };
}

const toStep = ({ node, derived, explanations }: Looked): WhyStep => ({
  id: node.id,
  title: node.title,
  status: derived.status,
  reason: derived.reason,
  sentences: explanations.map(({ sentence }) => sentence),
});

/** What is decided about a container comes before what is in it, a cause before what waits for it; and what
 *  is approved with its container needs no approval of its own. */
function commands(chain: readonly Looked[], cut: Why["cut"]): string[] {
  if (cut === "cycle") return ["planwright lint"];
  const own: string[][] = [];
  let covered = false;
  for (const [i, { node, explanations, followed }] of chain.entries()) {
    const goesOn = i < chain.length - 1;
    const typed = explanations.flatMap((e) => (goesOn && e === followed ? [] : e.unblock));
    const approve = `planwright approve ${node.id}`;
    own.push(covered ? typed.filter((command) => command !== approve) : typed);
    covered = isContainer(node) && (covered || typed.includes(approve));
  }
  const order = own.reduceRight<string[]>(
    (deeper, typed, i) => (isContainer((chain[i] as Looked).node) ? [...typed, ...deeper] : [...deeper, ...typed]),
    [],
  );
  return [...new Set(order)];
}

async function look(reader: Reader, context: Context, node: Node): Promise<Looked> {
  // A land task waits for its whole feature; of that the surroundings name enough.
  const links = node.pending > 0 && node.kind !== "land" ? await reader.dependencies(node) : [];
  const around = await reader.surroundings(node, links);
  const derived: DerivedStatus = deriveStatus(node, around);
  const unmet = isContainer(node) ? links : around.dependencies;
  const behind = (state: Link["state"]): Cause[] =>
    unmet.filter((d) => d.state === state).map(({ id }) => ({ id, ...landingOf(links, id) }));
  const circumstances: Circumstances = {
    node,
    derived,
    actor: context.actor,
    now: context.now(),
    pending: node.kind === "land" ? await toLand(reader, node, behind("pending")) : behind("pending"),
    rejected: behind("rejected"),
    dropped: behind("dropped"),
    heldBy: await holderOf(reader, node),
    openChildren: await withWork(reader, around.openChildren),
    conflicts: around.conflicts,
    frozenFrom: await nameOf(reader, node, node.freeze?.from),
    archivedWith: await nameOf(reader, node, node.archive?.root),
  };
  const explanations = explain(circumstances);
  return { ...circumstances, explanations, followed: explanations.find((e) => e.cause !== undefined) };
}

/** What is named there as waited for may stand for the landing of something else. */
function landingOf(links: readonly Link[], id: string): Pick<Cause, "landing"> {
  const link = links.find((each) => each.id === id);
  return link && link.node.nr !== link.target.nr ? { landing: link.target.id } : {};
}

/** The container whose dependencies it waits for, if it has none of its own to wait for. */
async function holderOf(reader: Reader, node: Node): Promise<string | null> {
  if (!node.held || node.pending > 0) return null;
  const holder = (await reader.ancestors(node.nr)).find((above) => above.pending > 0);
  return holder?.id ?? null;
}

/** A land task whose feature is still empty waits for that feature. */
async function toLand(reader: Reader, land: Node, causes: Cause[]): Promise<Cause[]> {
  const [only] = causes;
  const target = only && causes.length === 1 ? await reader.byId(only.id) : undefined;
  return target && target.nr === land.feature ? [{ id: target.id, empty: true }] : causes;
}

/** An inbox or an empty feature holds nothing up as long as something else does. */
async function withWork(reader: Reader, ids: readonly string[]): Promise<readonly string[]> {
  for (const [i, id] of ids.entries()) {
    const child = await reader.byId(id);
    const idle = child?.inbox || (child?.tier === "feature" && child.tasksLive === 0);
    if (!idle) return ids.slice(i);
  }
  return ids;
}

const nameOf = async (reader: Reader, node: Node, nr: Nr | undefined): Promise<string> =>
  nr === undefined || nr === node.nr ? node.id : ((await reader.node(nr))?.id ?? node.id);
