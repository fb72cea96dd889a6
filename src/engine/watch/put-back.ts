// Puts refs back that a worker moved. What it made of them is kept under a name of its own, so that nothing is lost.

import { moveRefs, readRef, strayRef } from "../../machine/git/refs.js";
import type { RefMove } from "./outside.js";

export interface PutBack {
  /** What became of each move, to be added to the sentence about it. */
  readonly said: readonly string[];
  /** The refs as they are now. */
  readonly refs: (now: ReadonlyMap<string, string>) => ReadonlyMap<string, string>;
}

export async function putBack(root: string, key: string, moves: readonly RefMove[]): Promise<PutBack> {
  const said: string[] = [];
  const back: RefMove[] = [];
  for (const [i, move] of moves.entries()) {
    const { ref, from, to } = move;
    const name = to === null ? null : strayRef(key, i + 1, to);
    const kept = name === null || (await readRef(root, name)) !== null ? [] : [{ ref: name, to, from: null }];
    const moved = await moveRefs(root, [{ ref, to: from, from: to }, ...kept], `planwright: undo a move by ${key}`);
    if (moved.ok) back.push(move);
    const where = from === null ? "It was removed again." : `It is back at ${from.slice(0, 12)}.`;
    said.push(moved.ok ? ` ${where}` : ` It could not be put back: ${moved.problem}.`);
  }
  return {
    said,
    refs: (now) => {
      const refs = new Map(now);
      for (const { ref, from } of back) {
        if (from === null) refs.delete(ref);
        else refs.set(ref, from);
      }
      return refs;
    },
  };
}
