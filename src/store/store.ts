// The interface of the store. Reads never write; every write is one operation with its row changes. README.md says what is in which folder.

import type { Actor } from "../model/actor.js";
import type { WithFootprint } from "../model/conflict/conflict.js";
import type { Entity, Item } from "../model/item/item.js";
import type { Person } from "../model/item/person.js";
import type { Node, Nr, Tier } from "../model/node/node.js";
import type { Change, NodeChange } from "../model/operation/change.js";
import type { LoggedOperation } from "../model/operation/operation.js";
import type { Result } from "../model/result.js";
import type { SoughtGrams } from "../model/searched-text.js";
import type { LandingHold } from "../model/status/landing.js";
import type { Dependency, Surroundings } from "../model/status/status.js";
import type { LogLink, PlanEnd } from "./log-witness.js";
import type { ReportWork } from "./progress.js";
import type { Signer } from "./signer.js";
import type { Verification, VerifyOptions } from "./verification.js";

export interface Link extends Dependency {
  /** What is waited for: the target or, while its feature has not landed, the land task. */
  readonly node: Node;
  readonly target: Node;
}

export interface Matches {
  /** How the reference matched. Later ways were not tried. */
  readonly by: "id" | "uuid" | "title";
  readonly nodes: readonly Node[];
}

export interface ClaimableQuery {
  readonly within?: Node;
  readonly limit: number;
}

export interface InFlight extends WithFootprint {
  /** Who claimed it, and when the lease ends. */
  readonly by: Actor;
  readonly until: number;
}

/** Latest first; everything asked for must apply. */
export interface LogQuery {
  readonly limit: number;
  readonly node?: Nr;
  /** Only what touched this node, its comments or its labels. */
  readonly about?: Nr;
  readonly before?: number;
  readonly after?: number;
  /** Only what happened at this moment or before. */
  readonly until?: number;
  readonly actor?: Actor;
  readonly verbs?: readonly string[];
  /** Only what touched a node that this operation touched. */
  readonly overlaps?: number;
  /** Only this operation, and what took it back or did it again. */
  readonly of?: number;
  /** Without undo and redo themselves: what can be undone; that and steps; what was undone (the latest first). */
  readonly state?: "standing" | "done" | "undone";
}

export interface ChildPage {
  readonly from: number;
  readonly limit: number;
  /** Archived and dropped ones count too. */
  readonly all: boolean;
  /** Open land tasks count too. */
  readonly lands: boolean;
  /** Only rows with a greater number. */
  readonly after?: Nr;
}

export interface DensityQuery {
  readonly slotMs: number;
  readonly from: number;
  readonly to: number;
  readonly verbs: readonly string[];
  readonly limit: number;
}

export interface Density {
  /** `slot`: its beginning. `by`: `human`, `agent` or `daemon`. `last`: the latest operation in it. */
  readonly slots: readonly Readonly<{ slot: number; by: string; operations: number; last: number }>[];
  readonly marks: readonly { readonly op: number; readonly at: number; readonly verb: string }[];
}

/** Everything asked for must apply; in the order of creation. `owner`: a run, or the row number of a feature; empty for the workspace. */
export interface ItemQuery {
  readonly owner?: string;
  readonly state?: string;
  readonly newest?: boolean;
  readonly limit?: number;
}

/** Open tasks of one feature, or of none, that nobody approved. */
export interface UnapprovedTasks {
  /** Of the feature; where there is none, of the first task. */
  readonly id: string;
  readonly title: string;
  readonly inFeature: boolean;
  readonly tasks: number;
  /** The sum of the estimates, and how many tasks have none. */
  readonly hours: number;
  readonly unestimated: number;
}

/** What order and progress follow from. Of an outcome only its kind, time and operation are there; of an acceptance its state; of an archive and an awaited plan, that there is one. */
export type Outline = Pick<
  Node,
  | ("nr" | "id" | "title" | "tier" | "kind" | "parent" | "dependsOn" | "outcome" | "archive" | "feature" | "shelved")
  | ("acceptance" | "live" | "finished" | "tasksLive" | "tasksFinished" | "landedOp" | "estimateHours" | "awaitsPlan")
>;

/** Everything asked for must apply, and gives at least the nodes that fit: compare again. */
export interface ListQuery {
  /** Nodes with a text that has these trigrams; null or nothing for any text. */
  readonly text?: SoughtGrams;
  /** Nodes whose footprint may name this file. */
  readonly file?: string;
  /** Only these nodes. */
  readonly among?: Iterable<Nr>;
  /** Only tasks of these sorts, and containers: see `taskSorts`. */
  readonly sorts?: readonly string[];
  readonly tiers?: readonly Tier[];
  readonly kinds?: readonly NonNullable<Node["kind"]>[];
  /** False: without archived and dropped nodes. */
  readonly hidden?: boolean;
  /** Whether the bodies and the files are wanted; else they are empty. */
  readonly texts?: boolean;
  readonly files?: boolean;
  /** Only rows with a greater number. */
  readonly after?: Nr;
}

