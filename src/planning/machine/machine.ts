// The state of a planning run: where it is, what it waits for, and what the next role has to know. Small on
// purpose: texts are artifacts in the store, and this only says which of them count.

import { valueForEach } from "../../model/words.js";
import type { Source } from "../contracts/findings.js";
import type { Verdict } from "./verdict.js";

export const STAGES = [
  "intake",
  "clarify",
  "capabilities",
  "files",
  "tasks",
  "sequence",
  "review",
  "overview",
  "approval",
] as const;

export type Stage = (typeof STAGES)[number];

/** The roles of a planning run; workers have their own. */
export const ROLES = ["researcher", "clarifier", "author", "critic", "overviewer"] as const;

export type Role = (typeof ROLES)[number];

/** `quick` skips the maps; `review` judges a plan and never rewrites it. */
export type Mode = "new" | "quick" | "revise" | "expand" | "review";

const DEFAULT_LIMITS = { revisions: 5, overviews: 3, repairs: 2 };

type Limits = Readonly<typeof DEFAULT_LIMITS>;

export interface RoleAsk {
  readonly for: "role";
  readonly call: number;
  readonly role: Role;
  readonly stage: Stage;
  /** Which part of a large spec, from 0. */
  readonly part: number;
  /** The plan is there already and is to be changed. */
  readonly revise: boolean;
  readonly repair: number;
}

/** `declined`: a reviewer insists on what the author declined. `decision`: the author leaves a finding to a person. */
export type Matter =
  | "conformance"
  | "critic"
  | "stagnation"
  | "limit"
  | "overview"
  | "failure"
  | "declined"
  | "decision";

/** `guide`: a person says in their own words what the author should do. */
export const CHOICES = ["guide", "start-over", "accept", "abort", "retry", "skip"] as const;

export type Choice = (typeof CHOICES)[number];

export type Wait =
  | RoleAsk
  /** The program itself is at work: it lints, or puts the tasks in order. */
  | { readonly for: "program"; readonly task: "lint" | "sequence" }
  | { readonly for: "answers"; readonly open: readonly string[] }
  | {
      readonly for: "choice";
      readonly matter: Matter;
      readonly choices: readonly Choice[];
      readonly failed: RoleAsk | null;
    }
  /** Stopped without a question; `resumed` asks the same again. */
  | { readonly for: "resume"; readonly halted: RoleAsk; readonly why: string }
  | { readonly for: "approval" }
  | { readonly for: "nothing" };

export interface Machine {
  readonly mode: Mode;
  readonly path: readonly Stage[];
  readonly stage: Stage;
  readonly wait: Wait;
  /** Roles that an agent or a program serves. The plan names the others as skipped. */
  readonly served: Readonly<Record<Role, boolean>>;
  readonly limits: Limits;
  readonly parts: number;
  /** Revisions and overviews since the start, or since a person said to start over. */
  readonly round: number;
  readonly overviews: number;
  /** Those before a person said to start over: rounds are numbered on. */
  readonly before: { readonly rounds: number; readonly overviews: number };
  readonly calls: number;
  /** After conformance escalated: the critic is asked only once conformance passes. */
  readonly conformanceFirst: boolean;
  readonly conformance: Verdict | null;
  /** What the program found wrong in this round: it stands still or not, like what reviewers find. */
  readonly errors: readonly string[];
  /** High-or-worse finding ids of the review and of the overview before. */
  readonly high: { readonly critic: readonly string[]; readonly overviewer: readonly string[] };
  readonly feedback: readonly Source[];
  /** Findings that the author declined in the latest revision. */
  readonly declined: readonly string[];
  /** A person asked for changes in a plan that was ready: what they had passed over before. */
  readonly requested: { readonly accepted: Matter | null } | null;
  /** A person edited the draft: the program judges it, and then it goes back to the person. */
  readonly edited: boolean;
  /** Roles that failed, and that a person went on without: the plan says so. */
  readonly skipped: readonly Role[];
  /** Set when a person accepted the plan as it is: which problem they passed over. */
  readonly accepted: Matter | null;
  readonly end: "approved" | "applied" | "reviewed" | "aborted" | null;
  /** What a review came to. */
  readonly verdict: Verdict | null;
}

