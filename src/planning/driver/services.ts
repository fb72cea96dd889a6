// What planning needs from outside, and how a run reports to its caller.

import type { Escalation } from "../../model/item/escalation.js";
import type { Context } from "../../plan/base/context.js";
import type { Role } from "../machine/machine.js";
import type { Project } from "../project.js";
import type { ReadingFolder } from "../roles/reading-folder.js";
import type { RoleServer } from "../roles/server.js";
import type { Intake } from "./intake.js";
import type { Progress } from "./progress.js";

/** The planner that needs no model: it reads the structure of a spec. */
export const OUTLINE = "outline";

/** In place of an agent: the conversation that asks serves every role itself, and hands the answers in. */
export const HOST = "host";

/** The limits of the configuration that a run starts with. */
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
  /** Null if no agent is configured for the role. */
  readonly serverFor: (role: Role, wish: Pick<Intake, "agent" | "model" | "effort">) => Promise<RoleServer | null>;
  /** The outline planner plans because no agent was chosen or found. */
  readonly isStandIn: (agent: string | null) => boolean;
  /** Takes secrets out of what is kept of a conversation. */
  readonly redact: (text: string) => string;
  /** How long to wait before a call that failed for the moment is made again, for each further try. */
  readonly retryDelaysMs: readonly number[];
  /** Where transcripts go. */
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
  ask?(key: string, escalation: Escalation): Promise<{ readonly option: string; readonly note: string } | undefined>;
}
