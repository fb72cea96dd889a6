// Views of operations that look at the plan as a whole, or search it.

import type { ListedNode } from "../../../../actions/overview/list-nodes.js";
import type { SearchHit } from "../../../../actions/overview/search.js";
import { type StatusView } from "../../../../actions/overview/status.js";
import type { Why } from "../../../../actions/overview/why.js";
import type { WhyItem } from "../../../../actions/overview/why-item.js";
import { spell } from "../../../../app/command-line.js";
import { harmless } from "../../../../app/text/harmless.js";
import { inLine } from "../../../../app/text/one-line.js";
import { ok, type Result, step } from "../../../../app/vocabulary.js";
import { isTerminal } from "../../output.js";
import { icon, statusWord } from "../../text/icons.js";
import { waitingLines } from "../../text/render-waiting.js";
import { type Style } from "../../text/style.js";
import type { After, ViewOf } from "../../view.js";

/** Without a screen there is nothing to draw again. */
const isScreen = (): boolean => isTerminal(1) && process.stdout.isTTY;

const status: ViewOf<"status"> = {
  flags: { watch: "update the display whenever the plan changes, until Ctrl-C" },
  text: (view, style, given) => (given.has("watch") && isScreen() ? "" : drawn(view, style)),
  note: ({ next }) => (next.length === 0 ? "Everything is finished." : ""),
  next: ({ next }) => next,
  after: async (_, asked) =>
    asked.given.has("watch") && isScreen() && !asked.terminal.json ? watchStatus(asked) : ok(0),
};

async function drawn(view: StatusView, style: Style): Promise<string> {
  const { renderStatus, rulerOf } = await import("../../text/render-status.js");
  const columns = (isScreen() && process.stdout.columns) || style.columns;
  return renderStatus(view, { ...style, columns, ...(await rulerOf(view)) });
}

async function watchStatus({ app, terminal, input }: After): Promise<Result<unknown>> {
  const { watch } = await import("../../live/watch.js");
  let last: Result<unknown> = ok(undefined);
  await watch(app, terminal.interrupted(), async () => {
    const found = await app.call("status", input);
    last = found;
    if (!found.ok) return false;
    const next = found.value.next.map((each) => `  ${spell(each)}`);
    terminal.print(frame([await drawn(found.value, terminal.style), "", ...next].join("\n")));
    return true;
  });
  return last;
}

/** It replaces the one before, and never scrolls. */
function frame(text: string): string {
  const rows = process.stdout.rows || 24;
  const lines = text.split("\n");
  const fitting =
    lines.length < rows ? lines : [...lines.slice(0, rows - 2), `… ${lines.length - rows + 2} more lines`];
  return `\u001b[H${fitting.map((line) => `${line}\u001b[K`).join("\n")}\u001b[J`;
}

const waiting: ViewOf<"waiting"> = {
  text: (list, style) => waitingLines(list, style).join("\n"),
};

const why: ViewOf<"why"> = {
  text: (found, style) => ("chain" in found ? renderWhy(found, style) : renderWhyItem(found, style)),
};

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

const list: ViewOf<"list"> = {
  text: ({ nodes }, style) => {
    if (nodes.length === 0) return style.dim("Nothing fits.");
    let width = 0;
    for (const { id } of nodes) width = Math.max(width, id.length);
    return nodes.map((node) => listLine(node, width, style)).join("\n");
  },
  note: ({ nodes, total }) => (total > nodes.length ? `${total - nodes.length} more; raise --limit to see them.` : ""),
};

function listLine({ id, title, status: stands, priority }: ListedNode, width: number, style: Style): string {
  const rank = priority === null ? "" : `  ${style.dim(`priority ${priority}`)}`;
  return `${icon(stands, style)} ${style.bold(id.padEnd(width))}  ${harmless(title)}  ${style.dim(statusWord(stands))}${rank}`;
}

const search: ViewOf<"search"> = {
  text: ({ hits }, style) =>
    hits.length === 0 ? style.dim("Nothing found.") : hits.map((hit) => hitLines(hit, style)).join("\n"),
  note: ({ hits, total }) => (total > hits.length ? `${total - hits.length} more; raise --limit to see them.` : ""),
  next: ({ hits: [first] }) => (first ? [step("show", { reference: first.id })] : []),
};

const hitLines = ({ kind, id, title, line }: SearchHit, style: Style): string =>
  [
    `${style.bold(id)}  ${style.dim(kind)}  ${inLine(title)}`,
    ...(line === null ? [] : [`    ${style.dim(inLine(line))}`]),
  ].join("\n");

export const overviewViews = { status, waiting, why, list, search };
