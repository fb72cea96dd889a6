// Moves a feature's branch. Where somebody has it checked out, their files and index go along: otherwise git would show what the branch
// got as staged the other way round, and their next commit would take accepted work back.

import { advanceCheckout, checkoutsOf, isCheckedOut } from "../../machine/git/checkouts/checkout.js";
import type { Done } from "../../machine/git/git.js";
import { moveRefs, readRef } from "../../machine/git/refs.js";
import type { EngineServices } from "../services.js";

type Moves = Parameters<typeof moveRefs>[1];

interface BranchMove {
  /** The key of the attempt that moves it. */
  readonly owner: string;
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  /** All refs that move with it, itself included. */
  readonly moves: Moves;
}

export async function moveCheckedOut(
  services: EngineServices,
  { owner, branch, from, to, moves }: BranchMove,
): Promise<Done> {
  const { root } = services.context;
  const move = (): Promise<Done> => moveRefs(root, moves);
  const [path, ...others] = isCheckedOut(root, branch) ? await checkoutsOf(root, branch).catch(() => []) : [];
  if (path === undefined || others.length > 0) return move();
  const advanced = await advanceCheckout({ path, from, to, owner, holder: services.process }, move);
  // Work is accepted whatever lies in somebody's folder: what is in the way there stays, and so does the index.
  return advanced.ok || (await readRef(root, branch)) !== from ? advanced : move();
}
