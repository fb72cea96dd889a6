// The plan as it was: the stored rows with the latest operations taken back, one after the other, in memory. Only rows
// that those operations touched, and what is asked about, are ever read, so looking back costs as much as happened.

import { contentHash, HASHED } from "../../model/node/content-hash.js";
import { type Birth, type Node, type Nr, newNode, TIERS, type Tier } from "../../model/node/node.js";
import { type Change, type NodeChange } from "../../model/operation/change.js";
import { type Standing, standingOf } from "../../model/rules/news.js";
import { isUnfinished, landingHolds } from "../../model/status/landing.js";
import { codeOp, countsForLanding, countsForParent, isFinished, isLive, isMet } from "../../model/status/rollup.js";
import { isStale } from "../../model/status/stale.js";
import { ALONE, deriveStatus } from "../../model/status/status.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import { PastRuns } from "./past-runs.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Row = Mutable<Node>;

/** A row as it was after an operation, and as it was before. */
interface Turn {
  readonly after: Row | null;
  readonly before: Row | null;
}

interface Share {
  readonly feature: Nr;
  readonly live: boolean;
  readonly finished: boolean;
}

interface Place {
  readonly feature: Nr | null;
  readonly shelved: boolean;
  /** What contains it, nearest first. */
  readonly above: readonly Row[];
}

export const nodeChanges = (changes: readonly Change[]): NodeChange[] =>
  changes.filter((change): change is NodeChange => change.entity === "node");