export interface ListedRow
  extends Pick<
    Node,
    "nr" | "id" | "tier" | "kind" | "parent" | "profile" | "priority" | "title" | "body" | "files" | "updatedAt"
  > {
  /** Archived or dropped. */
  readonly isHidden: boolean;
}

export interface TaskSort {
  readonly sort: string;
  readonly nr: Nr;
  /** What else its status follows from: nothing, what is around it, or the landing of its feature. */
  readonly besides: "nothing" | "around" | "landing";
}

/** The plan counted by the database. */
export interface PlanTally {
  readonly sorts: readonly { readonly tier: Tier; readonly kind: Node["kind"]; readonly nodes: number }[];
  /** Tasks that are done, by who did them, kind and day (since 1970); `durationMs` is the sum over those with a report. */
  readonly done: readonly {
    readonly worker: string;
    readonly kind: Node["kind"];
    readonly day: number;
    readonly tasks: number;
    readonly reports: number;
    readonly durationMs: number;
  }[];
  readonly actors: readonly { readonly actor: Actor; readonly operations: number }[];
  readonly oldestClaim: { readonly id: string; readonly by: Actor; readonly at: number } | null;
}

/** What counting work reads of a node. */
export type OpenNode = Pick<Node, "nr" | "id" | "tier" | "kind" | "parent" | "estimateHours">;

/** Every method answers for one moment when called inside `read` or `commit`. */
export interface Reader {
  node(nr: Nr): Promise<Node | undefined>;
  /** Those that exist, in this order. */
  nodes(nrs: readonly Nr[]): Promise<Node[]>;
  /** The id alone: a fifth of the time of reading the node. */
  idOf(nr: Nr): Promise<string | undefined>;
  byId(id: string): Promise<Node | undefined>;
  /** Of several those that exist, in no particular order. */
  byIds(ids: readonly string[]): Promise<Node[]>;
  byUuid(uuid: string): Promise<Node | undefined>;
  byUuids(uuids: readonly string[]): Promise<Node[]>;
  /** By id, else by its short form or the leading hex of the UUID, else by words of the title. */
  match(reference: string): Promise<Matches>;
  /** In the order of creation; `null` gives the missions. */
  children(parent: Nr | null): Promise<Node[]>;
  /** Missions and initiatives, in the order of creation. */
  frames(): Promise<Node[]>;
  /** How many children are left out of a page without `all`. */
  hiddenChildren(parent: Nr): Promise<{ archived: number; dropped: number }>;
  /** Some of them, and how many there are. */
  childPage(parent: Nr | null, page: ChildPage): Promise<{ nodes: Node[]; total: number }>;
  /** Parents before children. */
  descendants(nr: Nr): Promise<Node[]>;
  numbersBelow(nr: Nr): Promise<Nr[]>;
  /** The first open tasks in it, on whatever level, without those that are shelved. */
  openTasksBelow(nr: Nr, limit: number): Promise<OpenNode[]>;
  /** Open nodes that depend on one of these, each once for 1,024 of them; so many at most for as many. */
  waiters(targets: readonly Nr[], limit: number): Promise<OpenNode[]>;
  /** Nearest first. */
  ancestors(nr: Nr): Promise<Node[]>;
  /** Its dependencies, met ones too. A land task also depends on its feature's tasks, open ones first. */
  dependencies(node: Node, limit?: number): Promise<Link[]>;
  dependents(nr: Nr, limit?: number): Promise<Node[]>;
  /** `links`: its dependencies, if the caller has read them. */
  surroundings(node: Node, links?: readonly Link[]): Promise<Surroundings>;
  /** What keeps a feature from landing; empty if it may land. */
  landing(feature: Node): Promise<LandingHold[]>;
  /** The planning runs that may still change something in a feature, by the feature. */
  planning(): Promise<ReadonlyMap<Nr, readonly string[]>>;
  /** Tasks that may be claimed now, most urgent first. */
  claimable(query: ClaimableQuery): Promise<Node[]>;
  /** Claimed tasks: those whose lease ended before a moment, or all. */
  claimed(query: { expiredBy?: number; limit: number }): Promise<Node[]>;
  /** The footprints of claimed tasks. Reading the whole nodes takes several times as long. */
  inFlight(limit: number): Promise<readonly InFlight[]>;
  /** Of the tasks (below a node) that the plan lets begin, those that name files or symbols. */
  readyFootprints(within?: Nr): Promise<readonly WithFootprint[]>;
  footprints(nodes: readonly Nr[]): Promise<readonly WithFootprint[]>;
  /** A chain of waiting from one of these nodes to one of those, if there is one. */
  path(from: readonly Nr[], to: readonly Nr[]): Promise<Nr[] | undefined>;
  focus(actor: Actor): Promise<Nr | null>;
  item<E extends Entity>(entity: E, key: string): Promise<Item<E> | undefined>;
  items<E extends Entity>(entity: E, query: ItemQuery): Promise<Item<E>[]>;
  document(hash: string): Promise<string | undefined>;
  operation(op: number): Promise<LoggedOperation | undefined>;
  /** The number of the latest operation, 0 before the first: where `follow` goes on from this moment. */
  lastOperation(): Promise<number>;
  /** An operation's link in the chain; of the latest one unless another is named. */
  link(op?: number): Promise<LogLink | undefined>;
  /** The end of the log with what tells the plan from others; undefined while it is empty. */
  end(): Promise<PlanEnd | undefined>;
  readonly people: KnownPeople;
  operations(query: LogQuery): Promise<LoggedOperation[]>;
  /** How many operations each slot of time has, by the kind of actor; and the operations with these verbs, the latest ones. */
  density(query: DensityQuery): Promise<Density>;
  /** Tasks that were claimed at least once, by what they run: their checks and their text. */
  begunWork(): Promise<Pick<Node, "checks" | "body">[]>;
  /** What an operation changed, row by row; the first few, if a limit is given. */
  changes(op: number, limit?: number): Promise<Change[]>;
  /** The same, page by page: an operation may have a million rows. */
  changePages(op: number): AsyncIterable<readonly Change[]>;
  /** What an operation changed of one node. An operation may have a hundred thousand rows. */
  nodeChange(op: number, nr: Nr): Promise<NodeChange | undefined>;
  /** Tasks (below a node) by what their status follows from: one of each sort, and how many there are. */
  census(within?: Nr): Promise<{ task: Node; tasks: number }[]>;
  /** Of each of these tasks a text: those with the same one have the same status for the same reason, overlaps of footprints aside. */
  sorts(tasks: readonly Nr[]): Promise<ReadonlyMap<Nr, string>>;
  /** The sorts of tasks by their own facts, and one task of each; overlaps aside. */
  taskSorts(): Promise<readonly TaskSort[]>;
  /** Every node in a few columns, in the order of creation. */
  outline(): Promise<Outline[]>;
  tally(): Promise<PlanTally>;
  /** How long accepted work took, the latest first. */
  durations(limit: number): Promise<number[]>;
  /** In the order of creation, page by page. */
  listings(query: ListQuery): AsyncIterable<readonly ListedRow[]>;
  /** Open nodes that may wait for a person: ask `deriveStatus` which of them do. */
  forPerson(limit: number): Promise<Node[]>;
  /** Open nodes that may stop others: ask `deriveStatus` which of them do. Looks at the whole plan. */
  stopped(limit: number): Promise<Node[]>;
  /** Open tasks that nobody approved, by their feature. */
  unapproved(): Promise<UnapprovedTasks[]>;
  scan(): AsyncIterable<Node>;
}

