// What planning needs from outside, and what a run reports while it works. Interfaces turn reports into lines.

import type { AgentEvent } from "../../machine/agents/agent.js";
import type { Question } from "../../model/item/question.js";
import type { Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import type { Source } from "../contracts/findings.js";
import type { countNodes } from "../contracts/plan-draft.js";
import { type Role, type RoleAsk, roundNumber } from "../machine/machine.js";
import type { Verdict } from "../machine/verdict.js";
import type { Project } from "../project.js";
import { HOST } from "../roles/agents.js";
import type { Brief } from "../roles/brief.js";
import type { ReadingFolder } from "../roles/reading-folder.js";
import type { RoleServer } from "../roles/server.js";
import type { Coverage } from "../spec/coverage.js";
import { type DecideStep, type Driver, type Intake, type Run, type StepWork, stepRun } from "./stored-run.js";

export interface PlannerLimits {
  readonly roleTimeoutMinutes: number;
  readonly windowTokens: number;
  readonly answerHours: number;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  readonly revisions: number;
  readonly overviews: number;
}

export interface PlanningServices {
  readonly context: Context;
  readonly limits: PlannerLimits;
  /** The project as it is now: the commit that is checked out, which agents read, or your checkout itself, which a host reads. */
  readonly readProject: (which: "commit" | "checkout") => Promise<Project>;
  /** A folder of its own for the agents of a run, outside of your checkout. */
  readonly readingFolder: (run: string) => Promise<ReadingFolder>;
  /** Removes such folders that no run uses any more. */
  readonly removeReadingFolders: () => Promise<void>;
  readonly serverFor: (role: Role, wish: Pick<Intake, "agent" | "model" | "effort">) => Promise<RoleServer | null>;
  /** The outline planner plans because no agent was chosen or found. */
  readonly isStandIn: (agent: string | null) => boolean;
  readonly redact: (text: string) => string;
  /** How long to wait before a call that failed for the moment is made again, for each further try. */
  readonly retryDelaysMs: readonly number[];
  readonly transcripts: string;
  /** `host/pid`: who drives. */
  readonly process: string;
  readonly isAlive: (process: string) => boolean;
}

/** The project for what the program itself looks up in a run. */
export const projectOf = ({ readProject }: PlanningServices, { agent }: Pick<Intake, "agent">): Promise<Project> =>
  readProject(agent === HOST ? "checkout" : "commit");

export interface Hooks {
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Asks a person who is there. Undefined: they would rather answer later. */
  ask?(key: string, question: Question): Promise<{ readonly option: string; readonly note: string } | undefined>;
}

export interface Drive {
  readonly services: PlanningServices;
  readonly hooks: Hooks;
  readonly key: string;
  readonly driver: Driver;
}

/** One step of the run that is driven. It is refused if another process has ended the run or taken it over. */
export const saveStep = (
  { services: { context }, key, driver }: Drive,
  work: DecideStep | StepWork,
): Promise<Result<Run>> => stepRun(context, key, driver, work);

/** A revision begins where an answer of the program or of a reviewer asks for one. */
export function reportRevision({ onProgress }: Pick<Hooks, "onProgress">, before: Run, { machine }: Run): void {
  if (roundNumber(machine) > roundNumber(before.machine))
    onProgress({ type: "revising", round: roundNumber(machine), because: machine.feedback });
}

interface ReviewFigures {
  readonly verdict: Verdict;
  readonly severities: Readonly<Record<string, number>>;
  readonly questions: number;
  readonly against: number;
  readonly assessment: string;
}

interface AuthorFigures extends ReturnType<typeof countNodes> {
  readonly revised: boolean;
  readonly fixed: number;
  /** Findings that the author would not follow, with its reason. */
  readonly declined: readonly { readonly finding: string; readonly note: string }[];
  readonly unchanged: boolean;
}

type Counts<K extends string> = Readonly<Record<K, number>>;

export type CallSummary =
  | ({ readonly role: "researcher" } & Counts<"findings">)
  | ({ readonly role: "clarifier"; readonly intent: string } & Counts<"questions" | "assumptions">)
  | ({ readonly role: "author"; readonly stage: "capabilities" } & Counts<"domains" | "behaviours" | "leftOut">)
  | ({ readonly role: "author"; readonly stage: "files" } & Counts<"files" | "behaviours">)
  | ({ readonly role: "author"; readonly stage: "tasks" } & AuthorFigures)
  | ({ readonly role: "critic"; readonly ratings: Readonly<Record<string, string>> } & ReviewFigures)
  | ({ readonly role: "overviewer" } & ReviewFigures);

type OfRole<T extends string, Fields = object> = { readonly type: T } & Pick<RoleAsk, "role" | "stage"> &
  Readonly<Fields>;

export type Progress =
  | {
      readonly type: "started";
      readonly run: string;
      readonly mode: string;
      readonly title: string;
      readonly resumed: boolean;
      readonly unserved: readonly Role[];
      readonly agents: Readonly<Partial<Record<Role, string>>>;
      readonly parts: number;
      /** Other runs about the same spec or node that are not over. */
      readonly alsoOpen: readonly string[];
      /** The outline planner serves because there is no agent. */
      readonly standIn: boolean;
    }
  | OfRole<"asking", { agent: string; model: string | null; part: Brief["part"]; repair: number }>
  /** Uncommitted files of your checkout, which no role of this run reads. */
  | { readonly type: "unseen"; readonly commit: string; readonly files: readonly string[] }
  | { readonly type: "agent"; readonly event: AgentEvent }
  | OfRole<
      "answered",
      { round: number; summary: CallSummary; durationMs: number; tokens: number; costUsd: number | null }
    >
  /** The answer counts, and there is something that a person should know about how it came. */
  | OfRole<"warned", { message: string }>
  /** A failure that may go away by itself: the same is asked again soon. */
  | OfRole<"retrying", { message: string; delayMs: number }>
  | OfRole<"sent-back", { problems: readonly string[] }>
  | OfRole<"failed", { message: string; recovery: string }>
  | ({ readonly type: "linted"; readonly verdict: Verdict; readonly coverage: Coverage | null } & Counts<
      "round" | "errors" | "warnings" | "remarks"
    >)
  | ({ readonly type: "sequenced" } & Counts<"waves" | "tasks" | "added" | "hours"> & {
        /** Ids of tasks that wait for themselves. */
        readonly cyclic: readonly string[];
      })
  | { readonly type: "revising"; readonly round: number; readonly because: readonly Source[] }
  | { readonly type: "asked"; readonly questions: readonly string[] };
