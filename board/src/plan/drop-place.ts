// Where a dragged row would go, and which priority it takes there. Pure.

export interface DropPlace {
  readonly id: string;
  readonly where: "into" | "above" | "below";
}

/** A quarter at the top and at the bottom is the edge; all of a task is. */
export function whereOf(offset: number, height: number, isContainer: boolean): DropPlace["where"] {
  const part = offset / Math.max(1, height);
  if (isContainer) return part < 0.25 ? "above" : part > 0.75 ? "below" : "into";
  return part < 0.5 ? "above" : "below";
}

const USUAL = 2;
const [MOST_URGENT, LEAST_URGENT] = [0, 4];

/** Above another node is more urgent than it, below is as urgent as it. */
export const priorityBeside = (other: number | null, where: "above" | "below"): number =>
  Math.min(LEAST_URGENT, Math.max(MOST_URGENT, (other ?? USUAL) - (where === "above" ? 1 : 0)));