/** A reader inside a commit. It also gives out numbers and tokens, none of them twice. */
export interface Writer extends Reader {
  /** The number that the operation will have, and its time. */
  readonly op: number;
  readonly at: number;
  /** The first of `count` fresh row numbers. */
  allocate(count: number): Promise<Nr>;
  /** The first of `count` fresh numbers for display ids of a tier, above `atLeast`. */
  mint(tier: Tier, count: number, atLeast?: number): Promise<number>;
  /** The first of `count` fresh numbers for the keys of items with this prefix. */
  number(prefix: string, count?: number): Promise<number>;
  /** Stores a long text; the result is its hash. */
  keep(text: string): Promise<string>;
  /** Frees the nodes that it has read, for whoever goes through more of them than fit into memory. */
  forget(): void;
  random(bytes: number): Promise<string>;
}

export interface Intent {
  readonly actor: Actor;
  readonly verb: string;
  /** The clock. It is read under the write lock, and no operation is earlier than the one before it: `Writer.at`. */
  readonly now: () => number;
  readonly commit: string | null;
  readonly undoes?: number;
  readonly redoes?: number;
  /** Recorded even if it changes no row, because it changed the file itself. */
  readonly always?: true;
  /** Signs the operation's link in the chain, if the operation is one that only a person may do. */
  readonly sign?: Sign;
  /** Told again and again while much is written. */
  readonly report?: ReportWork | undefined;
}

export type Stamped = Omit<Intent, "now"> & Pick<Writer, "at">;

