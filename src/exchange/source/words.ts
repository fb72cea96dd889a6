// Words for priorities that trackers share.

const WORDS: Readonly<Record<string, number>> = {
  critical: 0,
  blocker: 0,
  urgent: 0,
  highest: 0,
  high: 1,
  h: 1,
  major: 1,
  medium: 2,
  m: 2,
  normal: 2,
  low: 3,
  l: 3,
  minor: 3,
  lowest: 4,
  trivial: 4,
};

/** `high`, `P1`; null for everything else. */
export function priorityOfWord(word: string): number | null {
  const said = word.trim().toLowerCase();
  const numbered = /^p([0-4])$/.exec(said)?.[1];
  if (numbered !== undefined) return Number(numbered);
  return Object.hasOwn(WORDS, said) ? (WORDS[said] ?? null) : null;
}

/** The first label that tells: `P1`, `priority: high`, `priority/high`. */
export function priorityInLabels(labels: readonly string[]): number | null {
  for (const label of labels) {
    const word =
      /^(?:priority|prio)\s*[:/-]\s*(\S+)$/i.exec(label.trim())?.[1] ?? (/^p[0-4]$/i.test(label.trim()) ? label : "");
    const found = priorityOfWord(word);
    if (found !== null) return found;
  }
  return null;
}
