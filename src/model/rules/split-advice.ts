// When a task looks too big for one worker. A worker is warned by it; whether to propose a split stays its own decision,
// and whether there is one a person's.

export interface SplitSigns {
  /** Parts that could be done without touching each other's files. */
  readonly parts: number;
  /** The profiles that its files belong to. */
  readonly profiles: readonly string[];
  /** How many files it names. */
  readonly files: number;
  /** What the worker is given to read, as it is estimated. */
  readonly bundleTokens: number;
  /** What its agent can hold; null if it is not known. */
  readonly windowTokens: number | null;
}

const PARTS = 4;
const FILES = 12;
/** Of the window: the worker still has to think and to read. */
const FULL = 0.8;

/** Why it should be split, in words; null if nothing speaks for it. */
export function shouldSplit({ parts, profiles, files, bundleTokens, windowTokens }: SplitSigns): string | null {
  if (parts >= PARTS) return `it has ${parts} parts that do not touch each other's files`;
  const kinds = new Set(profiles);
  if (kinds.size > 1) return `it needs ${kinds.size} profiles: ${[...kinds].join(", ")}`;
  if (files > FILES) return `it names ${files} files; ${FILES} are a lot for one`;
  if (windowTokens !== null && bundleTokens > windowTokens * FULL) {
    return `its text alone would take ${Math.round((bundleTokens / windowTokens) * 100)} % of what the agent can hold`;
  }
  return null;
}
