import { step } from "../../model/next-step.js";
import { fields, node, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import type { Style } from "../text/style.js";
import { second } from "../text/times.js";
import { operationNumber } from "./history-shared.js";
import type { LogEntry } from "./log-action.js";

export const input = fields({
  reference: optional(node("only what changed this node")),
  limit: optional(wholeNumber("how many operations; 20 unless given", 1, 1_000_000)),
  before: optional(operationNumber("only operations before this one")),
});

export const verb = planVerb({
  name: "log",
  command: { words: "log", group: "look", positional: ["reference"], short: { n: "limit" } },
  summary: "Show what happened, newest first",
  who: "both",
  effect: "reads",
  phrases: ["log", "what happened"],
  hints: ["history"],
  tools: [{ tool: "find", action: "log", fields: ["reference"], pages: "operations" }],
  input,
  examples: [
    { input: {}, does: "the latest operations: number, time, actor, what happened" },
    { input: { reference: "TASK-00001", limit: 5 }, does: "the last five that changed the task" },
  ],
  run: async (session, asked) => (await import("./log-action.js")).log(session, asked),
  text: ({ operations }, style) => operations.map((entry) => renderEntry(entry, style)).join("\n"),
  note: ({ operations }) => (operations.length === 0 ? "Nothing has happened yet." : ""),
  next: ({ operations, more }) => [
    ...(more ? [step("log", { limit: operations.length * 2 })] : []),
    ...(operations[0] ? [step("diff", { operation: operations[0].op })] : []),
  ],
});

function renderEntry({ op, at, actor, sentence, commit, undone }: LogEntry, style: Style): string {
  const time = style.dim(second(at));
  // Most sentences begin with the actor, who is named before them already.
  const said = harmless(sentence.startsWith(`${actor} `) ? sentence.slice(actor.length + 1) : sentence);
  const what = undone ? `${style.dim(said)} ${style.yellow("(undone)")}` : said;
  const where = commit === null ? "" : style.dim(`  @${commit.slice(0, 8)}`);
  return `${style.bold(String(op).padStart(5))}  ${time}  ${style.cyan(harmless(actor))}  ${what}${where}`;
}