export interface Sign {
  /** Only a person may ask for this operation. Otherwise it is signed if it approves something. */
  readonly always: boolean;
  /** The person who asks, with that one of their secrets that the plan knows. Null if it is no person, or without a secret. */
  readonly signer: (isKnown: (id: string) => Promise<boolean>) => Promise<Signer | null>;
  /** Who may be the first person of a plan that knows nobody, whoever asks; `isBeginning`: with its first operation. */
  readonly first: (isBeginning: boolean) => Promise<Signer | null>;
  /** What that person is called. */
  readonly name: Actor;
}

export interface KnownPeople {
  /** By the id of their secret. Undefined if the plan does not know them, or not any more. */
  find(id: string): Promise<Person | undefined>;
  /** Also a machine whose key a person added. */
  enrolled(id: string): Promise<Person | undefined>;
  /** Whether the plan knows nobody yet, and nobody signed anything in it either. */
  isEmpty(): Promise<boolean>;
  statement(op: number): Promise<string | undefined>;
  /** Why the approval of a node does not count. Null if it does, and in a store that was opened without checking that. */
  doubt(node: Node): Promise<ApprovalDoubt | null>;
}

/** Opened with these, a store checks who approved. */
export interface PeopleOptions {
  /** The id of the person who started the plan, as far as this machine has seen. Asked only when it is needed. */
  readonly first?: () => string | undefined;
  /** The link of its first operation, likewise: approvals of another plan that was put in its place do not count. */
  readonly plan?: () => string | undefined;
}

/** `unknown`: signed by nobody whom the plan knows. `false`: somebody else wrote what passes for their signature. */
export type ApprovalDoubt = "unknown" | "false";

export interface Decision<T> {
  readonly sentence: string;
  /** If there are none, nothing is written and no operation is recorded, unless it is an undo, a redo or `always`. */
  readonly changes: readonly Change[];
  /**
   * What comes before them, where it is too much for the memory: each part is read, written and forgotten before the next one. They are
   * gone through twice, first to sign them, and have to be the same then. They change rows that are there, each of them once, and
   * what waits for a plan is not among them.
   */
  readonly parts?: () => AsyncIterable<readonly Change[]>;
  readonly value: T;
  /** The hash of the preview that the person said yes to. */
  readonly shown?: string;
}

export interface Committed<T> {
  /** Null when there was nothing to change. */
  readonly op: number | null;
  readonly sentence: string;
  readonly value: T;
}

/** The end of the log that is there, and the last operation that was known to be committed. */
export interface Cut {
  readonly found: number;
  readonly known: number;
}

export interface Repaired {
  /** What was different before. What the log cannot give back, such as long texts, still is. */
  readonly repaired: Verification["differences"];
  readonly op: number | null;
}

export interface Store {
  /** Everything inside sees the plan at one moment. `left`: whoever asked is gone, so it stops. */
  read<T>(work: (reader: Reader) => Promise<T>, left?: AbortSignal): Promise<T>;
  /** Read, decide, write: all or nothing. */
  commit<T>(intent: Intent, decide: (writer: Writer) => Promise<Result<Decision<T>>>): Promise<Result<Committed<T>>>;
  /** Looks at what an operation would do. It waits for no lock and holds none, and what it allocates or keeps is forgotten. */
  rehearse<T>(now: () => number, look: (writer: Writer) => Promise<Result<T>>): Promise<Result<T>>;
  /**
   * The operations after this one, and then each as it is committed, by this process or another: in order, none left out,
   * none twice. Ends when the signal is aborted or the store is closed.
   */
  follow(after: number, options?: { readonly signal?: AbortSignal }): AsyncIterable<LoggedOperation>;
  /** The plan as it was after this operation: it reads like this one, and refuses to commit. The operation must exist, or be 0. */
  past(op: number): Promise<Store>;
  /** Keeps states of earlier moments beside the plan, so that none of them is far from one. Reads only, and takes its time. */
  preparePast(signal: AbortSignal): Promise<void>;
  /** What is wrong with the pages of the file itself, in the words of the database. Empty if nothing is. */
  damage(): Promise<readonly string[]>;
  /** Follows the chain of the log, replays it from the beginning, and compares the result with the stored rows. */
  verify(options?: VerifyOptions): Promise<Verification>;
  /** Builds all rows again from the log. Refused if the log itself does not hold. */
  repair(intent: Intent, options?: VerifyOptions): Promise<Result<Repaired>>;
  /** Writes a whole copy of the plan, as of one moment, into a file. Replaces the file. */
  backUp(file: string): Promise<void>;
  /** Operations that were committed and are not in the file any more, as far as the note beside it knows. */
  readonly cut: Cut | null;
  /** What was computed from this plan, for whoever asks again in this process. Also of past moments. */
  readonly kept: Map<string, Promise<unknown>>;
  size(): Promise<number>;
  close(): Promise<void>;
}
