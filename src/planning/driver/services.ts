// What planning needs from outside, and how a run reports to its caller.

import type { Context } from "../../actions/context.js";
import type { Escalation } from "../../graph/item/escalation.js";
import type { Role } from "../machine/machine.js";
import type { Project } from "../project.js";
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

export interface PutBackFiles {
  readonly files: readonly string[];
  /** The folder with copies of what the agent wrote, relative to the workspace. */
  readonly copies: string;
}

export interface PlanningServices {
  readonly context: Context;
  readonly limits: PlannerLimits;
  readonly around: Project;
  /** Null if no agent is configured for the role. */
  readonly serverFor: (role: Role, wish: Pick<Intake, "agent" | "model" | "effort">) => Promise<RoleServer | null>;
  /** The outline planner plans because no agent was chosen or found. */
  readonly isStandIn: (agent: string | null) => boolean;
  /** Takes secrets out of what is kept of a conversation. */
  readonly redact: (text: string) => string;
  /** How long to wait before a call that failed for the moment is made again, for each further try. */
  readonly retryDelaysMs: readonly number[];
  /** Watches the files while an agent that may only read works. The result puts back what changed, and says what. */
  readonly watchFiles: (agent: string, call: string) => Promise<() => Promise<PutBackFiles | null>>;
  /** Where transcripts go. */
  readonly transcripts: string;
  /** `host/pid`: who drives. */
  readonly process: string;
  readonly isAlive: (process: string) => boolean;
}

export interface Hooks {
  readonly signal: AbortSignal;
  onProgress(progress: Progress): void;
  /** Asks a person who is there. Undefined: they would rather answer later. */
  ask?(key: string, escalation: Escalation): Promise<{ readonly option: string; readonly note: string } | undefined>;
}
