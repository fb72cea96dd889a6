import { fields, ok, optional, planVerb, wholeNumber } from "../kit/verb.js";
import { waitingLines } from "../text/render-waiting.js";
import { stuck, stuckText } from "./stuck.js";

export const input = fields({ limit: optional(wholeNumber("at most N entries (50)", 1, 1_000)) });

export const verb = planVerb({
  command: { words: "waiting", group: "look", daily: 13 },
  summary: "List everything that waits for you, and what to do",
  description:
    "Questions, rejected and stopped tasks, work to accept, features to land, manual steps, planning runs, approvals, and a daemon that died. Each entry has its commands. When the list is empty, nothing waits for you. Below it stands what is stuck, by its cause: what holds up most work comes first.",
  effect: "reads",
  tools: [{ tool: "find", action: "waiting", fields: [], pages: "entries" }],
  input,
  examples: [{ input: {}, does: "lists what only you can decide, with the commands for it" }],
  run: async (session, asked) => {
    const { waiting } = await import("../../plan/overview/waiting.js");
    const list = await waiting(session, asked);
    if (!list.ok) return list;
    const found = await stuck(session, {});
    return found.ok ? ok({ ...list.value, stuck: found.value }) : found;
  },
  text: (list, style) => [
    ...waitingLines(list, style),
    ...(list.stuck.total === 0 ? [] : ["", stuckText(list.stuck, style)]),
  ],
});
