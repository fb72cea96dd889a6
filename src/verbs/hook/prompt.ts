import type { Result } from "../../model/result.js";
import { fields, optional, text } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { caller, type ForHost, forHost, HOST_FORM } from "./hook-shared.js";
import { fromHost, NO_CONTEXT, silently } from "./hook-text.js";
import { contextJson, typedPrompt } from "./host-json.js";
import type { HookContext } from "./prompt-hook.js";

export const input = fields({ ...caller(), prompt: optional(text("what the user typed")) });

export const verb = planVerb({
  name: "hook.prompt",
  command: { words: "hook prompt", group: "tool" },
  summary: "Tell an agent what a prompt has to do with the plan",
  description: `For the prompt hook of a coding agent. It says nothing unless the prompt names a node of the plan by its id, or is one of the eleven verbs of the plan, such as "next" or "expand FEAT-001", and the plan could do it right now. A question never claims a task. The agent gets a line or two and goes on. ${HOST_FORM}`,
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { prompt: "next" }, does: "says which task the plan would give out" }],
  run: async (session, { prompt = "", ...asked }): Promise<Result<ForHost<HookContext>>> => {
    const { promptHook: answer } = await import("./prompt-hook.js");
    return forHost(asked.host, answer(session, { ...asked, prompt }));
  },
  prepare: fromHost((event) => ({ prompt: typedPrompt(event) })),
  text: ({ host, context }) => JSON.stringify(contextJson("prompt", host, context)),
  rescue: silently(NO_CONTEXT),
});
