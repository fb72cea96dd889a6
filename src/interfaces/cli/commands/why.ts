import { why as explain, type Why } from "../../../actions/overview/why.js";
import { spell } from "../../../app/command-line.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command, Style } from "../command.js";
import { icon, statusWord } from "../icons.js";
import { harmless } from "../style.js";

export const why: Command = {
  name: "why",
  group: "looking",
  summary: "Say why a node stands where it does, and what to type",
  description:
    "Follows what the node waits for down to the first cause, and ends with the commands that would get it on its way.",
  arguments: [{ name: "REF", help: "the node", reference: true }],
  examples: [
    { run: "planwright why TASK-00003", does: "the chain of causes in plain words, and the way out" },
    { run: "planwright why FEAT-001 --json", does: "status, reason, because and next, as JSON" },
  ],
  run: async (input, app) => {
    const found = await explain(await app.open(), input.args[0] as string);
    if (!found.ok) return found;
    const next = found.value.next.map((step) => ({ ...step, command: spell(step) }));
    return ok({ data: { ...found.value, next }, text: (style) => render(found.value, style) });
  },
};

function render({ chain, next, cut, escalations }: Why, style: Style): string {
  const lines: string[] = [];
  for (const [depth, { id, title, status, sentences }] of chain.entries()) {
    const indent = "  ".repeat(depth);
    const branch = depth === 0 ? "" : `${"  ".repeat(depth - 1)}${style.dim("└ ")}`;
    const head = `${icon(status, style)} ${style.bold(id)}  ${harmless(title)}`;
    lines.push(`${branch}${head}  ${style.dim(statusWord(status))}`);
    lines.push(...sentences.map((sentence) => `${indent}  ${harmless(sentence)}`));
  }
  if (cut === "cycle") lines.push("", "The last of them waits for one of the others: this goes in a circle.");
  if (cut === "long") lines.push("", `The chain goes on; these are its first ${chain.length} steps.`);
  if (escalations.length > 0) lines.push("", "A person is asked as well:");
  for (const { id, question, answer } of escalations) {
    lines.push(`  ${style.yellow("?")} ${style.bold(id)}  ${harmless(question)}`, `    ${style.cyan(spell(answer))}`);
  }
  lines.push("", next.length === 1 ? "What to type:" : "What can be typed now:");
  return [...lines, ...next.map((step) => `  ${style.cyan(spell(step))}`)].join("\n");
}
