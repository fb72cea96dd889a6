// What waits for you, as lines: one for each entry, with the command for it below.

import { step } from "../../model/next-step.js";
import type { WaitingList, WaitingView } from "../../plan/overview/waiting.js";
import { spell } from "../kit/spell.js";
import type { Style } from "../kit/style.js";
import { inLine } from "../kit/wording.js";
import { failureText } from "./check-lines.js";

/** `isBrief`: beside something else, without what failed checks said. */
export function waitingLines({ entries, total, summary }: WaitingList, style: Style, isBrief = false): string[] {
  const more = total - entries.length;
  return [
    total === 0 ? style.dim(summary) : `${style.yellow("?")} ${style.bold(summary)}`,
    ...entries.flatMap((entry) => entryLines(isBrief ? { ...entry, failed: [] } : entry, style)),
    ...(more > 0 ? [style.dim(`  … ${more} more: ${spell(step("waiting", { limit: total }))}`)] : []),
  ];
}

function entryLines({ kind, id, sentence, suggestion, failed, next: [first] }: WaitingView, style: Style): string[] {
  // A question has no id in its own words; the other sentences begin with theirs.
  const head = kind === "question" && id !== null ? `${style.bold(id)}  ${inLine(sentence)}` : inLine(sentence);
  return [
    `  ${head}`,
    ...failureText(failed, style),
    ...(suggestion === null ? [] : [`    ${style.dim(inLine(suggestion))}`]),
    ...(first ? [`    ${style.cyan(spell(first))}`] : []),
  ];
}
