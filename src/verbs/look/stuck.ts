import { fields, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { statusWord } from "../text/icons.js";
import type { Style } from "../text/style.js";
import { stuck as findStuck, type StuckGroup } from "./stuck-action.js";

const countOf = (tasks: number): string => (tasks === 1 ? "1 task is" : `${tasks} tasks are`);

const stuckLines =
  (style: Style) =>
  ({ id, title, status, sentence, nodes, hours, more }: StuckGroup): string =>
    [
      `  ${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}`,
      `    ${harmless(sentence)}`,
      `    ${style.dim(`holds up ${nodes}${more ? " or more" : ""} ${nodes === 1 ? "task" : "tasks"}, ${hours} h`)}`,
    ].join("\n");

export const input = fields({ limit: optional(wholeNumber("at most N causes (20)", 1, 500)) });

export const verb = planVerb({
  name: "stuck",
  command: { words: "stuck", group: "look" },
  summary: "List what is stuck, by its cause, and what frees it",
  description:
    "Rejected and frozen work, tasks out of attempts, and tasks that wait for something that was dropped. Each entry names what waits for it. What holds up most work comes first.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists the causes, with the commands that free what they hold up" }],
  run: findStuck,
  text: ({ groups, total, tasks }, style) =>
    groups.length === 0
      ? style.dim("Nothing is stuck.")
      : [
          `${countOf(tasks)} stuck, by ${total === 1 ? "1 cause" : `${total} causes`}:`,
          ...groups.map(stuckLines(style)),
        ].join("\n"),
  next: ({ groups }) => groups[0]?.next ?? [],
});
