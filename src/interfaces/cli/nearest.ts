// "Did you mean": the known word nearest to a mistyped one, within edit distance 2.

import { distance } from "fastest-levenshtein";

const NEAR = 2;

export function nearest(word: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = NEAR + 1;
  for (const candidate of known) {
    const d = distance(word.toLowerCase(), candidate);
    if (d < least) [best, least] = [candidate, d];
  }
  return best;
}
