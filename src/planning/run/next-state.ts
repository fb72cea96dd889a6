// The plan as an operation will leave it: nodes with everything that was decided about them so far.

import { idKey } from "../../model/node/ids.js";
import { type Birth, type Node, type Nr, newNode } from "../../model/node/node.js";
import { type Change, changeNode, type NodeChange } from "../../model/operation/change.js";
import { hashOf } from "../../plan/node/approve.js";
import type { Writer } from "../../store/store.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { isSettledNode } from "../draft/plan-nodes.js";
import { sequence } from "../draft/sequence.js";

/** Who approves, and when. */
interface Approver {
  readonly by: string;
  readonly at: number;
}

export class NextState {
  readonly #writer: Writer;
  readonly #at: number;
  readonly #births = new Map<string, NodeChange>();
  /** Ids of nodes that are only being made. */
  readonly #ids = new Map<Nr, string>();
  readonly #patches = new Map<Nr, Change["after"][]>();
  readonly changes: Change[] = [];

  constructor(writer: Writer, changes: readonly Change[], at: number) {
    this.#writer = writer;
    this.#at = at;
    this.#put(changes);
  }

  #put(changes: readonly Change[]): void {
    for (const change of changes) {
      this.changes.push(change);
      if (change.entity !== "node") continue;
      if (change.before === null) {
        const id = change.after?.id ?? "";
        this.#births.set(idKey(id), change);
        this.#ids.set(change.key, id);
      } else {
        const known = this.#patches.get(change.key);
        if (known) known.push(change.after);
        else this.#patches.set(change.key, [change.after]);
      }
    }
  }

  async node(id: string): Promise<Node | undefined> {
    const birth = this.#births.get(idKey(id));
    const start = birth ? newNode(birth.key, birth.after as Birth, this.#at) : await this.#writer.byId(id);
    return start && this.#patched(start);
  }

  #patched(start: Node): Node {
    const patches = this.#patches.get(start.nr) ?? [];
    return patches.length === 0 ? start : (Object.assign({}, start, ...patches) as Node);
  }

  async nr(id: string): Promise<Nr | undefined> {
    return this.#births.get(idKey(id))?.key ?? (await this.#writer.byId(id))?.nr;
  }

  async #above(node: Node): Promise<Node | undefined> {
    if (node.parent === null) return undefined;
    const id = this.#ids.get(node.parent);
    if (id !== undefined) return this.node(id);
    const parent = await this.#writer.node(node.parent);
    return parent && this.#patched(parent);
  }

  /** In an inbox, where nothing runs: whatever is in it is not approved by the way. */
  async #isShelved(node: Node): Promise<boolean> {
    for (let at: Node | undefined = node; at; at = await this.#above(at)) if (at.inbox) return true;
    return false;
  }

  /** Keeps tasks apart that touch the same files: edges that only delay. */
  async order(draft: PlanDraft): Promise<void> {
    for (const { task, on } of sequence(draft).added) {
      const [node, other] = [await this.node(task), await this.nr(on)];
      if (!node || other === undefined || node.dependsOn.some((edge) => edge.on === other) || isSettledNode(node))
        continue;
      const dependsOn = [...node.dependsOn, { on: other, origin: "sequence" as const }];
      this.#put(changeNode(node, { dependsOn }));
    }
  }

  /** What this operation makes or changes, and what was approved before; `ids` are all that it is about. */
  async approve(ids: readonly string[], touched: ReadonlySet<string>, approver: Approver): Promise<string[]> {
    const approved: string[] = [];
    for (const id of ids) {
      const node = await this.node(id);
      if (!node || isSettledNode(node) || (!touched.has(idKey(id)) && node.approval === null)) continue;
      if (await this.#isShelved(node)) continue;
      if (await this.#approveOne(node, approver)) approved.push(node.id);
    }
    return [...approved, ...(await this.#approveLandings(touched, approver))];
  }

  async #approveOne(node: Node, approver: Approver, renew = false): Promise<boolean> {
    const named = [node.parent, ...node.dependsOn.map(({ on }) => on)];
    const hash = await hashOf(
      this.#writer,
      node,
      named.flatMap((nr) => this.#fresh(nr)),
    );
    if (!renew && node.approval?.hash === hash) return false;
    this.#put(changeNode(node, { approval: { ...approver, hash } }));
    return true;
  }

  #fresh(nr: Nr | null): [Nr, string][] {
    const id = nr === null ? undefined : this.#ids.get(nr);
    const uuid = id === undefined ? undefined : this.#births.get(idKey(id))?.after?.uuid;
    return nr === null || uuid === undefined ? [] : [[nr, uuid]];
  }

  /** Work that joins an approved feature lands with it: its open land task, or the one that it gets now. */
  async #approveLandings(touched: ReadonlySet<string>, approver: Approver): Promise<string[]> {
    const approved: string[] = [];
    for (const feature of await this.#featuresOf(touched)) {
      if (feature.approval === null || isSettledNode(feature) || (await this.#isShelved(feature))) continue;
      const children = await this.#writer.children(feature.nr);
      const land = children.find((node) => node.kind === "land" && !isSettledNode(node));
      if (land && (await this.#approveOne(land, approver))) approved.push(land.id);
      // The store approves a land task with a feature that is approved in the same operation.
      if (!land && feature.approval.at !== approver.at) await this.#approveOne(feature, approver, true);
    }
    return approved;
  }

  /** Features of the plan that these nodes are in. */
  async #featuresOf(ids: ReadonlySet<string>): Promise<Node[]> {
    const features = new Map<Nr, Node>();
    for (const id of ids) {
      let at = await this.node(id);
      while (at && at.tier !== "feature") at = await this.#above(at);
      if (at && !this.#births.has(idKey(at.id))) features.set(at.nr, at);
    }
    return [...features.values()];
  }
}
