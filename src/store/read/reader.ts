// The reads of the store, each one statement or a short walk over indexes. Limits are part of the statement: with a
// parameter SQLite plans the query again at each call (68 instead of 4 µs).

import type { Actor } from "../../model/actor.js";
import type { Entity, Item } from "../../model/item/item.js";
import { shortFormsOf, uuidPrefix } from "../../model/node/ids.js";
import { byUrgency, type Node, type Nr, TITLE_LIMIT } from "../../model/node/node.js";
import { pickTitles, titleKey } from "../../model/node/resolve.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { landingHolds } from "../../model/status/landing.js";
import type { Database, Row, Value } from "../database.js";
import type { LogLink, PlanEnd } from "../log-witness.js";
import { People } from "../people/people.js";
import { listItems, readDocument, readItem } from "../rows/items.js";
import { CHAIN_END, changeNr, latestOp, readChainedFrom, toChange, toOperation } from "../rows/log-rows.js";
import { FOOTPRINT, NODE, NODE_BY_NR, toFootprint, toNode } from "../rows/node-rows.js";
import type {
  ChildPage,
  ClaimableQuery,
  DensityQuery,
  InFlight,
  ItemQuery,
  Link,
  ListedRow,
  ListQuery,
  LogQuery,
  Matches,
  OpenNode,
  PeopleOptions,
  Reader,
} from "../store.js";
import { claimableWhere, FOR_PERSON, HOLDERS, IN_PARENT, readUnapproved, STOPPED } from "./for-person.js";
import { readLanding, readPlanning } from "./landing.js";
import { listDependencies, readSurroundings } from "./neighbours.js";
import { escapeLike, pagesOf, readPages } from "./pages.js";

/** As `titleKey` writes it. */
const TITLE_KEY = "replace(replace(lower(title), '-', ' '), '_', ' ')";

/** One more than a list shows. */
const MATCH_LIMIT = 21;
const IDS_AT_ONCE = 500;

const CHANGES = "select * from change where nr >= ? and nr < ? order by nr limit ?";
const CHANGES_AT_ONCE = 500;
const MANY = 1_000_000_000;

/** `cross join` makes SQLite start from the few descendants; by itself it starts from all nodes. */
const BELOW = `
  with recursive below (nr, depth) as (
    select nr, 1 from node where parent = ?
    union all
    select node.nr, below.depth + 1 from node join below on node.parent = below.nr
  )
  select ${NODE} from below cross join node where node.nr = below.nr`;

const DESCENDANTS = `${BELOW} order by below.depth, node.nr`;

const ANCESTORS = `
  with recursive above (nr, depth) as (
    select parent, 1 from node where nr = ?
    union all
    select node.parent, above.depth + 1 from node join above on node.nr = above.nr
  )
  select ${NODE} from above join node on node.nr = above.nr order by above.depth`;

const DEPENDENTS = `
  select ${NODE} from edge join node on node.nr = edge.node where edge.target = ? order by node.nr`;

const HIDDEN_CHILDREN = `
  select count(archive) as archived, count(case when archive is null and outcome = 'dropped' then 1 end) as dropped
  from node where parent = ?`;

const WHERE = `select ${NODE} from node where`;
const BY_ID = `${WHERE} lower(id) = ?`;

export class DatabaseReader implements Reader {
  protected readonly db: Database;
  readonly people: People;

  readonly dependencies = (node: Node, limit = MANY) => listDependencies(this.db, node, limit);
  readonly surroundings = (node: Node, links?: readonly Link[]) => readSurroundings(this.db, node, links);
  readonly planning = () => readPlanning(this.db);
  readonly item = <E extends Entity>(entity: E, key: string) => readItem(this.db, entity, key);
  items<E extends Entity>(entity: E, query: ItemQuery): Promise<Item<E>[]> {
    return listItems(this.db, entity, query);
  }
  readonly unapproved = () => readUnapproved(this.db);
  readonly lastOperation = () => latestOp(this.db);
  readonly landing = async (feature: Node) => landingHolds(await readLanding(this.db, feature, MATCH_LIMIT));
  readonly descendants = (nr: Nr) => this.#nodes(DESCENDANTS, nr);
  readonly dependents = (nr: Nr, limit = MANY) => this.#nodes(`${DEPENDENTS} limit ${limit}`, nr);
  readonly forPerson = (limit: number) => this.#nodes(`${WHERE} ${FOR_PERSON} order by nr limit ${limit}`);
  readonly frames = () => this.#nodes(`${WHERE} (tier = 'mission' or tier = 'initiative') order by nr`);
  readonly stopped = (limit: number) => this.#nodes(`${WHERE} ${STOPPED} order by nr limit ${limit}`);

