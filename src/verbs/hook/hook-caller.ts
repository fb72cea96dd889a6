// Who calls a hook: a conversation of a coding agent, under the same name as the commands and tools that it uses.

import { agentIn } from "../../config/actor.js";
import { type HookedHost, type HostSettings, loadHostSettings } from "../../config/host-settings.js";
import type { Session } from "../kit/session.js";
import type { HookCaller } from "./hold-at-task.js";

/** What a host says about the conversation. */
export interface HookInput {
  readonly host?: HookedHost | undefined;
  /** The host's name for the conversation. */
  readonly session?: string | undefined;
  /** Where the agent works. */
  readonly folder?: string | undefined;
}

const AGENTS: Readonly<Record<HookedHost, string>> = {
  claude: "agent:claude-code",
  codex: "agent:codex",
  gemini: "agent:gemini-cli",
  copilot: "agent:copilot-cli",
};

export const DEFAULT_HOST: HookedHost = "claude";

export interface CalledHook {
  /** The plan, as the agent sees it. */
  readonly context: Session;
  readonly caller: HookCaller;
  readonly settings: HostSettings;
}

/** A hook is started by the host, so without any sign of an agent it still speaks for one: never for the person. */
export function calledBy(
  session: Session,
  { host, session: conversation = session.conversation ?? "", folder }: HookInput,
): CalledHook {
  const { env, root } = session;
  const actor = session.isActorGiven ? session.actor : (agentIn(env) ?? AGENTS[host ?? DEFAULT_HOST]);
  return {
    context: { ...session, actor },
    caller: {
      session: conversation,
      cwd: folder ?? session.cwd,
      task: env["PLANWRIGHT_TASK"] ?? null,
      isSaid: session.isActorGiven || host !== undefined,
    },
    settings: loadHostSettings(root, env, host ?? DEFAULT_HOST),
  };
}

/** A worker of ours gets its orders from the engine, and its work is judged there. */
export const isWorker = ({ env }: Pick<Session, "env">): boolean => (env["PLANWRIGHT_ATTEMPT"] ?? "") !== "";
