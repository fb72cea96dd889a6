// Operations for hooks of coding agents. Hosts call them by themselves: the command line reads the host's JSON and answers in its form.

import type { HookAnswer } from "../../../actions/claim/stop-hook.js";
import { HOOKED_HOSTS, type HookedHost } from "../../../config/host-settings.js";
import { ok, type Result } from "../../../model/result.js";
import { calledBy, DEFAULT_HOST, isWorker } from "../../hooks/hook-caller.js";
import type { HookContext } from "../../hooks/prompt-hook.js";
import type { ToolDecision } from "../../hooks/tool-hook.js";
import { operation } from "../../operation.js";
import { choice, flag, input, list, optional, text } from "../../schema.js";
import type { Session } from "../../session.js";

/** An answer, and whose form it takes. */
export type ForHost<Answer> = Answer & { readonly host: HookedHost };

const caller = () => ({
  host: optional(choice(HOOKED_HOSTS, "the coding agent that asks (claude)")),
  session: optional(text("the host's name for the conversation")),
  folder: optional(text("where the agent works", "DIR")),
});

async function forHost<Answer extends object>(
  host: HookedHost = DEFAULT_HOST,
  answered: Promise<Result<Answer>>,
): Promise<Result<ForHost<Answer>>> {
  const answer = await answered;
  return answer.ok ? ok({ ...answer.value, host }) : answer;
}

const HOST_FORM =
  "The command line reads the host's JSON from standard input and answers in the host's form. Whatever goes wrong, the agent goes on.";

const primeAgent = operation({
  name: "prime",
  summary: "Tell an agent what it has to know of the plan",
  description:
    "A few lines, at most 150 tokens: what the agent has claimed, what is in focus, what waits for you, and the next step. Hooks show it when a conversation begins and after it was compacted.",
  who: "both",
  effect: "reads",
  input: () => input(caller()),
  examples: [{ input: {}, does: "prints the lines" }],
  run: async (session, asked) => (await import("../../hooks/prime.js")).prime(session, asked),
});

const promptHook = operation({
  name: "hook.prompt",
  summary: "Tell an agent what a prompt has to do with the plan",
  description: `For the prompt hook of a coding agent. It says nothing unless the prompt names a node of the plan by its id, or is one of the eleven verbs of the plan, such as "next" or "expand FEAT-001", and the plan could do it right now. A question never claims a task. The agent gets a line or two and goes on. ${HOST_FORM}`,
  who: "both",
  effect: "reads",
  input: () => input({ ...caller(), prompt: optional(text("what the user typed")) }),
  examples: [{ input: { prompt: "next" }, does: "says which task the plan would give out" }],
  run: async (session, { prompt = "", ...asked }): Promise<Result<ForHost<HookContext>>> => {
    const { promptHook: answer } = await import("../../hooks/prompt-hook.js");
    return forHost(asked.host, answer(session, { ...asked, prompt }));
  },
});

const toolHook = operation({
  name: "hook.tool",
  summary: "Hold an edit against the claimed task",
  description: `For the hook of a coding agent before it edits files or runs commands. An edit outside of the files of the task that the agent has claimed is refused, and one in the main checkout without a claim gets a note: hosts.footprint and hosts.mainCheckout change that. While a conversation plans with subagents (plan with serve host), it may only delegate. ${HOST_FORM}`,
  who: "both",
  effect: "reads",
  input: () =>
    input({
      ...caller(),
      files: optional(list(text(""), "a file that the tool would change", "PATH")),
      subagent: optional(flag("a subagent is about to use it")),
    }),
  examples: [{ input: { files: ["src/app.ts"] }, does: "answers whether the edit fits" }],
  run: async (session, { files = [], ...asked }): Promise<Result<ForHost<ToolDecision>>> => {
    const { toolHook: answer } = await import("../../hooks/tool-hook.js");
    return forHost(asked.host, answer(session, { ...asked, files }));
  },
});

const stopHook = operation({
  name: "hook.stop",
  summary: "Keep an agent from stopping while its task is open",
  description: `For the Stop hook of a coding agent. The agent is kept from stopping while a task that it claimed itself is not handed in: at most three times in a row, and never because of another worker's task. ${HOST_FORM}`,
  who: "both",
  effect: "writes",
  input: () => input({ ...caller(), active: optional(flag("the agent continues only because a hook asked it to")) }),
  examples: [{ input: {}, does: "answers a Stop hook" }],
  run: async (session, { active = false, ...asked }): Promise<Result<HookAnswer>> => {
    const { context, caller: asking, settings } = calledBy(session, asked);
    if (!settings.stop) return ok({});
    const { stopHook: answer } = await import("../../../actions/claim/stop-hook.js");
    return answer(context, { ...asking, active });
  },
});

async function primed(session: Session, asked: Parameters<typeof calledBy>[1]): Promise<Result<ForHost<HookContext>>> {
  const { settings } = calledBy(session, asked);
  const host = asked.host ?? DEFAULT_HOST;
  if (!settings.prime || isWorker(session)) return ok({ host, context: null });
  const { prime } = await import("../../hooks/prime.js");
  const answer = await prime(session, asked);
  return answer.ok ? ok({ host, context: answer.value.text }) : answer;
}

const sessionHook = operation({
  name: "hook.session",
  summary: "Tell an agent about the plan when it begins",
  description: `For the hook of a coding agent at the beginning of a conversation, and after it was compacted. ${HOST_FORM}`,
  who: "both",
  effect: "reads",
  input: () => input(caller()),
  examples: [{ input: {}, does: "answers a SessionStart hook" }],
  run: primed,
});

const compactHook = operation({
  name: "hook.compact",
  summary: "Keep the claim when a conversation is compacted",
  description: `For the hook of a coding agent before its conversation is compacted: what the summary has to keep. ${HOST_FORM}`,
  who: "both",
  effect: "reads",
  input: () => input(caller()),
  examples: [{ input: {}, does: "answers a PreCompact hook" }],
  run: primed,
});

export const hookOperations = {
  prime: primeAgent,
  "hook.prompt": promptHook,
  "hook.tool": toolHook,
  "hook.stop": stopHook,
  "hook.session": sessionHook,
  "hook.compact": compactHook,
};
