import { ok, type Result } from "../../model/result.js";
import { fields, flag, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import type { HookAnswer } from "./hold-at-task.js";
import { caller, fromHost, HOST_FORM, silently } from "./hook-answer.js";
import { calledBy } from "./hook-caller.js";
import { stopJson } from "./host-json.js";

export const input = fields({
  ...caller(),
  active: optional(flag("the agent continues only because a hook asked it to")),
});

export const verb = planVerb({
  name: "hook.stop",
  command: { words: "hook stop", group: "agents" },
  summary: "Keep an agent from stopping while its task is open",
  description: `For the Stop hook of a coding agent. The agent is kept from stopping while a task that it claimed itself is not handed in: at most three times in a row, and never because of another worker's task. ${HOST_FORM}`,
  who: "both",
  effect: "writes",
  input,
  examples: [{ input: {}, does: "answers a Stop hook" }],
  run: async (session, { active = false, ...asked }): Promise<Result<HookAnswer>> => {
    const { context, caller: asking, settings } = calledBy(session, asked);
    if (!settings.stop) return ok({});
    const { stopHook: answer } = await import("./hold-at-task.js");
    return answer(context, { ...asking, active });
  },
  prepare: fromHost(({ stop_hook_active: active }) => (active === true ? { active } : {})),
  text: (answer) => JSON.stringify(stopJson(answer)),
  rescue: silently({}),
});