export class Past {
  readonly #reader: Reader;
  /** As they were; null where there was none. */
  readonly #rows = new Map<Nr, Row | null>();
  /** Touched rows by what they were in, and by what they depended on: what is stored no longer tells. */
  readonly #touchedIn = new Map<Nr, Set<Nr>>();
  readonly #touchedOn = new Map<Nr, Set<Nr>>();
  readonly #runs: PastRuns;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#runs = new PastRuns(reader);
  }

  async node(nr: Nr): Promise<Node | null> {
    return this.#row(nr);
  }

  async #row(nr: Nr): Promise<Row | null> {
    const known = this.#rows.get(nr);
    if (known !== undefined) return known;
    const stored = await this.#reader.node(nr);
    return this.#keep(stored ?? null, nr);
  }

  /** Rows are changed in place, so they must be our own. */
  #keep(stored: Node | null, nr: Nr): Row | null {
    const known = this.#rows.get(nr);
    if (known !== undefined) return known;
    const row = stored && { ...stored };
    this.#rows.set(nr, row);
    return row;
  }

  async children(nr: Nr): Promise<Node[]> {
    return this.#those(await this.#reader.children(nr), this.#touchedIn.get(nr), (row) => row.parent === nr);
  }

  async dependents(nr: Nr): Promise<Node[]> {
    const stored = await this.#reader.dependents(nr);
    return this.#those(stored, this.#touchedOn.get(nr), ({ dependsOn }) => dependsOn.some(({ on }) => on === nr));
  }

  /** The stored ones that were so then, and the touched ones that were. A touched row may have been so only later. */
  #those(stored: readonly Node[], touched: Iterable<Nr> | undefined, wasSo: (row: Row) => boolean): Node[] {
    const found = new Map<Nr, Row>();
    for (const node of stored) {
      const row = this.#keep(node, node.nr);
      if (row && wasSo(row)) found.set(row.nr, row);
    }
    for (const nr of touched ?? []) {
      const row = this.#rows.get(nr);
      if (row && wasSo(row)) found.set(nr, row);
    }
    return [...found.values()];
  }

  /** Every task below, or the task itself. */
  async tasksIn(nr: Nr): Promise<Nr[]> {
    const row = await this.#row(nr);
    if (!row) return [];
    if (row.tier === "task") return [nr];
    const found: Nr[] = [];
    for (const child of await this.children(nr)) for (const task of await this.tasksIn(child.nr)) found.push(task);
    return found;
  }

  async above(nr: Nr): Promise<readonly Node[]> {
    const row = await this.#row(nr);
    return row ? (await this.#placeOf(row)).above : [];
  }

  async featureOf(nr: Nr): Promise<Nr | null> {
    const row = await this.#row(nr);
    return row ? (await this.#placeOf(row)).feature : null;
  }

  async #placeOf(row: Row): Promise<Place> {
    const above: Row[] = [];
    for (let at = row.parent; at !== null; ) {
      const parent = await this.#row(at);
      if (!parent) break;
      above.push(parent);
      at = parent.parent;
    }
    const feature = [row, ...above].find(({ tier }) => tier === "feature");
    return { feature: feature?.nr ?? null, shelved: [row, ...above].some(({ inbox }) => inbox), above };
  }

  /** Who could have done it at that moment. */
  async standing(nr: Nr): Promise<Standing> {
    const row = await this.#row(nr);
    if (row?.tier !== "task") return null;
    // Most are decided by their own facts.
    const isLand = row.kind === "land";
    // A landing waits for a person whatever its approval.
    if (row.approval === null && !isLand) return null;
    if (row.outcome !== null || row.claim !== null || row.freeze !== null) return null;
    const place = await this.#placeOf(row);
    const isStaleAround = !isLand && (await this.#isStale(place));
    const waits = isStaleAround || (await this.#waits(row, place.feature)) || (await this.#isHeld(place));
    await this.#hash(row);
    const { feature, shelved } = place;
    const node: Node = { ...row, feature, shelved, pending: waits ? 1 : 0, held: false };
    const dependencies = waits ? [{ id: "", state: "pending" as const }] : [];
    return standingOf(deriveStatus(node, { ...ALONE, dependencies }).reason);
  }

  async #isHeld({ above, feature }: Place): Promise<boolean> {
    for (const container of above) {
      const within = container.tier === "story" || container.tier === "feature" ? feature : null;
      if (await this.#waits(container, within)) return true;
    }
    return false;
  }

  /** Something around it was changed after its approval. */
  async #isStale({ above }: Place): Promise<boolean> {
    for (const container of above) {
      if (container.approval === null) continue;
      await this.#hash(container);
      if (isStale(container)) return true;
    }
    return false;
  }

  async #waits(row: Row, feature: Nr | null): Promise<boolean> {
    for (const { on } of row.dependsOn) {
      const target = await this.#row(on);
      if (!target || !isFinished(target)) return true;
      if (!(await this.#isMet(feature, target))) return true;
    }
    if (row.kind !== "land" || feature === null) return false;
    return !(await this.mayLand(feature));
  }

  async #isMet(feature: Nr | null, target: Row): Promise<boolean> {
    const theirs = (await this.#placeOf(target)).feature;
    if (theirs === feature) return true;
    const landedOp = theirs === null ? null : ((await this.#row(theirs))?.landedOp ?? null);
    const done = target.tier === "story" ? await this.children(target.nr) : [target];
    const latest = done.reduce((op, node) => Math.max(op, codeOp(node)), 0);
    return isMet({ feature }, { ...target, feature: theirs, landedOp, codeOp: latest });
  }

  /** Asked while its land task is open. */
  async mayLand(feature: Nr): Promise<boolean> {
    const row = await this.#row(feature);
    if (!row || isUnfinished(row)) return false;
    const runs = await this.#runs.in(feature, (nr) => this.featureOf(nr));
    const hasDone = row.tasksFinished > 0 && (await this.#hasDone(feature));
    return landingHolds({ feature: row, hasLand: true, unfinished: [], hasDone, runs }).length === 0;
  }

  async #hasDone(nr: Nr): Promise<boolean> {
    for (const { nr: child, tier, kind, outcome } of await this.children(nr)) {
      if (tier === "task" ? outcome?.kind === "done" && kind !== "land" : await this.#hasDone(child)) return true;
    }
    return false;
  }

  async isFinished(nr: Nr): Promise<boolean> {
    const row = await this.#row(nr);
    return row !== null && isFinished(row);
  }

  /** A hash that was taken away with what it is made of is made again. */
  async #hash(row: Row): Promise<void> {
    if (row.hash !== "") return;
    const uuids = new Map<Nr, string>();
    for (const nr of [row.parent ?? 0, ...row.dependsOn.map(({ on }) => on)]) {
      uuids.set(nr, (await this.#row(nr))?.uuid ?? "");
    }
    row.hash = contentHash(row, (nr) => uuids.get(nr) ?? "", sha256);
  }

  /** The features in which a planning run could have changed something. */
  placesOf(run: string): Promise<Nr[]> {
    return this.#runs.places(run, (nr) => this.featureOf(nr));
  }

  /** Takes one operation back: afterwards everything is as it was before it. */
  async back(changes: readonly Change[]): Promise<void> {
    await this.#runs.back(changes);
    const turns: Turn[] = [];
    for (const change of nodeChanges(changes)) turns.push(await this.#turn(change));
    const shifted = await this.#carried(turns);
    const gone = await this.#shares(shifted.map(({ after }) => after));
    for (const { after, before } of turns) {
      const nr = (after ?? before)?.nr as Nr;
      this.#rows.set(nr, before);
      if (before) this.#index(before);
    }
    const come = await this.#shares(shifted.map(({ before }) => before));
    const counted = await this.#counted([...gone, ...come]);
    await this.#countTasks(gone, -1);
    await this.#countTasks(come, 1);
    await this.#rollUp([...turns, ...counted]);
    await this.#land(turns);
  }

  #index({ nr, parent, dependsOn }: Row): void {
    const add = (index: Map<Nr, Set<Nr>>, key: Nr): void => {
      const known = index.get(key);
      if (known) known.add(nr);
      else index.set(key, new Set([nr]));
    };
    if (parent !== null) add(this.#touchedIn, parent);
    for (const { on } of dependsOn) add(this.#touchedOn, on);
  }

  async #turn({ key, before: said, after: became }: NodeChange): Promise<Turn> {
    const after = await this.#row(key);
    if (said === null) return { after, before: null };
    if (became === null || !after) return { after: null, before: { ...newNode(key, said as Birth, 0) } };
    const before: Row = { ...after, ...said };
    if (HASHED.some((field) => field in said)) before.hash = "";
    return { after, before };
  }

  /** The turned rows, and tasks in a container that moved: they went with it. */
  async #carried(turns: readonly Turn[]): Promise<Turn[]> {
    const turned = new Set(turns.map(({ after, before }) => (after ?? before)?.nr));
    const carried: Turn[] = [];
    for (const { after, before } of turns) {
      if (!after || !before || after.tier === "task" || after.parent === before.parent) continue;
      for (const nr of await this.tasksIn(after.nr)) {
        const row = await this.#row(nr);
        if (!turned.has(nr)) carried.push({ after: row, before: row });
      }
    }
    return [...turns, ...carried];
  }

  /** What each task adds to its feature, by the places of the moment. */
  async #shares(rows: readonly (Row | null)[]): Promise<Share[]> {
    const shares: Share[] = [];
    for (const row of rows) {
      if (!row || !countsForLanding(row)) continue;
      const { feature } = await this.#placeOf(row);
      if (feature !== null) shares.push({ feature, live: isLive(row), finished: isFinished(row) });
    }
    return shares;
  }

  /** Whether a parent waits for a feature may hang on the tasks in it, so it is kept as it was before they are counted. */
  async #counted(shares: readonly Share[]): Promise<Turn[]> {
    const turns: Turn[] = [];
    for (const nr of new Set(shares.map(({ feature }) => feature))) {
      const row = await this.#row(nr);
      if (row) turns.push({ after: { ...row }, before: row });
    }
    return turns;
  }

  async #countTasks(shares: readonly Share[], sign: 1 | -1): Promise<void> {
    for (const { feature, live, finished } of shares) {
      const row = await this.#row(feature);
      if (!row) continue;
      row.tasksLive += live ? sign : 0;
      row.tasksFinished += finished ? sign : 0;
    }
  }

  /** Tasks first, then what contains them: a container may be finished by the last of its children. */
  async #rollUp(turns: readonly Turn[]): Promise<void> {
    const byTier = new Map<Tier, Map<Nr, Turn>>(TIERS.map((tier) => [tier, new Map()]));
    const enlist = (turn: Turn): void => {
      const row = (turn.before ?? turn.after) as Row;
      const tier = byTier.get(row.tier) as Map<Nr, Turn>;
      if (!tier.has(row.nr)) tier.set(row.nr, turn);
    };
    for (const turn of turns) enlist({ after: turn.after && { ...turn.after }, before: turn.before });
    for (const tier of [...TIERS].reverse()) {
      for (const { after, before } of (byTier.get(tier) as Map<Nr, Turn>).values()) {
        if (after) await this.#post(after, -1, enlist);
        if (before) await this.#post(before, 1, enlist);
      }
    }
  }

  async #post(row: Row, sign: 1 | -1, enlist: (turn: Turn) => void): Promise<void> {
    const parent = row.parent === null || !countsForParent(row) ? null : await this.#row(row.parent);
    if (!parent) return;
    enlist({ after: { ...parent }, before: parent });
    parent.live += sign;
    parent.finished += isFinished(row) ? sign : 0;
  }

  async #land(turns: readonly Turn[]): Promise<void> {
    const features = new Set(turns.flatMap(({ after, before }) => [landedIn(after), landedIn(before)]));
    for (const nr of features) {
      const feature = nr === null ? null : await this.#row(nr);
      if (!feature) continue;
      const landings = (await this.children(feature.nr)).filter((row) => row.kind === "land" && isFinished(row));
      feature.landedOp = landings.length === 0 ? null : Math.max(...landings.map(({ outcome }) => outcome?.op ?? 0));
    }
  }
}

const landedIn = (row: Row | null): Nr | null => (row?.kind === "land" && row.outcome !== null ? row.parent : null);
