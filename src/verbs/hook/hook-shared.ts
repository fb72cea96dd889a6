import { HOOKED_HOSTS, type HookedHost } from "../../config/host-settings.js";
import { ok, type Result } from "../../model/result.js";
import { choice, optional, text } from "../kit/schema.js";
import type { Session } from "../kit/session.js";
import { calledBy, DEFAULT_HOST, isWorker } from "./hook-caller.js";
import type { HookContext } from "./prompt-hook.js";

/** An answer, and whose form it takes. */
export type ForHost<Answer> = Answer & { readonly host: HookedHost };

export const caller = () => ({
  host: optional(choice(HOOKED_HOSTS, "the coding agent that asks (claude)")),
  session: optional(text("the host's name for the conversation")),
  folder: optional(text("where the agent works", "DIR")),
});

export async function forHost<Answer extends object>(
  host: HookedHost = DEFAULT_HOST,
  answered: Promise<Result<Answer>>,
): Promise<Result<ForHost<Answer>>> {
  const answer = await answered;
  return answer.ok ? ok({ ...answer.value, host }) : answer;
}

export const HOST_FORM =
  "The command line reads the host's JSON from standard input and answers in the host's form. Whatever goes wrong, the agent goes on.";

export async function primed(
  session: Session,
  asked: Parameters<typeof calledBy>[1],
): Promise<Result<ForHost<HookContext>>> {
  const { settings } = calledBy(session, asked);
  const host = asked.host ?? DEFAULT_HOST;
  if (!settings.prime || isWorker(session)) return ok({ host, context: null });
  const { prime } = await import("./prime-lines.js");
  const answer = await prime(session, asked);
  return answer.ok ? ok({ host, context: answer.value.text }) : answer;
}
