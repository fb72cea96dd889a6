import type { Result } from "../../model/result.js";
import { fields, flag, list, optional, text } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { caller, type ForHost, forHost, HOST_FORM } from "./hook-shared.js";
import { fromHost, silently } from "./hook-text.js";
import { editedFiles, isSubagent, toolJson } from "./host-json.js";
import type { ToolDecision } from "./tool-hook.js";

export const input = fields({
  ...caller(),
  files: optional(list(text(""), "a file that the tool would change", "PATH")),
  subagent: optional(flag("a subagent is about to use it")),
});

export const verb = planVerb({
  name: "hook.tool",
  command: { words: "hook tool", group: "tool" },
  summary: "Hold an edit against the claimed task",
  description: `For the hook of a coding agent before it edits files or runs commands. An edit outside of the files of the task that the agent has claimed is refused, and one in the main checkout without a claim gets a note: hosts.footprint and hosts.mainCheckout change that. While a conversation plans with subagents (plan with serve host), it may only delegate. ${HOST_FORM}`,
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { files: ["src/app.ts"] }, does: "answers whether the edit fits" }],
  run: async (session, { files = [], ...asked }): Promise<Result<ForHost<ToolDecision>>> => {
    const { toolHook: answer } = await import("./tool-hook.js");
    return forHost(asked.host, answer(session, { ...asked, files }));
  },
  prepare: fromHost((event) => ({ files: editedFiles(event), ...(isSubagent(event) && { subagent: true }) })),
  text: (answer) => JSON.stringify(toolJson(answer)),
  rescue: silently({ host: "claude", decision: "off", reason: "" } as const),
});