  // Hot commands ask none of these, so they do not load them.
  readonly numbersBelow = async (nr: Nr) => (await import("./find-path.js")).numbersBelow(this.db, nr);
  readonly path = async (from: readonly Nr[], to: readonly Nr[]) =>
    (await import("./find-path.js")).findPath(this.db, from, to);
  readonly operations = async (query: LogQuery) => (await import("./log-query.js")).listOperations(this.db, query);
  readonly density = async (query: DensityQuery) => (await import("./log-query.js")).readDensity(this.db, query);
  readonly readyFootprints = async (within?: Nr) => (await import("./census.js")).readReadyFootprints(this.db, within);
  readonly sorts = async (tasks: readonly Nr[]) => (await import("./census.js")).readSorts(this.db, tasks);
  readonly taskSorts = async () => (await import("./census.js")).readTaskSorts(this.db);
  readonly footprints = async (nodes: readonly Nr[]) => (await import("./census.js")).readFootprints(this.db, nodes);
  readonly outline = async () => (await import("./whole-plan.js")).readOutline(this.db);
  readonly tally = async () => (await import("./whole-plan.js")).readTally(this.db);
  readonly durations = async (limit: number) => (await import("./whole-plan.js")).readDurations(this.db, limit);

  constructor(db: Database, people?: PeopleOptions) {
    this.db = db;
    this.people = new People(db, people);
  }

  /** A writer overrides this to remember what it has read. */
  protected toNode(row: Row): Node {
    return toNode(row);
  }

