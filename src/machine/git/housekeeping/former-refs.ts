// Branches and kept work of a plan whose place another plan took. Ids begin again in a new plan, so its FEAT-001 and ATT-00001 must not
// find the work of the former one under their names, and must not replace it.

import { listRefs, moveRefs, type RefChange } from "../refs.js";
import { findRepository, headBranch } from "../repository.js";
import { FORMER_HEADS, LOG_HEAD } from "./log-head.js";

const FORMER_REFS = "refs/planwright/former";

const BRANCHES = "refs/heads/planwright";
const OWN = "refs/planwright";

/** Under the first letters of the link of the plan's first operation. */
const folderOf = (plan: string): string => `${FORMER_REFS}/${plan.slice(0, 16)}`;

const asideOf = (plan: string, ref: string): string =>
  `${folderOf(plan)}/${ref.startsWith(`${BRANCHES}/`) ? "heads" : "own"}/${ref.slice((ref.startsWith(`${BRANCHES}/`) ? BRANCHES : OWN).length + 1)}`;

const isNote = (ref: string): boolean =>
  ref === LOG_HEAD || [FORMER_HEADS, FORMER_REFS].some((folder) => ref.startsWith(`${folder}/`));

/** All of them or none. How many there were. */
export async function setRefsAside(cwd: string, plan: string): Promise<number> {
  const repository = findRepository(cwd);
  const checkedOut = repository && headBranch(repository);
  const found = [...(await listRefs(cwd, BRANCHES)), ...(await listRefs(cwd, OWN))].filter(([ref]) => !isNote(ref));
  return move(
    cwd,
    // A branch that you have checked out stays, and is kept all the same.
    found.flatMap(([ref, commit]) => [
      { ref: asideOf(plan, ref), to: commit },
      ...(ref === checkedOut ? [] : [{ ref, to: null, from: commit }]),
    ]),
    found.length,
  );
}

/** The way back, when a backup of that plan is restored. A name that is taken again stays as it is. */
export async function bringRefsBack(cwd: string, plan: string): Promise<number> {
  const folder = folderOf(plan);
  const taken = new Set([...(await listRefs(cwd, BRANCHES)).keys(), ...(await listRefs(cwd, OWN)).keys()]);
  const found = [...(await listRefs(cwd, folder))].flatMap(([aside, commit]): RefChange[][] => {
    const [kind = "", ...rest] = aside.slice(folder.length + 1).split("/");
    const ref = `${kind === "heads" ? BRANCHES : OWN}/${rest.join("/")}`;
    const gone = { ref: aside, to: null, from: commit };
    return taken.has(ref) ? [] : [[{ ref, to: commit, from: null }, gone]];
  });
  return move(cwd, found.flat(), found.length);
}

async function move(cwd: string, changes: readonly RefChange[], count: number): Promise<number> {
  if (changes.length === 0) return 0;
  const moved = await moveRefs(cwd, changes);
  if (!moved.ok) throw new Error(`The branches of the former plan could not be set aside: ${moved.problem}`);
  return count;
}
