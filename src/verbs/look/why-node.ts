// Why a node stands where it does: the chain of causes down to the first of them, and what to do.

import { failureDetails } from "../../model/attempt/failure-view.js";
import { placesOf } from "../../model/conflict/conflict.js";
import { type NextStep, step } from "../../model/next-step.js";
import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { type Failure, ok } from "../../model/result.js";
import { type DerivedStatus, deriveStatus, type Surroundings } from "../../model/status/status.js";
import {
  type Cause,
  type Circumstances,
  type Explained,
  explain,
  explainForEngines,
  type Meeting,
} from "../../model/status/why.js";
import { isInterrupted } from "../../plan/attempt/interrupted-work.js";
import type { Context } from "../../plan/base/context.js";
import { resolve } from "../../plan/base/resolve.js";
import { gatherSurroundings } from "../../plan/base/surroundings.js";
import { HoldReader } from "../../plan/holds/hold-reader.js";
import type { Link, Reader } from "../../store/store.js";
import { openQuestions } from "../node/read-node.js";

export type Why = Awaited<ReturnType<typeof follow>>;

type Steps = Map<string, NextStep>;

const addStep = (steps: Steps, next: NextStep): Steps => steps.set(JSON.stringify(next), next);

const MAX_CHAIN_SHOWN = 20;
/** Causes of a node that are followed, and steps that are given. */
const MAX_STEPS = 5;
/** Nodes that are looked at, also where one approval covers them all and gives a single step. */
const MAX_NODES_READ = 30;

export function why(context: Context, reference: string) {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context);
    return node.ok ? ok(await follow(reader, context, node.value)) : node;
  });
}

interface Explanation extends Pick<Circumstances, "node" | "derived"> {
  readonly around: Surroundings;
  readonly explanations: readonly Explained[];
  /** What it depends on, as far as that was read. */
  readonly links: readonly Link[];
}

/** One question: every node is looked at once, and what others depend on is not read again. */
class Search {
  readonly #reader: Reader;
  readonly #context: Context;
  readonly #looked = new Map<Nr, Explanation>();
  readonly #byId = new Map<string, Node>();

  constructor(reader: Reader, context: Context) {
    this.#reader = reader;
    this.#context = context;
  }

