// Where to draw tasks: their wave is the column, their feature the lane, and in a lane each task stands near what it waits for.

import type { Nr } from "../node/node.js";
import { addTo } from "./order.js";

export interface LaidOut {
  readonly column: number;
  /** Counts the rows of its lane from 0. */
  readonly row: number;
}

export interface LayoutInput {
  readonly columns: readonly (readonly Nr[])[];
  readonly laneOf: (nr: Nr) => Nr | null;
  /** From what is waited for to what waits. */
  readonly edges: readonly (readonly [from: Nr, to: Nr])[];
}

const SWEEPS = 4;

export function layOut({ columns, laneOf, edges }: LayoutInput): Map<Nr, LaidOut> {
  const [before, after] = [new Map<Nr, Nr[]>(), new Map<Nr, Nr[]>()];
  for (const [from, to] of edges) {
    if (laneOf(from) !== laneOf(to)) continue;
    addTo(before, to, from);
    addTo(after, from, to);
  }
  const cells = columns.map((column) => {
    const byLane = new Map<Nr | null, Nr[]>();
    for (const nr of column) addTo(byLane, laneOf(nr), nr);
    return [...byLane.values()];
  });
  const rows = new Map<Nr, number>();
  for (const cell of cells.flat()) number(cell, rows);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    for (const column of isForward ? cells : cells.toReversed()) {
      for (const cell of column) arrange(cell, isForward ? before : after, rows);
    }
  }
  const placed = new Map<Nr, LaidOut>();
  for (const [column, tasks] of columns.entries())
    for (const nr of tasks) placed.set(nr, { column, row: rows.get(nr) as number });
  return placed;
}

const number = (cell: readonly Nr[], rows: Map<Nr, number>): void => {
  for (const [row, nr] of cell.entries()) rows.set(nr, row);
};

/** Sorts tasks by the mean row of their neighbours; what has none stays where it is. */
function arrange(cell: Nr[], neighbours: ReadonlyMap<Nr, readonly Nr[]>, rows: Map<Nr, number>): void {
  const weight = (nr: Nr): number => {
    const near = neighbours.get(nr) ?? [nr];
    return near.reduce((sum, other) => sum + (rows.get(other) as number), 0) / near.length;
  };
  const weights = new Map(cell.map((nr) => [nr, weight(nr)]));
  cell.sort((a, b) => (weights.get(a) as number) - (weights.get(b) as number) || a - b);
  number(cell, rows);
}
