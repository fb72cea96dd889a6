// What waits for you, as lines: one for each entry, with its commands below.

import { type NextStep, step } from "../../model/next-step.js";
import type { WaitingList, WaitingView } from "../../plan/overview/waiting.js";
import { factsOf } from "../kit/facts.js";
import { spell } from "../kit/spell.js";
import type { Style } from "../kit/style.js";
import { inLine } from "../kit/wording.js";
import { failureText } from "./check-lines.js";

/** `isBrief`: beside something else, with one command for each entry and without what failed checks said. */
export function waitingLines({ entries, total, summary }: WaitingList, style: Style, isBrief = false): string[] {
  const more = total - entries.length;
  return [
    total === 0 ? style.dim(summary) : `${style.yellow("?")} ${style.bold(summary)}`,
    ...entries.flatMap((entry) => entryLines(isBrief ? inBrief(entry) : entry, style)),
    ...(more > 0 ? [style.dim(`  … ${more} more: ${spell(step("waiting", { limit: total }))}`)] : []),
  ];
}

const inBrief = (entry: WaitingView): WaitingView => ({ ...entry, failed: [], next: entry.next.slice(0, 1) });

function entryLines({ kind, id, sentence, suggestion, failed, next }: WaitingView, style: Style): string[] {
  // A question has no id in its own words; the other sentences begin with theirs.
  const head = kind === "question" && id !== null ? `${style.bold(id)}  ${inLine(sentence)}` : inLine(sentence);
  return [
    `  ${head}`,
    ...failureText(failed, style),
    ...(suggestion === null ? [] : [`    ${style.dim(inLine(suggestion))}`]),
    ...next.map((each) => `    ${wayOf(each, style)}`),
  ];
}

/** What removes or resets something is said, and no command to copy. */
function wayOf(way: NextStep, style: Style): string {
  const { destructive, summary, command } = factsOf(way.operation);
  return destructive ? style.dim(`${summary} (${command.words})`) : style.cyan(spell(way));
}
