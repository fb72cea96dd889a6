// Finds a path of waiting between nodes. A node waits for its dependencies and for those of its containers, a container for
// its children, a land task for its feature's tasks, and a dependency on another feature for that feature's landing, so for
// all its tasks.
//
// The search runs from both ends and always widens the smaller one, so it ends as soon as one side is exhausted. Nothing waits
// for a new task, so checking one is cheap however many dependencies it has.

import type { Nr } from "../../model/node/node.js";
import { CODE } from "../../model/status/rollup.js";
import type { Database } from "../database.js";
import { INSIDE } from "../rows/node-rows.js";
import { numbersIn } from "../rows/values.js";

/** Its own dependencies and those of its containers. */
const BOUND_BY = `
  with recursive bound (nr) as (
    select cast(? as bigint)
    union all
    select node.parent from node join bound on node.nr = bound.nr where node.parent is not null
  )
  select edge.target as nr from bound cross join edge where edge.node = bound.nr
  union all
  select other.feature from bound cross join edge cross join node as self cross join node as other
  where edge.node = bound.nr and self.nr = edge.node and other.nr = edge.target
    and other.feature is not null and other.feature is distinct from self.feature
    and (other.kind = '${CODE.kind}' or other.tier = '${CODE.tier}')`;

const WAITS_FOR = `${BOUND_BY}
  union all
  select nr from node where parent = ?
  union all
  select beside.nr from node as land join node as beside on beside.parent = land.parent
  where land.nr = ? and land.kind = 'land' and land.outcome is null and beside.kind is distinct from 'land'`;

const IS_AWAITED_BY = `
  with recursive bound (nr) as (
    select node from edge where target = ?
    union
    select node.nr from node join bound on node.parent = bound.nr
  )
  select nr from bound
  union all
  select parent from node where nr = ? and parent is not null
  union all
  select land.nr from node as self join node as land on land.parent = self.parent
  where self.nr = ? and self.kind is distinct from 'land' and land.kind = 'land' and land.outcome is null`;

const AWAITED_FEATURE = "select 1 as found from node where nr = ? and awaited > 0";

/** `cross join` keeps this order; otherwise SQLite goes through all edges of the plan. */
const WAITS_FOR_LANDING = `${INSIDE}, bound (nr) as (
    select edge.node from inside cross join node as target cross join edge cross join node
    where target.nr = inside.nr and (target.kind = '${CODE.kind}' or target.tier = '${CODE.tier}')
      and edge.target = inside.nr and node.nr = edge.node and node.feature is distinct from ?
    union
    select node.nr from node join bound on node.parent = bound.nr
  )
  select nr from bound`;

type Step = (nr: Nr) => Promise<Nr[]>;

class Side {
  readonly cameFrom = new Map<Nr, Nr | null>();
  readonly #queue: Nr[] = [];
  readonly #step: Step;
  #next = 0;

  constructor(starts: readonly Nr[], step: Step) {
    this.#step = step;
    for (const nr of starts) this.#reach(nr, null);
  }

  get waiting(): number {
    return this.#queue.length - this.#next;
  }

  #reach(nr: Nr, from: Nr | null): void {
    if (this.cameFrom.has(nr)) return;
    this.cameFrom.set(nr, from);
    this.#queue.push(nr);
  }

  /** Takes one step. The result is the node where it met the other side, if it did. */
  async widen(other: Side): Promise<Nr | undefined> {
    const at = this.#queue[this.#next++] as Nr;
    if (other.cameFrom.has(at)) return at;
    for (const nr of await this.#step(at)) this.#reach(nr, at);
    return undefined;
  }

  trace(end: Nr): Nr[] {
    const path: Nr[] = [];
    for (let at: Nr | null = end; at !== null; at = this.cameFrom.get(at) ?? null) path.unshift(at);
    return path;
  }
}

const NUMBERS_BELOW = `${INSIDE} select nr from inside`;

export const numbersBelow = async (db: Database, nr: Nr): Promise<Nr[]> => numbersIn(await db.all(NUMBERS_BELOW, nr));

/** What a node and everything inside it waits for. */
export const boundBy = async (db: Database, nr: Nr): Promise<Nr[]> => numbersIn(await db.all(BOUND_BY, nr));

export const waitsFor = async (db: Database, nr: Nr): Promise<Nr[]> => numbersIn(await db.all(WAITS_FOR, nr, nr, nr));

/** The path from one of `from` to one of `to`, both ends included. */
export async function findPath(db: Database, from: readonly Nr[], to: readonly Nr[]): Promise<Nr[] | undefined> {
  const forward = new Side(from, (nr) => waitsFor(db, nr));
  const backward = new Side(to, async (nr) => {
    const behind = numbersIn(await db.all(IS_AWAITED_BY, nr, nr, nr));
    const landing = (await db.get(AWAITED_FEATURE, nr)) ? numbersIn(await db.all(WAITS_FOR_LANDING, nr, nr)) : [];
    return [...behind, ...landing];
  });
  while (forward.waiting > 0 && backward.waiting > 0) {
    const side = forward.waiting <= backward.waiting ? forward : backward;
    const met = await side.widen(side === forward ? backward : forward);
    if (met !== undefined) return [...forward.trace(met), ...backward.trace(met).reverse().slice(1)];
  }
  return undefined;
}
