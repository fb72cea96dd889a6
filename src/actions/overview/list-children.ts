// The children of one node, page by page: a tree of any size opens branch by branch.

import { isContainer, type Kind, type Node, type Nr, type Tier } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { progressOf } from "../../graph/status/rollup.js";
import { isStale } from "../../graph/status/stale.js";
import { deriveStatus, type Reason, type Status } from "../../graph/status/status.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { gatherSurroundings, occupiedNow } from "../holds/gather-surroundings.js";
import { resolve } from "../resolve.js";
import { isoTime } from "../view.js";
import { checkMarks, type FeatureLanding, landingOf } from "./proof-marks.js";

export interface TreeRow {
  readonly id: string;
  readonly title: string;
  readonly tier: Tier;
  readonly kind: Kind | null;
  readonly status: Status;
  readonly reason: Reason;
  /** The ids, or the phrase, behind the reason. */
  readonly because: readonly string[];
  /** Only a person can move it. */
  readonly waitsForPerson: boolean;
  readonly progress: { readonly finished: number; readonly total: number } | null;
  /** It can be opened. */
  readonly hasChildren: boolean;
  readonly priority: number | null;
  readonly hours: number | null;
  /** How each check ended last; null if it has not run. */
  readonly checks: readonly (boolean | null)[];
  readonly landed: FeatureLanding | null;
  readonly updatedAt: string;
}

export interface TreePage {
  /** The node itself; null for the top. */
  readonly node: TreeRow | null;
  /** From the node's parent to the top. */
  readonly above: readonly { readonly id: string; readonly title: string; readonly tier: Tier }[];
  readonly children: readonly TreeRow[];
  readonly from: number;
  readonly total: number;
}

export interface TreeInput {
  readonly reference?: string;
  readonly from?: number;
  readonly limit?: number;
  readonly all?: boolean;
}

const USUAL_LIMIT = 200;

export function listChildren(context: Context, input: TreeInput = {}): Promise<Result<TreePage>> {
  const { reference, from = 0, limit = USUAL_LIMIT, all = false } = input;
  return context.store.read(async (reader) => {
    const node = reference === undefined ? undefined : await resolve(reader, reference, context.actor);
    if (node && !node.ok) return node;
    const rows = new TreeRows(reader);
    const children = (await reader.children(node?.value.nr ?? null)).filter(
      (child) => all || isShown(child, node?.value),
    );
    const page: TreeRow[] = [];
    for (const child of children.slice(from, from + limit)) page.push(await rows.of(child));
    return ok({
      node: node ? await rows.of(node.value) : null,
      above: node ? await above(reader, node.value.nr) : [],
      children: page,
      from,
      total: children.length,
    });
  });
}

/** An open land task has no purpose before there is something to land. */
const isShown = (child: Node, parent: Node | undefined): boolean =>
  child.archive === null &&
  child.outcome?.kind !== "dropped" &&
  (child.kind !== "land" || child.outcome !== null || (parent?.tasksLive ?? 1) > 0);

const above = async (reader: Reader, nr: Nr): Promise<TreePage["above"]> =>
  (await reader.ancestors(nr)).map(({ id, title, tier }) => ({ id, title, tier }));

class TreeRows {
  readonly #reader: Reader;
  #occupied: ReturnType<typeof occupiedNow> | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async of(node: Node): Promise<TreeRow> {
    const occupied = await (this.#occupied ??= occupiedNow(this.#reader));
    const { status, reason, because } = deriveStatus(node, await gatherSurroundings(this.#reader, node, { occupied }));
    return {
      id: node.id,
      title: node.title,
      tier: node.tier,
      kind: node.kind,
      status,
      reason,
      because: because.slice(0, BECAUSE_SHOWN),
      waitsForPerson: PERSONS.has(reason) || isStale(node),
      progress: progressOf(node),
      hasChildren: isContainer(node) && node.live > 0,
      priority: node.priority,
      hours: node.estimateHours,
      checks: checkMarks(node),
      landed: await landingOf(this.#reader, node),
      updatedAt: isoTime(node.updatedAt),
    };
  }
}

const BECAUSE_SHOWN = 5;

const PERSONS: ReadonlySet<Reason> = new Set<Reason>(["human", "rejected", "unapproved", "approval-stale", "budget"]);