  async #nodes(sql: string, ...params: Value[]): Promise<Node[]> {
    return (await this.db.all(sql, ...params)).map((row) => this.toNode(row));
  }

  async node(nr: Nr): Promise<Node | undefined> {
    const row = await this.db.get(NODE_BY_NR, nr);
    return row && this.toNode(row);
  }

  async nodes(nrs: readonly Nr[]): Promise<Node[]> {
    const found = new Map<Nr, Node>();
    for (let i = 0; i < nrs.length; i += IDS_AT_ONCE) {
      const some = nrs.slice(i, i + IDS_AT_ONCE);
      const marks = some.map(() => "?").join();
      for (const node of await this.#nodes(`${WHERE} nr in (${marks})`, ...some)) found.set(node.nr, node);
    }
    return nrs.flatMap((nr) => found.get(nr) ?? []);
  }

  async idOf(nr: Nr): Promise<string | undefined> {
    return (await this.db.get("select id from node where nr = ?", nr))?.["id"] as string | undefined;
  }

  async byId(id: string): Promise<Node | undefined> {
    const row = await this.db.get(BY_ID, id.toLowerCase());
    return row && this.toNode(row);
  }

  async byIds(ids: readonly string[]): Promise<Node[]> {
    const found: Node[] = [];
    for (let i = 0; i < ids.length; i += IDS_AT_ONCE) {
      const keys = ids.slice(i, i + IDS_AT_ONCE).map((id) => id.toLowerCase());
      const marks = keys.map(() => "?").join();
      found.push(...(await this.#nodes(`select ${NODE} from node where lower(id) in (${marks})`, ...keys)));
    }
    return found;
  }

  async byUuids(uuids: readonly string[]): Promise<Node[]> {
    const found: Node[] = [];
    for (let i = 0; i < uuids.length; i += IDS_AT_ONCE) {
      const some = uuids.slice(i, i + IDS_AT_ONCE);
      found.push(
        ...(await this.#nodes(`select ${NODE} from node where uuid in (${some.map(() => "?").join()})`, ...some)),
      );
    }
    return found;
  }

  async byUuid(uuid: string): Promise<Node | undefined> {
    const row = await this.db.get(`select ${NODE} from node where uuid = ?`, uuid);
    return row && toNode(row);
  }

  async match(reference: string): Promise<Matches> {
    const named = await this.byId(reference);
    if (named) return { by: "id", nodes: [named] };
    const short = shortFormsOf(reference);
    const byNumber = short.length === 0 ? [] : (await this.byIds(short)).sort((a, b) => a.nr - b.nr);
    const prefix = uuidPrefix(reference);
    const sql = `${WHERE} uuid >= ? and uuid < ? order by nr limit ${MATCH_LIMIT}`;
    const byUuid = prefix === undefined ? [] : await this.#nodes(sql, prefix, `${prefix}~`);
    if (byNumber.length > 0) return { by: "id", nodes: [...byNumber, ...byUuid] };
    if (byUuid.length > 0) return { by: "uuid", nodes: byUuid };
    return { by: "title", nodes: await this.#byTitle(titleKey(reference)) };
  }

  /** Without land tasks, which have the title of their feature. SQLite folds the case of ASCII only: other letters match
   *  anything there, and `pickTitles` compares them again. */
  async #byTitle(words: string): Promise<Node[]> {
    if (words === "" || words.length > TITLE_LIMIT) return [];
    const pattern = escapeLike(words).replace(/[^\0-\x7f]/gu, "_");
    const limit = pattern === escapeLike(words) ? MATCH_LIMIT : MANY;
    const found = await this.#nodes(
      `select ${NODE} from node where ${TITLE_KEY} like ? escape '\\' and archive is null and kind is distinct from 'land'
       order by ${TITLE_KEY} = ? desc, nr limit ?`,
      `%${pattern}%`,
      words,
      limit,
    );
    return pickTitles(words, found).slice(0, MATCH_LIMIT);
  }

  children(parent: Nr | null): Promise<Node[]> {
    return parent === null
      ? this.#nodes(`${WHERE} parent is null order by nr`)
      : this.#nodes(`${WHERE} parent = ? order by nr`, parent);
  }

  async childPage(parent: Nr | null, { from, limit, all, lands, after = 0 }: ChildPage) {
    const where = [
      parent === null ? "parent is null" : "parent = ?",
      "nr > ?",
      ...(all ? [] : ["archive is null and outcome is distinct from 'dropped'"]),
      ...(lands ? [] : ["(kind is distinct from 'land' or outcome is not null)"]),
    ].join(" and ");
    const params = parent === null ? [after] : [parent, after];
    const { total } = (await this.db.get(`select count(*) as total from node where ${where}`, ...params)) as Row;
    const sql = `select ${NODE} from node where ${where} order by nr limit ${limit} offset ?`;
    return { nodes: await this.#nodes(sql, ...params, from), total: total as number };
  }

  async hiddenChildren(parent: Nr) {
    const row = (await this.db.get(HIDDEN_CHILDREN, parent)) as Row;
    return { archived: row["archived"] as number, dropped: row["dropped"] as number };
  }

  ancestors(nr: Nr): Promise<Node[]> {
    return this.#nodes(ANCESTORS, nr);
  }

  async openTasksBelow(nr: Nr, limit: number): Promise<OpenNode[]> {
    return (await import("./waiters.js")).listOpenTasksBelow(this.db, nr, limit);
  }

  async waiters(targets: readonly Nr[], limit: number): Promise<OpenNode[]> {
    return (await import("./waiters.js")).listWaiters(this.db, targets, limit);
  }

  claimable({ within, limit }: ClaimableQuery): Promise<Node[]> {
    if (within === undefined) return this.#nodes(claimableWhere("", limit));
    if (within.tier === "task") return this.#nodes(claimableWhere("nr = ? and", limit), within.nr);
    if (within.tier === "story") return this.#nodes(claimableWhere(IN_PARENT, limit), within.feature, within.nr);
    if (within.tier === "feature") return this.#nodes(claimableWhere("feature = ? and", limit), within.nr);
    return this.#claimableBelow(within, limit);
  }

  async #claimableBelow(container: Node, limit: number): Promise<Node[]> {
    const found: Node[] = [];
    const holders = await this.db.all(`${HOLDERS} select nr, tier, feature from below`, container.nr);
    for (const { nr, tier, feature } of holders) {
      const near =
        tier === "feature"
          ? this.#nodes(claimableWhere("feature = ? and", limit), nr as Nr)
          : this.#nodes(claimableWhere(IN_PARENT, limit), feature as Nr | null, nr as Nr);
      found.push(...(await near));
    }
    return found.sort(byUrgency).slice(0, limit);
  }

  claimed({ expiredBy, limit }: { expiredBy?: number; limit: number }): Promise<Node[]> {
    const sql = `${WHERE} lease_until is not null and lease_until < ? order by lease_until limit ${limit}`;
    return this.#nodes(sql, expiredBy ?? Number.MAX_SAFE_INTEGER);
  }

  async inFlight(limit: number): Promise<readonly InFlight[]> {
    const rows = await this.db.all(
      `select ${FOOTPRINT}, claim_by, lease_until from node where lease_until is not null order by lease_until limit ${limit}`,
    );
    return rows.map((row) => ({
      ...toFootprint(row),
      by: row["claim_by"] as Actor,
      until: row["lease_until"] as number,
    }));
  }

  async focus(actor: Actor): Promise<Nr | null> {
    const row = await this.db.get("select node from focus where actor = ?", actor);
    return row ? (row["node"] as number) : null;
  }

  document(hash: string): Promise<string | undefined> {
    return readDocument(this.db, hash);
  }

  async operation(op: number): Promise<LoggedOperation | undefined> {
    const row = await this.db.get("select * from operation where op = ?", op);
    return row && toOperation(row);
  }

  async end(): Promise<PlanEnd | undefined> {
    const [end, first] = [await this.link(), await this.link(1)];
    return end && first && { ...end, first: first.link, chainedFrom: await readChainedFrom(this.db) };
  }

  async link(op?: number): Promise<LogLink | undefined> {
    const row = await (op === undefined
      ? this.db.get(CHAIN_END)
      : this.db.get("select op, link from operation where op = ?", op));
    return row && { op: row["op"] as number, link: row["link"] as string };
  }

  async changes(op: number, limit = MANY): Promise<Change[]> {
    return (await this.db.all(CHANGES, changeNr(op, 0), changeNr(op + 1, 0), limit)).map(toChange);
  }

  async *changePages(op: number): AsyncIterable<readonly Change[]> {
    const end = changeNr(op + 1, 0);
    const next = (last: Row): Value[] => [(last["nr"] as number) + 1, end];
    for await (const page of pagesOf(this.db, CHANGES, [changeNr(op, 0), end], next, CHANGES_AT_ONCE))
      yield page.map(toChange);
  }

  async nodeChange(op: number, nr: Nr): Promise<NodeChange | undefined> {
    const sql = "select * from change where key = ? and entity = 'node' and op = ?";
    const row = await this.db.get(sql, String(nr), op);
    return row && (toChange(row) as NodeChange);
  }

  async census(within?: Nr): Promise<{ task: Node; tasks: number }[]> {
    const { readCensus } = await import("./census.js");
    const sorts: { task: Node; tasks: number }[] = [];
    for (const { nr, tasks } of await readCensus(this.db, within)) {
      sorts.push({ task: (await this.node(nr)) as Node, tasks });
    }
    return sorts;
  }

  async begunWork(): Promise<Pick<Node, "checks" | "body">[]> {
    const rows = await this.db.all("select distinct checks, body from node where tier = 'task' and epoch > 0");
    return rows.map(({ checks, body }) => ({ checks: JSON.parse(checks as string), body: body as string }));
  }

  async *listings(query: ListQuery): AsyncIterable<readonly ListedRow[]> {
    yield* (await import("./listings.js")).pageListings(this.db, query);
  }

  async *scan(): AsyncIterable<Node> {
    const sql = `select ${NODE} from node where nr > ? order by nr limit ?`;
    for await (const row of readPages(this.db, sql, [0], (last) => [last["nr"] as Nr])) yield toNode(row);
  }
}
