// What is planned, and what is known about it. Content is written by people and planners and is
// what an approval binds; facts are written by verbs. Status is neither: it is derived (status.ts).

export const TIERS = ["mission", "initiative", "feature", "story", "task"] as const;
export type Tier = (typeof TIERS)[number];

export const KINDS = ["work", "gate", "review", "land"] as const;
/** `work` an agent does; `gate` a person's prerequisite; `review` reads only; `land` merges a feature. */
export type Kind = (typeof KINDS)[number];

/** `stated` by a person or an author; the others only delay, so an approval does not bind them. */
export type EdgeOrigin = "stated" | "sequence" | "conflict";

export const TITLE_LIMIT = 500;

/** Key of a node's row. Never shown to people, never used twice. */
export type Nr = number;

export interface Edge {
  readonly on: Nr;
  readonly origin: EdgeOrigin;
}

export interface Check {
  readonly run: string;
  /** `exit N` (default `exit 0`), or a text that the output must contain. */
  readonly expect?: string;
  readonly timeoutS?: number;
  /** Relative to the working directory. */
  readonly cwd?: string;
}

export interface Budgets {
  /** How often the task may be claimed. */
  readonly attempts?: number;
  /** How often the node may be replanned. */
  readonly replans?: number;
}

export interface Content {
  readonly tier: Tier;
  /** Null for every tier but tasks. */
  readonly kind: Kind | null;
  readonly title: string;
  readonly body: string;
  readonly parent: Nr | null;
  readonly dependsOn: readonly Edge[];
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly checks: readonly Check[];
  readonly profile: string | null;
  /** 0 is the most urgent; null comes after 4. */
  readonly priority: number | null;
  readonly estimateHours: number | null;
  readonly budgets: Budgets;
  /** A planning-only holding feature: nothing in it ever runs. */
  readonly inbox: boolean;
}

export interface Approval {
  readonly by: string;
  readonly at: number;
  /** The content hash that was approved. Empty: approved with a secret that the plan does not know, so it binds nothing. */
  readonly hash: string;
  /** Who signed it, and where: in the statement of an operation or, up to schema 9, the signature itself. */
  readonly seal?: string;
}

/** What `seal` signed up to schema 9. */
export const approvalText = (uuid: string, { hash, by, at }: Approval): string =>
  ["planwright approval", uuid, hash, by, at].join("\n");

export interface Freeze {
  readonly reason: string;
  readonly by: string;
  readonly at: number;
  /** The node on which the freeze was asked for; descendants carry their ancestor's number. */
  readonly from: Nr;
  /** Where its work would have begun at that moment, so that `thaw` can see what changed since. */
  readonly commit: string | null;
}

export interface Claim {
  readonly by: string;
  /** The hash of the token: the token itself is shown once, to whoever claimed the task. */
  readonly token: string;
  /** Counts the claims of this task: a fence against late workers. */
  readonly epoch: number;
  readonly at: number;
  readonly until: number;
}

export type OutcomeKind = "done" | "waived" | "dropped";

export interface Outcome {
  readonly kind: OutcomeKind;
  readonly by: string;
  readonly at: number;
  readonly reason: string | null;
  /** Number of the operation that settled it: orders it against landings. */
  readonly op: number;
}

/** `pending`: the work is handed in, and a person has to accept it. */
export type AcceptanceState = "pending" | "accepted" | "rejected";

export interface Acceptance {
  readonly state: AcceptanceState;
  /** `checks` proved it, or a person overrode them. */
  readonly by: string;
  readonly at: number;
  readonly reason: string | null;
}

