// One row of the tree: a node with its status, its progress, and how its checks ended.

import { isContainer, type Kind, type Node, type Tier } from "../../model/node/node.js";
import { progressOf } from "../../model/status/rollup.js";
import { isStale } from "../../model/status/stale.js";
import { deriveStatus, type Reason, type Status } from "../../model/status/status.js";
import { gatherSurroundings, occupiedNow } from "../../plan/holds/hold-reader.js";
import { isoTime } from "../../plan/node/view.js";
import type { Reader } from "../../store/store.js";
import { checkMarks, type FeatureLanding, isReadyToLand, landingOf } from "./proof-marks.js";

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
  /** Of a feature: only its landing is left, and it may land. */
  readonly readyToLand: boolean;
  readonly updatedAt: string;
}

export class TreeRows {
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
      readyToLand: await isReadyToLand(this.#reader, node, because),
      updatedAt: isoTime(node.updatedAt),
    };
  }
}

const BECAUSE_SHOWN = 5;

const PERSONS: ReadonlySet<Reason> = new Set<Reason>([
  "human",
  "rejected",
  "unapproved",
  "approval-unknown",
  "approval-stale",
  "budget",
]);
