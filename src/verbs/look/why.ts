import type { Result } from "../../model/result.js";
import { fields, node } from "../kit/schema.js";
import { spell } from "../kit/spell.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { icon, statusWord } from "../text/icons.js";
import type { WhyItem } from "./why-item.js";
import type { Why } from "./why-node.js";

const isItemKey = (reference: string): boolean =>
  /^(RUN|ESC|ATT|CONFLICT|DEC|CON|REQ|ASM|BAS|MEM|ART)-\d+$/i.test(reference.trim());

export const input = fields({
  reference: node("the node; or a run, question, attempt, conflict or record, such as RUN-001 or ATT-00001"),
});

export const verb = planVerb({
  name: "why",
  command: { words: "why", group: "look", daily: 6, positional: ["reference"] },
  summary: "Explain why a node has its status and what to do about it",
  description: "Follows what the node waits for down to the first cause, and ends with what you can do about it.",
  who: "both",
  effect: "reads",
  takesKeys: true,
  phrases: ["why", "explain", "what blocks", "what's blocking", "what is blocking", "what holds", "what's holding"],
  hints: ["blame", "unblock"],
  tools: [{ tool: "why", fields: ["reference"] }],
  input,
  examples: [
    { input: { reference: "TASK-00003" }, does: "shows what it waits for and what to do" },
    { input: { reference: "RUN-001" }, does: "shows what a planning run waits for" },
  ],
  run: async (session, { reference }): Promise<Result<Why | WhyItem>> => {
    const ofNode = await (await import("./why-node.js")).why(session, reference);
    if (ofNode.ok || !isItemKey(reference)) return ofNode;
    return (await import("./why-item.js")).whyItem(session, reference);
  },
  text: (found, style) => ("chain" in found ? renderWhy(found, style) : renderWhyItem(found, style)),
});

function renderWhyItem({ id, title, state, sentences, next }: WhyItem, style: Style): string {
  return [
    `${style.yellow("?")} ${style.bold(id)}  ${harmless(title)}  ${style.dim(state)}`,
    ...sentences.map((sentence) => `  ${harmless(sentence)}`),
    ...(next.length > 0 ? ["", "Next:", ...next.map((each) => `  ${style.cyan(spell(each))}`)] : []),
  ].join("\n");
}

function renderWhy({ chain, next, cut, escalations }: Why, style: Style): string {
  const lines: string[] = [];
  for (const [depth, { id, title, status: stands, sentences }] of chain.entries()) {
    const indent = "  ".repeat(depth);
    const branch = depth === 0 ? "" : `${"  ".repeat(depth - 1)}${style.dim("└ ")}`;
    const head = `${icon(stands, style)} ${style.bold(id)}  ${harmless(title)}`;
    lines.push(`${branch}${head}  ${style.dim(statusWord(stands))}`);
    lines.push(...sentences.map((sentence) => `${indent}  ${harmless(sentence)}`));
  }
  if (cut === "cycle") lines.push("", "The last of them waits for one of the others: this is a cycle.");
  if (cut === "long") lines.push("", `The chain is longer; these are its first ${chain.length} steps.`);
  if (escalations.length > 0) lines.push("", "A question is open as well:");
  for (const { id, question, answer } of escalations) {
    lines.push(`  ${style.yellow("?")} ${style.bold(id)}  ${harmless(question)}`, `    ${style.cyan(spell(answer))}`);
  }
  if (next.length > 0) lines.push("", "Next:");
  return [...lines, ...next.map((each) => `  ${style.cyan(spell(each))}`)].join("\n");
}