export const FAILURE_CLASSES = ["transient", "logic", "design", "plan", "architecture", "conflict", "other"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export interface CheckResult {
  readonly run: string;
  readonly passed: boolean;
  /** One phrase: `exit 0`, `exit 1, expected exit 0`, `timed out after 60 s`. */
  readonly outcome: string;
  readonly durationMs: number;
  readonly output: string;
  /** The approved baseline that excuses the failure. The check is still not green. */
  readonly excused?: string;
  /** How the same check ended without the change. */
  readonly before?: CheckBefore;
  /** It failed and passed on the same tree. */
  readonly flaky?: true;
  /** Tests and other protected files that the change touches: the check passed also with these as they were. */
  readonly restored?: readonly string[];
}

export interface CheckBefore {
  /** `base`: on the commit that the work began from. `tests`: on that commit with only the tests of the change. */
  readonly on: "base" | "tests";
  readonly passed: boolean;
  readonly outcome: string;
}

/** What the latest attempt came to. */
export interface Report {
  readonly by: string;
  readonly at: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly commit: string | null;
  readonly created: readonly string[];
  readonly modified: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly failure: { readonly class: FailureClass; readonly reason: string } | null;
}

export interface Discovery {
  readonly note: string;
  readonly from: Nr;
  readonly by: string;
  readonly at: number;
}

export interface Archive {
  readonly by: string;
  readonly at: number;
  /** The node that was archived; its descendants carry its number. */
  readonly root: Nr;
  /** What the branch was; only its root says it. */
  readonly summary: string | null;
}

export interface AwaitedPlan {
  readonly by: string;
  readonly at: number;
  readonly reason: string;
}

export interface Facts {
  readonly approval: Approval | null;
  readonly freeze: Freeze | null;
  readonly claim: Claim | null;
  readonly outcome: Outcome | null;
  readonly acceptance: Acceptance | null;
  readonly report: Report | null;
  readonly archive: Archive | null;
  readonly discoveries: readonly Discovery[];
  /** Claims so far: the next claim's epoch is one more. */
  readonly epoch: number;
  /** Claims that count against `budgets.attempts`. */
  readonly attempts: number;
  /** Leases that expired in a row. */
  readonly retries: number;
  readonly replans: number;
  /** Replans a person granted on top of the budget. */
  readonly replansGranted: number;
  /** A container that was replanned is not finished before it gets a new plan, or a person drops the rest. */
  readonly awaitsPlan: AwaitedPlan | null;
}

/** Everything that the operation log remembers about a node. */
export interface NodeFields extends Content, Facts {
  readonly uuid: string;
  readonly id: string;
  readonly createdAt: number;
  readonly createdBy: string;
}

/** Values that follow from the fields of many nodes, kept beside them so that no read has to look around. */
export interface Derived {
  /** The feature around the node (itself, if it is one). */
  readonly feature: Nr | null;
  /** Somewhere inside a planning-only inbox. */
  readonly shelved: boolean;
  /** The hash of the content, once it is approved. */
  readonly hash: string;
  /** Dependencies that are not met. */
  readonly pending: number;
  /** Something that contains it waits for a dependency, so everything in it waits too. */
  readonly held: boolean;
  /** Children that are not dropped, and those of them that are finished. */
  readonly live: number;
  readonly finished: number;
  /** How many tasks a feature has (the land task aside), and how many of them are finished. */
  readonly tasksLive: number;
  readonly tasksFinished: number;
  /** The operation that landed a feature last. */
  readonly landedOp: number | null;
  /** How many dependencies from outside lead into a feature. */
  readonly awaited: number;
}

/** What is derived of a node that nothing is known of. */
export const UNDERIVED: Derived = {
  feature: null,
  shelved: false,
  hash: "",
  pending: 0,
  held: false,
  live: 0,
  finished: 0,
  tasksLive: 0,
  tasksFinished: 0,
  landedOp: null,
  awaited: 0,
};

export interface Node extends NodeFields, Derived {
  readonly nr: Nr;
  readonly revision: number;
  readonly updatedAt: number;
}

/** The initiative for bugs that `init` makes. */
export const BUGS = "BUGS";

export const isContainer = (node: Pick<Content, "tier">): boolean => node.tier !== "task";

export const tierRank = (tier: Tier): number => TIERS.indexOf(tier);

/** A parent must stand strictly above its child. */
export const mayContain = (parent: Tier, child: Tier): boolean => tierRank(parent) < tierRank(child);

/** What every new node says itself. */
const GIVEN = ["uuid", "id", "tier", "title", "createdAt", "createdBy"] as const;
type Given = (typeof GIVEN)[number];

/** What every node starts from; the log leaves out what a new node has in common with it. */
export const BLANK: Omit<NodeFields, Given> = {
  kind: null,
  body: "",
  parent: null,
  dependsOn: [],
  files: [],
  symbols: [],
  checks: [],
  profile: null,
  priority: null,
  estimateHours: null,
  budgets: {},
  inbox: false,
  approval: null,
  freeze: null,
  claim: null,
  outcome: null,
  acceptance: null,
  report: null,
  archive: null,
  discoveries: [],
  epoch: 0,
  attempts: 0,
  retries: 0,
  replans: 0,
  replansGranted: 0,
  awaitsPlan: null,
};

/** Everything that the log remembers of a node. */
export const LOGGED_FIELDS: readonly (keyof NodeFields)[] = [
  ...GIVEN,
  ...(Object.keys(BLANK) as (keyof typeof BLANK)[]),
];

export type Birth = Pick<NodeFields, Given> & Partial<NodeFields>;

const FRESH: Node = {
  nr: 0,
  uuid: "",
  id: "",
  tier: "task",
  title: "",
  createdAt: 0,
  createdBy: "",
  updatedAt: 0,
  revision: 1,
  ...BLANK,
  ...UNDERIVED,
};

/** The copy comes first: an object that grows to sixty fields takes thirty times as long, and a batch has a hundred thousand. */
export const newNode = (nr: Nr, birth: Birth, at: number): Node => ({ ...FRESH, ...birth, nr, updatedAt: at });

/** After the lowest priority that a task can have. */
const NO_PRIORITY = 5;

/** The value of the `ready` index: urgent work first, work without a priority last. */
export const rankOf = (priority: number | null): number => priority ?? NO_PRIORITY;

type Ranked = Pick<Node, "priority" | "nr">;

export const byUrgency = (a: Ranked, b: Ranked): number => rankOf(a.priority) - rankOf(b.priority) || a.nr - b.nr;