export type Failing = "timeout" | "cancelled" | "crashed" | "refused" | "unavailable" | "over-budget" | "unreadable";

export type Event =
  | { readonly type: "started" }
  /** A role's answer is stored. Reviewers' verdicts were computed from their findings. */
  | {
      readonly type: "replied";
      readonly call: number;
      readonly questions?: readonly string[];
      readonly verdict?: Verdict;
      readonly high?: readonly string[];
      /** There is another part of the same to be asked about. */
      readonly more?: boolean;
      /** Findings that the author of a revision declined, and those that it leaves to a person. */
      readonly declined?: readonly string[];
      readonly undecided?: readonly string[];
      readonly repeated?: boolean;
    }
  | { readonly type: "misfit"; readonly call: number }
  | { readonly type: "failed"; readonly call: number; readonly how: Failing }
  | { readonly type: "linted"; readonly verdict: Verdict; readonly high?: readonly string[] }
  | { readonly type: "sequenced" }
  | { readonly type: "answered"; readonly question: string }
  /** `guided`: with words for the author. */
  | { readonly type: "chosen"; readonly choice: Choice; readonly guided?: boolean }
  | { readonly type: "resumed" }
  | { readonly type: "changes-requested" }
  | { readonly type: "edited" }
  | { readonly type: "approved" | "applied" }
  | { readonly type: "aborted" };

/** The number of a review and of an overview as people see it, from 0 and from 1. */
export const roundNumber = ({ before, round }: Machine): number => before.rounds + round;

export const overviewNumber = ({ before, overviews }: Machine): number => before.overviews + overviews;

/** Roles that were skipped: no agent is configured for them, or a person continued without them. */
export const leftOutOf = ({ served, skipped }: Machine): readonly Role[] =>
  ROLES.filter((role) => skipped.includes(role) || (!served[role] && role !== "researcher"));

const UNMAPPED = STAGES.filter((stage) => stage !== "capabilities" && stage !== "files");

const PATHS: Readonly<Record<Mode, readonly Stage[]>> = {
  new: STAGES,
  quick: UNMAPPED,
  revise: UNMAPPED,
  expand: UNMAPPED,
  review: ["intake", "review", "overview", "approval"],
};

export interface Beginning {
  readonly mode: Mode;
  readonly served: readonly Role[];
  readonly parts?: number;
  /** Leave out the stages before this one: their artifacts are there. */
  readonly from?: Stage;
  /** A changed spec is mapped again, also when a plan is revised. */
  readonly mapped?: boolean;
  /** A person wrote the draft: it is put in order, linted and shown to them. */
  readonly edited?: boolean;
  readonly limits?: Partial<Limits>;
}

export function pathOf({ mode, from, mapped = false }: Beginning): readonly Stage[] {
  const whole = mapped && mode === "revise" ? PATHS.new : PATHS[mode];
  if (from === undefined) return whole;
  const first = STAGES.indexOf(from);
  return whole.filter((stage) => stage === "intake" || STAGES.indexOf(stage) >= first);
}

export const toServed = (served: readonly Role[]): Machine["served"] =>
  valueForEach(ROLES, (role) => served.includes(role));

/** What is true of every run when it begins. Runs that began under an earlier version lack some of it. */
export const AT_START = {
  stage: "intake",
  wait: { for: "nothing" },
  round: 0,
  overviews: 0,
  before: { rounds: 0, overviews: 0 },
  calls: 0,
  conformanceFirst: false,
  conformance: null,
  errors: [],
  high: { critic: [], overviewer: [] },
  feedback: [],
  declined: [],
  requested: null,
  edited: false,
  skipped: [],
  accepted: null,
  end: null,
  verdict: null,
} satisfies Partial<Machine>;

export function begin(beginning: Beginning): Machine {
  const { mode, served, parts = 1, edited = false } = beginning;
  const { revisions, overviews, repairs } = { ...DEFAULT_LIMITS, ...beginning.limits };
  return {
    ...AT_START,
    mode,
    path: pathOf(beginning),
    served: toServed(served),
    limits: { revisions, overviews, repairs },
    parts: Math.max(1, parts),
    edited,
  };
}