  async look(node: Node): Promise<Explanation> {
    const known = this.#looked.get(node.nr);
    if (known) return known;
    const looked = await look(this.#reader, this.#context, node);
    this.#looked.set(node.nr, looked);
    for (const link of looked.links) this.#byId.set(link.node.id, link.node);
    return looked;
  }

  /** Goes from cause to cause, always to the first one. */
  async chain(first: Node): Promise<{ chain: Explanation[]; cut: "long" | "cycle" | null }> {
    const chain: Explanation[] = [];
    for (let node: Node | undefined = first; node; ) {
      if (chain.some((step) => step.node.nr === node?.nr)) return { chain, cut: "cycle" };
      if (chain.length === MAX_CHAIN_SHOWN) return { chain, cut: "long" };
      const looked: Explanation = await this.look(node);
      chain.push(looked);
      const cause = looked.explanations.find((e) => e.causes)?.causes?.[0];
      node = cause === undefined ? undefined : (this.#byId.get(cause) ?? (await this.#reader.byId(cause)));
    }
    return { chain, cut: null };
  }

  /** What can be done now: about a container before what is in it, about a cause before what waits for it. */
  async steps(first: Node): Promise<NextStep[]> {
    const found: Steps = new Map();
    const approved = new Set<Nr>();
    const seen = new Set<Nr>();
    const visit = async (node: Node, depth: number): Promise<void> => {
      if (seen.has(node.nr) || found.size >= MAX_STEPS || seen.size >= MAX_NODES_READ) return;
      seen.add(node.nr);
      const { explanations } = await this.look(node);
      const own = async (): Promise<void> => {
        for (const { next, causes, later } of explanations) {
          if (later || (causes && depth < MAX_CHAIN_SHOWN)) continue;
          for (const each of next) if (!(await this.#covers(approved, node, each))) addStep(found, each);
        }
      };
      if (isContainer(node)) await own();
      if (depth < MAX_CHAIN_SHOWN) for (const cause of await this.#causes(explanations)) await visit(cause, depth + 1);
      if (!isContainer(node)) await own();
    };
    await visit(first, 1);
    return [...found.values()].slice(0, MAX_STEPS);
  }

  async #causes(explanations: readonly Explained[]): Promise<Node[]> {
    const nodes: Node[] = [];
    for (const id of explanations.flatMap((e) => e.causes?.slice(0, MAX_STEPS) ?? [])) {
      const node = this.#byId.get(id) ?? (await this.#reader.byId(id));
      if (node) nodes.push(node);
    }
    return nodes;
  }

  /** What is approved with its container needs no approval of its own. */
  async #covers(approved: Set<Nr>, node: Node, { operation, needs }: NextStep): Promise<boolean> {
    if (operation !== "approve" || needs !== undefined) return false;
    const above = approved.size === 0 ? [] : await this.#reader.ancestors(node.nr);
    if (above.some(({ nr }) => approved.has(nr))) return true;
    approved.add(node.nr);
    return false;
  }
}

/**
 * `also`: further reasons that apply. `next`: what can be done now, a few steps for the first causes; none removes anything. `chain`:
 * from the node down to the first cause; `cut`: why it ends before that, if it does. `questions`: questions that hold it up as well.
 */
async function follow(reader: Reader, context: Context, first: Node) {
  const search = new Search(reader, context);
  const { chain, cut } = await search.chain(first);
  const { status, reason, because, also } = (chain[0] as Explanation).derived;
  const questions = await openQuestions(reader, first);
  const holds = new HoldReader(context);
  const steps = [];
  const forEngines: Steps = new Map();
  for (const each of chain) {
    const looked = await toStep(reader, context, holds, each);
    steps.push(looked.step);
    for (const way of looked.next) addStep(forEngines, way);
  }
  const obstacle = chain.some(({ derived }) => isForWorkers(derived)) ? await context.cannotRun() : null;
  for (const way of obstacle?.next ?? []) addStep(forEngines, way);
  const further = [...forEngines.values()].slice(0, MAX_STEPS - 1);
  const found = cut === "cycle" ? [step("lint")] : await search.steps(first);
  // A question about handed-in work offers more than to accept it.
  const [asked] = first.acceptance?.state === "pending" ? questions : [];
  const now = asked ? [asked.answer, ...found.filter(({ operation }) => operation !== "accept")] : found;
  const next = [...now.slice(0, MAX_STEPS - further.length), ...further];
  const shown = obstacle === null ? steps : steps.map((each) => withObstacle(each, obstacle));
  return { id: first.id, status, reason, because, also, next, chain: shown, cut, questions };
}

/** Nothing in the plan holds it: whether it begins is decided by what is around the plan. */
const isForWorkers = ({ reason }: Pick<DerivedStatus, "reason">): boolean => reason === "claimable";

function withObstacle<T extends Pick<DerivedStatus, "reason"> & { readonly sentences: readonly string[] }>(
  each: T,
  { message }: Failure,
): T {
  return isForWorkers(each) ? { ...each, sentences: [...each.sentences, `No worker can begin it. ${message}`] } : each;
}

/** `sentences`: everything that stands in its way, in plain words. `holds`: the same as data, also what holds only engines. */
async function toStep(reader: Reader, context: Context, holds: HoldReader, explanation: Explanation) {
  const { node, derived, explanations, around } = explanation;
  // Without a commit to begin from no engine works here.
  const asker = context.head() === null ? "self" : "daemon";
  const held = await holds.holds(reader, node, asker, around);
  const forEngines = held.map((hold) => explainForEngines(node, hold)).filter((each) => each !== undefined);
  const before = derived.reason === "human" && node.kind === "land" ? await landingNotes(reader, context, node) : [];
  const lost = derived.reason === "terminal" ? await lostLanding(reader, context, node) : null;
  const failed = await failedChecks(reader, node, derived.reason);
  const sentences = [...explanations, ...forEngines, ...(lost ? [lost] : [])].map(({ sentence }) => sentence);
  const { id, title } = node;
  const { status, reason } = derived;
  return {
    step: { id, title, status, reason, sentences: [...sentences, ...before], failed: failed.lines, holds: held },
    next: [...forEngines.flatMap(({ next }) => next), ...(lost?.next ?? []), ...failed.next],
  };
}

/** What the checks said that rejected it, or that kept it from landing, and where all of it is. */
async function failedChecks(reader: Reader, { nr, kind, report }: Node, reason: DerivedStatus["reason"]) {
  const isLanding = kind === "land" && reason === "human";
  if (reason !== "rejected" && !isLanding) return { lines: [], next: [] };
  const [last] = await reader.items("attempt", { owner: String(nr), newest: true, limit: 1 });
  const tried = last === undefined || last.fields.failure === null ? undefined : last;
  const checks = tried ? [...tried.fields.checks, ...tried.fields.mergedChecks] : isLanding ? [] : report?.checks;
  const lines = failureDetails(checks ?? []);
  return { lines, next: tried && lines.length > 0 ? [step("attempt.show", { id: tried.key, output: true })] : [] };
}

async function lostLanding(reader: Reader, context: Context, node: Node) {
  if (context.head() === null || (node.kind !== "land" && node.tier !== "feature")) return null;
  return (await import("../../plan/repository/lost-landings.js")).lostLandingOf(reader, context, node);
}

/** What stands in the way of a landing besides the plan. Git is loaded only here. */
async function landingNotes(reader: Reader, context: Context, node: Node): Promise<string[]> {
  const feature = context.head() === null || node.feature === null ? undefined : await reader.idOf(node.feature);
  const last = await lastLanding(reader, node);
  if (feature === undefined) return last;
  const { deletedBranchWords } = await import("../../plan/repository/main-branch.js");
  const deleted = await deletedBranchWords(context.root, feature);
  return deleted === null ? last : [...last, deleted];
}

async function lastLanding(reader: Reader, { nr }: Node): Promise<string[]> {
  const [last] = await reader.items("attempt", { owner: String(nr), newest: true, limit: 1 });
  const failed = last && last.fields.state !== "accepted" && last.fields.endedAt !== null;
  return failed ? [`${last.key} tried to land it and failed: ${last.fields.note}`] : [];
}

/** What most nodes do not have is asked about here, not in a function for it: every `await` takes a short command time. */
async function look(reader: Reader, context: Context, node: Node): Promise<Explanation> {
  // A land task waits for its whole feature; of that the surroundings name enough.
  const isLand = node.kind === "land";
  const links = node.pending > 0 && !isLand ? await reader.dependencies(node) : [];
  const around = await gatherSurroundings(reader, node, { links, checksApproval: true });
  const derived = deriveStatus(node, around);
  const unmet = isContainer(node) ? links : around.dependencies;
  const behind = (state: Link["state"]): Cause[] =>
    unmet.filter((d) => d.state === state).map(({ id }) => ({ id, ...landingOf(links, id) }));
  const [rejected, dropped] = [behind("rejected"), behind("dropped")];
  const held = new Set(around.landing.map(({ id }) => id));
  const causes = behind("pending").filter(({ id }) => !held.has(id));
  // How much it waits for, beyond what is named.
  const feature = isLand && node.feature !== null ? await reader.node(node.feature) : undefined;
  const total = node.pending + (feature ? feature.tasksLive - feature.tasksFinished : 0);
  const { openChildren, openTotal, underWay } = isContainer(node) ? await inside(reader, node, around) : EMPTY;
  const circumstances: Circumstances = {
    node,
    derived,
    actor: context.actor,
    now: context.now(),
    interrupted: derived.reason === "in-flight" && (await isInterrupted(reader, context, node)),
    pending: causes,
    landing: around.landing,
    pendingTotal: Math.max(causes.length, total - rejected.length - dropped.length - around.conflicts.length),
    rejected,
    dropped,
    staleAbove: around.staleAbove,
    heldBy: node.held && node.pending === 0 ? await holderOf(reader, node) : null,
    openChildren,
    openTotal,
    underWay,
    conflicts: [
      ...(around.conflicts.length === 0 ? [] : await meetings(reader, node, around.conflicts)),
      ...around.overlaps.map((each) => ({ id: each.id, conflict: null, places: placesOf(each) })),
    ],
    frozenFrom: node.freeze === null ? node.id : await nameOf(reader, node, node.freeze.from),
    archivedWith: node.archive === null ? node.id : await nameOf(reader, node, node.archive.root),
    lands: isLand && context.head() !== null ? await nameOf(reader, node, node.feature) : null,
  };
  return { node, derived, around, explanations: explain(circumstances), links };
}

async function meetings(reader: Reader, { nr }: Node, ids: readonly string[]): Promise<Meeting[]> {
  const known = await reader.items("conflict", { owner: String(nr), newest: true });
  const found: Meeting[] = [];
  for (const id of ids) {
    const first = await reader.byId(id);
    const item = known.find(({ fields }) => fields.first === first?.nr);
    found.push({ id, conflict: item?.key ?? null, places: item ? placesOf(item.fields) : "" });
  }
  return found;
}

/** What is named there as waited for may stand for the landing of something else. */
function landingOf(links: readonly Link[], id: string): Pick<Cause, "landing"> {
  const link = links.find((each) => each.id === id);
  return link && link.node.nr !== link.target.nr ? { landing: link.target.id } : {};
}

async function holderOf(reader: Reader, node: Node): Promise<string | null> {
  const holder = (await reader.ancestors(node.nr)).find((above) => above.pending > 0);
  return holder?.id ?? null;
}

type OpenWork = Pick<Circumstances, "openChildren" | "openTotal" | "underWay">;

const EMPTY: OpenWork = { openChildren: [], openTotal: 0, underWay: false };

/** What is open in a container. An inbox or an empty feature holds nothing up as long as something else does. */
async function inside(reader: Reader, node: Node, { openChildren, begun, startable }: Surroundings): Promise<OpenWork> {
  const busy: string[] = [];
  let underWay = begun || startable || node.tasksFinished > 0;
  for (const id of openChildren) {
    const child = await reader.byId(id);
    if (!child || child.inbox || (child.tier === "feature" && child.tasksLive === 0)) continue;
    busy.push(id);
    underWay ||= child.approval !== null || child.finished > 0 || child.tasksFinished > 0;
  }
  const shown = busy.length > 0 ? busy : openChildren;
  const unseen = Math.max(0, node.live - node.finished - openChildren.length);
  return { openChildren: shown, openTotal: shown.length + unseen, underWay };
}

const nameOf = async (reader: Reader, node: Node, nr: Nr | null): Promise<string> =>
  nr === null || nr === node.nr ? node.id : ((await reader.idOf(nr)) ?? node.id);
