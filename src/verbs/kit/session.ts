// What an operation is given to run: the plan, who asks, and how to reach the caller.

import type { PersonProof } from "../../config/actor.js";
import type { NotificationSettings } from "../../config/notification-settings.js";
import type { CollectInput } from "../../engine/gc/collect-garbage.js";
import type { EngineEvent, EngineServices } from "../../engine/services.js";
import type { Environment } from "../../machine/process/environment.js";
import type { Question } from "../../model/item/question.js";
import type { VerbName } from "../../model/next-step.js";
import type { Check } from "../../model/node/node.js";
import type { Context } from "../../plan/base/context.js";
import type { ApprovalPreview } from "../../plan/node/approval-preview.js";
import type { AgentCatalogue } from "../../planning/roles/agents.js";
import type { PlanningServices, Progress } from "../../planning/run/services.js";
import type { WorkDone } from "../../store/progress.js";
import type { Verb } from "./verb.js";

/** What happens while an operation runs. A door may show it; nothing waits for it. */
export type AppEvent =
  | { readonly kind: "check"; readonly check: Check }
  | { readonly kind: "planning"; readonly progress: Progress }
  | { readonly kind: "engine"; readonly event: EngineEvent }
  | { readonly kind: "work"; readonly work: WorkDone };

/** Asks the person who is there now. Undefined: they would rather answer later. */
export type Ask = (
  key: string,
  question: Question,
) => Promise<{ readonly option: string; readonly note: string } | undefined>;

/** How an operation reaches its caller. A door brings what it has. */
export interface Door {
  readonly signal?: () => AbortSignal;
  /** Aborted when whoever asked is gone: then what only reads the plan stops. */
  readonly left?: AbortSignal;
  readonly onEvent?: (event: AppEvent) => void;
  /** One sentence that the caller should know with any answer. */
  readonly onNotice?: (notice: string) => void;
  readonly ask?: Ask;
  /** A yes or no from the person who is there now. The preview of an approval is shown before the question. */
  readonly confirm?: (question: string, preview?: ApprovalPreview) => Promise<boolean>;
  /** Look at the plan as it was after this operation. Only for what reads. */
  readonly at?: number | undefined;
  /** Serves the board on this port of this machine until the signal is aborted. */
  readonly serveBoard?: (port: number, stopped: AbortSignal) => Promise<void>;
  /** The conversation that asks, if the host names it with the call. Null: none, whatever the environment says. */
  readonly conversation?: string | null | undefined;
  /** How to start this program again, for work in the background. */
  readonly program?: readonly [string, ...string[]];
}

export type LoadVerb = (name: VerbName) => Promise<Verb>;

/** What plans, and what carries plans out (services/engines.ts). */
export interface Engines {
  readonly agents: AgentCatalogue;
  planning(): Promise<PlanningServices>;
  /** Throws `BadSetting`: other verbs do not need these settings. */
  execution(): Promise<Execution>;
}

/** What execution operations work with: the services of an engine, and the caller. */
export interface Execution {
  /** The engine acts as a daemon, which approves nothing. */
  readonly services: Omit<EngineServices, "onEvent">;
  readonly notifications: NotificationSettings;
  /** How long to keep what work leaves behind, and where that is. */
  readonly garbage: Omit<CollectInput, "context">;
  /** Runs work so that a later program can end what it started. */
  readonly contain: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Session extends Context, Pick<Door, "ask" | "confirm" | "program" | "serveBoard"> {
  readonly env: Environment;
  /** What proves that a person asks. */
  readonly proof: PersonProof;
  /** The actor was given, not guessed from the environment. */
  readonly isActorGiven: boolean;
  readonly signal: AbortSignal;
  emit(event: AppEvent): void;
  readonly load: LoadVerb;
  /** What plans and what carries plans out, composed when first asked for. */
  engines(): Promise<Engines>;
}
