// What an adapter has to bring: a conversation with one agent. `session.ts` makes the rest of a session of it
// (time limits, structured output, reminders, the look at the working tree), the same for all agents.

import type { AgentEvent, Ending } from "./agent.js";
import type { Reading } from "./ledger.js";
import type { SubmitDoor } from "./submit.js";

/** A process that was killed may not have saved its conversation; a prompt says all that another has to know. */
export const LOST: AgentEvent = { type: "notice", text: "The agent has lost the conversation; another begins." };

export interface TurnRequest {
  readonly prompt: string;
  /** Where the agent hands in structured output, if it may need to. */
  readonly door: SubmitDoor | undefined;
  readonly maxCostUsd: number | undefined;
  /** Aborted when the answer is no longer wanted. The reply is then `cancelled`, and soon. */
  readonly signal: AbortSignal;
  onEvent(event: AgentEvent): void;
}

export interface Reply {
  /** `ended`: by itself and without an error. Whether it did what was asked is not the adapter's to say. */
  readonly ending: "ended" | Exclude<Ending, "finished" | "no-output" | "timeout">;
  /** What this prompt alone used. */
  readonly reading?: Reading | undefined;
  readonly message?: string | undefined;
  /** The agent has lost the conversation to continue, so the next prompt starts another. */
  readonly lost?: boolean;
}

export interface Conversation {
  readonly id: string | null;
  /** When the agent learns which door to use: with each prompt, with a new process, or only once. */
  readonly doors: "each-prompt" | "on-reopening" | "once";
  /** Never throws, never hangs: an agent that dies or falls silent is an ending too. */
  prompt(ask: TurnRequest): Promise<Reply>;
  close(): Promise<void>;
}

// The id of a session as we give it out: the agent's own, and what the adapter must remember to go on with it
// in another process, such as how far a counter had come.
const MARK = "~";

export const joinId = (agentsId: string, note: string): string =>
  note === "" ? agentsId : `${agentsId}${MARK}${note}`;

export function splitId(id: string): { readonly agentsId: string; readonly note: string } {
  const at = id.lastIndexOf(MARK);
  return at < 0 ? { agentsId: id, note: "" } : { agentsId: id.slice(0, at), note: id.slice(at + 1) };
}
