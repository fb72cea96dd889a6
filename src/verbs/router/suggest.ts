// What you may have meant by a word that is no command: keywords first, then the nearest spelling. Never something that removes,
// resets or gives up.

import type { VerbName } from "../../model/next-step.js";
import { factsOf } from "../kit/facts.js";
import { allSpellings } from "../kit/spell.js";
import { operationsFor } from "./phrases.js";

const MAX_SLIPS = 2;

/** Whether it may be named to a caller who did not say it. */
export const isSafe = (name: VerbName): boolean => {
  const { destructive, unsuggested } = factsOf(name);
  return destructive !== true && unsuggested !== true;
};

/** The commands that a word may stand for, the likeliest first; none if nothing is near. */
export function suggest(word: string): string[] {
  const typed = word.toLowerCase();
  const meant = operationsFor(typed).filter((name) => typed === name || isSafe(name));
  const shown = allSpellings().filter(({ hidden }) => !hidden);
  if (meant.length > 0) return meant.flatMap((name) => shown.find(({ operation }) => operation === name)?.words ?? []);
  return nearest(
    typed,
    shown.filter(({ when, operation }) => !when && isSafe(operation)).map(({ words }) => words),
  );
}

/** The subcommand of a command that a word is a slip of; undefined if none is near. */
export function meantSubcommand(command: string, word: string): VerbName | undefined {
  const known = allSpellings().filter(
    // Old words too: what is suggested is the command of today.
    ({ words, operation }) => words.startsWith(`${command} `) && isSafe(operation),
  );
  const [meant] = nearest(
    word.toLowerCase(),
    known.map(({ words }) => words.slice(command.length + 1)),
  );
  return known.find(({ words }) => words === `${command} ${meant}`)?.operation;
}

/** Flags that say the same thing about different verbs. */
const SAME_FLAGS = [
  "in parent within under below into to at scope",
  "on after depends depends-on needs",
  "file files path paths",
  "check checks test",
  "body description desc text details message note",
  "reason because why message comment",
  "estimate hours",
  "label labels tag tags",
  "limit max count most n top",
  "status state",
  "agent worker model",
].map((words) => words.split(" "));

interface FlagHelp {
  readonly flag: string;
  readonly help: string;
}

/** The flag of this verb that means what was typed, or of which it is a part or a slip. */
export function nearestFlag<T extends FlagHelp>(typed: string, flags: readonly T[]): T | undefined {
  const word = typed.toLowerCase();
  const same = new Set(SAME_FLAGS.filter((words) => words.includes(word)).flat());
  const [slip] =
    word.length < 3
      ? []
      : nearest(
          word,
          flags.map(({ flag }) => flag),
        );
  return (
    flags.find(({ flag }) => flag === slip) ??
    flags.find(({ flag }) => same.has(flag)) ??
    flags.find(({ flag }) => word.length > 2 && (flag.startsWith(word) || word.startsWith(flag)))
  );
}

/** Within two slips, one in a short word: otherwise it could be anything. */
export function nearest(typed: string, known: readonly string[]): string[] {
  const most = typed.length < 2 ? 0 : Math.min(MAX_SLIPS, Math.max(1, Math.floor(typed.length / 3)));
  let best: string[] = [];
  let least = most + 1;
  for (const candidate of known) {
    const d = distance(typed, candidate);
    if (d > most || d > least) continue;
    best = d < least ? [candidate] : [...best, candidate];
    least = d;
  }
  return best.slice(0, 2);
}

/** Edit distance in which two swapped letters count as half a slip: that is how people mistype. */
function distance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 0.5 : Infinity;
      const changed = (last[j - 1] ?? 0) + (isSame ? 0 : 1);
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, changed, swapped));
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
