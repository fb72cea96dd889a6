// What a person should know after a change: whose approval no longer holds, and how to take it back.

export const staleNote = (ids: readonly string[]): string =>
  ids.length === 0
    ? ""
    : `What was approved has changed, so it does not run until a person looks again: planwright approve ${ids.join(" ")}`;

export const undoNote = (op: number | null): string => (op === null ? "" : `planwright undo ${op} takes this back.`);

/** Accepting decides; a program that runs the plan does the rest. */
export const integrationNote = (attempt: string | null): string =>
  attempt === null
    ? ""
    : `What ${attempt} did goes onto the feature's branch with the next planwright run, daemon or land.`;

/** The notes that say something, one per line. */
export const notes = (...lines: readonly string[]): string => lines.filter((line) => line !== "").join("\n");
