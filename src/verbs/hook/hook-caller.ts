// Who calls a hook: a conversation of a coding agent, under the same name as the commands and tools that it uses.

import { realpathSync } from "node:fs";
import type * as z from "zod/mini";
import { agentIn } from "../../config/actor.js";
import { HOOKED_HOSTS, type HookedHost, loadHostSettings } from "../../config/host-settings.js";
import { LIVE } from "../../model/item/item.js";
import type { Node } from "../../model/node/node.js";
import { type Asking, type HeldTask, ownClaims } from "../../model/rules/hooks.js";
import type { Context } from "../../plan/base/context.js";
import { hashed, isRunOfSession, sessionOfClaim, subagentOfClaim } from "../../plan/claim/session-notes.js";
import { MAX_CLAIMS } from "../claim/list.js";
import { choice, optional, text } from "../kit/schema.js";
import type { Session } from "../kit/session.js";

/** A conversation of a coding agent, as its host describes it to a hook. */
export type HookCaller = Pick<Asking, "session" | "agent" | "cwd" | "task" | "isSaid">;

export const caller = () => ({
  host: optional(choice(HOOKED_HOSTS, "the coding agent that asks (claude)")),
  session: optional(text("the host's name for the conversation")),
  agent: optional(text("the host's name for the subagent that asks")),
  folder: optional(text("where the agent works", "DIR")),
});

export type HookInput = z.output<z.ZodMiniObject<ReturnType<typeof caller>>>;

const AGENTS: Readonly<Record<HookedHost, string>> = {
  claude: "agent:claude-code",
  codex: "agent:codex",
  gemini: "agent:gemini-cli",
  copilot: "agent:copilot-cli",
};

export const DEFAULT_HOST: HookedHost = "claude";

/** `context`: the plan, as the agent sees it. */
export type CalledHook = ReturnType<typeof calledBy>;

/** A hook is started by the host, so without any sign of an agent it still speaks for one: never for the person. */
export function calledBy(session: Session, { host, session: conversation, agent, folder }: HookInput) {
  const { env, root } = session;
  const actor = session.isActorGiven ? session.actor : (agentIn(env) ?? AGENTS[host ?? DEFAULT_HOST]);
  return {
    context: { ...session, actor, conversation: conversation ?? session.conversation },
    caller: {
      session: conversation ?? session.conversation ?? "",
      agent: agent ?? null,
      cwd: folder ?? session.cwd,
      task: env["PLANWRIGHT_TASK"] ?? null,
      isSaid: session.isActorGiven || host !== undefined,
    },
    settings: loadHostSettings(root, env, host ?? DEFAULT_HOST),
  };
}

/** A worker of ours gets its orders from the engine, and its work is judged there. */
export const isWorker = ({ env }: Pick<Session, "env">): boolean => (env["PLANWRIGHT_ATTEMPT"] ?? "") !== "";

export async function tasksOfCaller(context: Context, caller: HookCaller): Promise<readonly Node[]> {
  const held = await heldTasks(context);
  return ownClaims(held, askingAs(context, caller)).map(({ node }) => node);
}

/** The planning run whose roles this conversation serves, while it plans. `waiting`: for a person. */
export function runOfCaller(
  { root, store }: Context,
  { session }: HookCaller,
  states: readonly string[] = ["running", "waiting"],
): Promise<string | undefined> {
  return store.read(async (reader) => {
    for (const state of states) {
      const found = (await reader.items("run", { state })).find(({ key }) => isRunOfSession(root, session, key));
      if (found !== undefined) return found.key;
    }
    return undefined;
  });
}

export const askingAs = ({ actor, now }: Context, caller: HookCaller): Asking => ({
  ...caller,
  session: hashed(caller.session),
  agent: caller.agent == null ? null : hashed(caller.agent),
  actor,
  now: now(),
  cwd: real(caller.cwd),
});

export const heldTasks = ({ store, root }: Context): Promise<(HeldTask & { readonly node: Node })[]> =>
  store.read(async (reader) => {
    const attempts = await reader.items("attempt", { state: LIVE });
    const worktrees = new Map(attempts.map(({ fields }) => [fields.task, fields.worktree]));
    return (await reader.claimed({ limit: MAX_CLAIMS })).flatMap((node) => {
      const { nr, id, title, epoch, claim } = node;
      const worktree = worktrees.get(nr) ?? null;
      const session = sessionOfClaim(root, { id, epoch });
      const agent = subagentOfClaim(root, { id, epoch });
      return claim
        ? [{ id, title, by: claim.by, until: claim.until, worktree: worktree && real(worktree), session, agent, node }]
        : [];
    });
  });

/** Resolves links, because hosts differ in which name of a folder they give. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
