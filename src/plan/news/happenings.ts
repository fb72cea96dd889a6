// What the operations since a moment brought about, read from the log backwards. Being ready is derived and so in no
// log: it is found by asking how those stood before and after whom an operation could have freed.

import { PlanAt } from "../../model/derive/plan-at.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import type { Question } from "../../model/item/question.js";
import { HASHED } from "../../model/node/content-hash.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import {
  factNews,
  type Happening,
  type Noticed,
  personDetail,
  type Standing,
  standingOf,
} from "../../model/rules/news.js";
import { isUnfinished, landingHolds, type RunPlace, worksIn } from "../../model/status/landing.js";
import { isFinished, waits } from "../../model/status/rollup.js";
import { ALONE, deriveStatus, isApproved } from "../../model/status/status.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import { readLevels } from "../level/level.js";

const PAGE_SIZE = 200;

/** The latest first, down to the operation after `since`. */
export async function* happeningsSince(reader: Reader, since: number): AsyncGenerator<Happening> {
  const history = new History(reader);
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await reader.operations({ after: since, before, limit: PAGE_SIZE });
    for (const operation of page) yield* await history.back(operation);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return;
    before = last.op;
  }
}

class History {
  readonly #reader: Reader;
  /** As the plan was right after the operation at hand, and right before it. */
  readonly #after: Past;
  readonly #before: Past;
  #levels: ReturnType<typeof readLevels> | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
    this.#after = new Past(reader);
    this.#before = new Past(reader);
  }

  async back(operation: LoggedOperation): Promise<Happening[]> {
    const changes = await this.#reader.changes(operation.op);
    const happened = await this.#questions(operation, changes);
    const turned = changes.filter((change): change is NodeChange => change.entity === "node");
    const runs = changes.filter(isRunChange).map(({ key }) => String(key));
    if (turned.length + runs.length === 0) return happened;
    await this.#before.back(changes);
    const reached = new Set([...(await this.#reached(turned)), ...(await this.#freedByRuns(runs))]);
    for (const nr of reached) happened.push(...(await this.#news(operation, nr)));
    await this.#after.back(changes);
    return happened;
  }

  async #news(operation: LoggedOperation, nr: Nr): Promise<Happening[]> {
    const [before, after] = [await this.#before.node(nr), await this.#after.node(nr)];
    if (!after) return [];
    const found: Noticed[] = before ? factNews(before, after) : [];
    const standing = await this.#after.standing(nr);
    const isNew = standing !== null && standing !== (await this.#before.standing(nr));
    if (isNew && !(await this.#landsByItself(after))) {
      found.push({ kind: standing, detail: standing === "ready" ? null : personDetail(after) });
    }
    if (found.length === 0) return [];
    const feature = await this.#after.featureOf(nr);
    const around = feature === null ? [] : [feature];
    const landed = feature === null ? null : await this.#after.node(feature);
    return found.map(({ kind, detail }) => {
      // What lands is the feature; its land task is only how.
      const { id, title } = kind === "landed" && landed ? landed : after;
      return { ...stamp(operation), kind, id, title, detail, nodes: [nr], features: around };
    });
  }

  /** At level auto the daemon lands it. If it cannot, it asks, and that is news. */
  async #landsByItself(node: Node): Promise<boolean> {
    if (node.kind !== "land" || !isApproved(node)) return false;
    this.#levels ??= readLevels(this.#reader);
    return (await this.#levels)(node.feature) === "auto";
  }

  /** Questions that an operation put to a person. */
  async #questions(operation: LoggedOperation, changes: readonly Change[]): Promise<Happening[]> {
    const asked: Happening[] = [];
    for (const { entity, key, before, after } of changes) {
      if (entity !== "question" || (after as Partial<Question> | null)?.state !== "open") continue;
      const fields =
        before === null ? (after as unknown as Question) : (await this.#reader.item("question", key))?.fields;
      if (!fields) continue;
      const nodes = await this.#reader.byIds([...fields.blocks, fields.owner]);
      asked.push({
        ...stamp(operation),
        kind: "needs-person",
        id: key,
        title: fields.question,
        detail: fields.blocks.length === 0 ? null : `it holds up ${fields.blocks.join(", ")}`,
        nodes: nodes.map(({ nr }) => nr),
        features: nodes.flatMap(({ feature }) => (feature === null ? [] : [feature])),
      });
    }
    return asked;
  }

  /** The tasks that an operation may have freed or changed: its own, and those that waited for what it finished. */
  async #reached(changes: readonly NodeChange[]): Promise<Set<Nr>> {
    const reached = new Set<Nr>();
    const add = async (nr: Nr): Promise<void> => {
      for (const inside of await this.#after.inside(nr)) {
        if ((await this.#after.node(inside))?.tier === "task") reached.add(inside);
      }
    };
    const settled = new Set<Nr>();
    for (const change of changes) {
      const node = (await this.#after.node(change.key)) ?? (await this.#before.node(change.key));
      if (node?.tier === "task") reached.add(change.key);
      // A container that changed after its approval holds back what is in it.
      else if (touches(change, "inbox", "approval", ...HASHED)) await add(change.key);
      if (!touches(change, "outcome", "parent", "awaitsPlan")) continue;
      for (const nr of await this.#lineOf(change.key)) {
        if (touches(change, "parent") || (await this.#turned(nr))) settled.add(nr);
      }
      // Dependencies across features are met by a landing, so a move or a landing can change which are met.
      const features = [await this.#after.featureOf(change.key), await this.#before.featureOf(change.key)];
      const around = node?.kind === "land" ? (features[0] ?? features[1] ?? null) : change.key;
      if (around !== null && (node?.kind === "land" || touches(change, "parent"))) {
        for (const nr of [around, ...(await this.#after.inside(around))]) settled.add(nr);
      }
      for (const nr of await this.#landsIn(features)) reached.add(nr);
    }
    for (const nr of settled) for (const waiting of await this.#after.dependents(nr)) await add(waiting);
    return reached;
  }

  /** It was finished by the operation, or no longer is; or code in it was. */
  async #turned(nr: Nr): Promise<boolean> {
    return (await this.#after.isFinished(nr)) !== (await this.#before.isFinished(nr));
  }

  /** The node and all that contains it, before and after. */
  async #lineOf(nr: Nr): Promise<Set<Nr>> {
    const above = [...(await this.#after.above(nr)), ...(await this.#before.above(nr))];
    return new Set([nr, ...above.map((node) => node.nr)]);
  }

  /** A planning run that is over no longer holds the features that it was about. */
  async #freedByRuns(runs: readonly string[]): Promise<Nr[]> {
    const places: Nr[] = [];
    for (const run of runs) places.push(...(await this.#after.placesOf(run)), ...(await this.#before.placesOf(run)));
    return this.#landsIn(places);
  }

  /** The land tasks of features that may land now. */
  async #landsIn(features: readonly (Nr | null)[]): Promise<Nr[]> {
    const lands: Nr[] = [];
    for (const feature of new Set(features)) {
      if (feature !== null && (await this.#after.mayLand(feature))) lands.push(...(await this.#after.lands(feature)));
    }
    return lands;
  }
}

/** It began, it is over, or it was taken back. */
const isRunChange = ({ entity, before, after }: Change): boolean =>
  entity === "run" && (before === null || after === null || "status" in after);

const stamp = ({ op, at, actor }: LoggedOperation): Pick<Happening, "op" | "at" | "by"> => ({ op, at, by: actor });

/** It was made, taken away, or one of these fields is another. */
const touches = ({ before, after }: NodeChange, ...fields: readonly (keyof Node)[]): boolean =>
  before === null || after === null || fields.some((field) => field in after);

/** What is stored, each node read once. */
function storedPlan(reader: Reader): ConstructorParameters<typeof PlanAt>[0] {
  const known = new Map<Nr, Node | undefined>();
  const seen = (nodes: readonly Node[]): Nr[] => {
    for (const node of nodes) known.set(node.nr, node);
    return nodes.map(({ nr }) => nr);
  };
  return {
    node: async (nr) => {
      if (!known.has(nr)) known.set(nr, await reader.node(nr));
      return known.get(nr);
    },
    children: async (nr) => seen(await reader.children(nr)),
    dependents: async (nr) => seen(await reader.dependents(nr)),
  };
}

const OPEN_RUNS = ["running", "waiting", "ready", "halted"] as const;

export class Past extends PlanAt {
  readonly #reader: Reader;
  /** Planning runs that the operations taken back have touched, as they were; null where there was none. */
  readonly #runs = new Map<string, RunPlace | null>();
  #openRuns: ReadonlyMap<string, RunPlace> | undefined;

  constructor(reader: Reader) {
    super(storedPlan(reader), sha256);
    this.#reader = reader;
  }

  /** The node, and everything in it. */
  async inside(nr: Nr): Promise<Nr[]> {
    return (await this.node(nr)) ? [nr, ...(await this.below(nr))] : [];
  }

  /** What contains it, nearest first. */
  async above(nr: Nr): Promise<readonly Node[]> {
    const found: Node[] = [];
    for (let node = await this.node(nr); node; ) {
      node = node.parent === null ? undefined : await this.node(node.parent);
      if (node) found.push(node);
    }
    return found;
  }

  async featureOf(nr: Nr): Promise<Nr | null> {
    return (await this.node(nr))?.feature ?? null;
  }

  async isFinished(nr: Nr): Promise<boolean> {
    const node = await this.node(nr);
    return node !== undefined && isFinished(node);
  }

  /** Who could have done it at that moment. */
  async standing(nr: Nr): Promise<Standing> {
    const node = await this.node(nr);
    // Most are decided by their own facts. A landing waits for a person whatever its approval.
    if (node?.tier !== "task" || (node.approval === null && node.kind !== "land")) return null;
    if (node.outcome !== null || node.claim !== null || node.freeze !== null) return null;
    const isWaiting = node.kind === "land" ? await this.#landWaits(node) : waits(node);
    const dependencies = isWaiting ? [{ id: "", state: "pending" as const }] : [];
    return standingOf(deriveStatus(node, { ...ALONE, dependencies }).reason);
  }

  /** A change around it that nobody approved does not hold it: the work is done. */
  async #landWaits({ nr, pending, feature }: Node): Promise<boolean> {
    if (pending > 0 || (await this.above(nr)).some((container) => container.pending > 0)) return true;
    return feature !== null && !(await this.mayLand(feature));
  }

  /** Whether a feature may land whose land task is open. */
  async mayLand(nr: Nr): Promise<boolean> {
    const feature = await this.node(nr);
    if (!feature || isUnfinished(feature)) return false;
    const runs = await this.#runsIn(nr);
    const hasDone = feature.tasksFinished > 0 && (await this.#hasDone(nr));
    return landingHolds({ feature, hasLand: true, unfinished: [], hasDone, runs }).length === 0;
  }

  async #hasDone(feature: Nr): Promise<boolean> {
    for (const nr of await this.below(feature)) {
      const node = await this.node(nr);
      if (node?.tier === "task" && node.kind !== "land" && node.outcome?.kind === "done") return true;
    }
    return false;
  }

  override async back(changes: readonly Change[]): Promise<void> {
    for (const { entity, key, before } of changes) {
      if (entity !== "run") continue;
      const was = before as Partial<PlanningRun> | null;
      this.#runs.set(key, was === null ? null : ({ ...(await this.#run(key)), ...was } as RunPlace));
    }
    await super.back(changes);
  }

  async #run(key: string): Promise<RunPlace | null> {
    const known = this.#runs.get(key);
    return known === undefined ? ((await this.#reader.item("run", key))?.fields ?? null) : known;
  }

  /** The runs that could still have changed something in a feature. */
  async #runsIn(feature: Nr): Promise<string[]> {
    const found: string[] = [];
    for (const [key, run] of new Map([...(await this.#storedRuns()), ...this.#runs])) {
      if (run && worksIn(run, await this.#placeOf(run), feature)) found.push(key);
    }
    return found;
  }

  async #storedRuns(): Promise<ReadonlyMap<string, RunPlace>> {
    if (this.#openRuns) return this.#openRuns;
    const open = await Promise.all(OPEN_RUNS.map((state) => this.#reader.items("run", { state })));
    this.#openRuns = new Map(open.flat().map(({ key, fields }) => [key, fields]));
    return this.#openRuns;
  }

  async #placeOf({ node }: RunPlace): Promise<Nr | null> {
    return node === null ? null : this.featureOf(node);
  }

  /** Every feature that a planning run was about, over or not. */
  async placesOf(key: string): Promise<Nr[]> {
    const run = await this.#run(key);
    const at = run ? await this.#placeOf(run) : null;
    return [...(run?.features ?? []), ...(at === null ? [] : [at])];
  }
}
