// What the program needs of a coding agent, and nothing more. An adapter starts or resumes a session in a
// folder under a policy, prompts it, and says how each turn ended. What must not be lost lives in the store:
// a fresh conversation can always take over, so resuming is something that an adapter may offer.

import type { Wrap } from "../process/start.js";

/** One word for how a turn ended. Only `finished` is a success. */
export type Ending =
  | "finished" // the agent ended its turn by itself, with what was asked for
  | "no-output" // it ended its turn without the structured output that was asked for
  | "refused" // the model or its host declined
  | "over-budget" // a limit of cost, tokens or turns was reached
  | "cancelled" // cancelled by the caller
  | "timeout" // its time was up
  | "crashed" // the process died, or spoke nonsense
  | "unavailable"; // it could not be started: not installed, not logged in

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** Null where neither the agent nor our price table can tell. */
  readonly costUsd: number | null;
}

/** What happens during a turn, in one shape for every agent. */
export type AgentEvent =
  | { readonly type: "text" | "thought" | "notice"; readonly text: string }
  | {
      readonly type: "tool";
      readonly name: string;
      readonly state: "started" | "done" | "failed";
      readonly detail: string;
    }
  | { readonly type: "permission"; readonly what: string; readonly granted: boolean }
  /** So many tokens in this prompt so far, from agents that tell while they work. */
  | { readonly type: "spent"; readonly tokens: number }
  | { readonly type: "usage"; readonly usage: Usage };

/** `read` may look at the folder, `write` may also change it and run commands in it. */
export type Access = "read" | "write";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The text of that name, or undefined if nothing is called so. */
export type LookUp = (name: string) => string | undefined;

export type Effort = "low" | "medium" | "high";

export interface SessionSpec {
  /** The folder that the agent works in, and never leaves. */
  readonly cwd: string;
  readonly access: Access;
  readonly model?: string;
  readonly effort?: Effort;
  /** A session of an earlier process to continue. */
  readonly resume?: string;
  /** The whole environment of the agent: what is not in here, it does not see. */
  readonly env: Readonly<Record<string, string>>;
  /** Puts the agent into a sandbox. */
  readonly wrap?: Wrap;
  /** Whether that confines it: then a sandbox of its own adds nothing. */
  readonly confined?: boolean;
  /** What prompts only name, the agent can read by this, in a turn that asks for output. */
  readonly lookUp?: LookUp;
}

export interface Turn {
  readonly prompt: string;
  /** Asked instead if the conversation to continue is lost; the same prompt if there is none. */
  readonly whole?: () => string;
  /** Ask for output of this shape. The answer has been validated against it. */
  readonly schema?: JsonSchema;
  /** Judges what was handed in instead of the schema, for a caller that has a stricter rule: what is wrong with it. */
  readonly judge?: (output: unknown) => readonly string[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Let the agent stop by itself before it costs more, where it can. */
  readonly maxCostUsd?: number;
  onEvent?(event: AgentEvent): void;
}

export interface TurnResult {
  readonly ending: Ending;
  /** Everything the agent said, without its thoughts. */
  readonly text: string;
  /** Present exactly if a schema was given and the ending is `finished`. */
  readonly output?: unknown;
  /** What this turn alone used, whatever the agent counts. */
  readonly usage: Usage;
  readonly durationMs: number;
  readonly message?: string;
}

export interface AgentSession {
  /**
   * What to give as `resume` later; null if the agent has no such thing. Known after the first turn at the latest.
   * It may change with each turn, since it says how far the agent's counters had come: keep the latest.
   */
  readonly id: string | null;
  turn(turn: Turn): Promise<TurnResult>;
  /** Ends the process and everything that it started. */
  close(): Promise<void>;
}

export interface Capabilities {
  readonly resume: boolean;
  /** `native`: the agent enforces the schema; `submit`: through our own tool. */
  readonly structured: "native" | "submit";
  readonly usage: "tokens" | "tokens and cost" | "none";
}

export interface Agent {
  readonly name: string;
  readonly capabilities: Capabilities;
  version(): Promise<string | undefined>;
  /** Never throws for an agent that cannot run: then the first turn ends with `unavailable`. */
  start(spec: SessionSpec): Promise<AgentSession>;
}
