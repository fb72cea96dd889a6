// Where the plan of a folder is, or would be.

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { relative } from "node:path";
import { findLostPlan, findWorkspace, proposeWorkspace, type Workspace } from "../../config/workspace.js";
import type { Environment } from "../../machine/process/environment.js";
import { StoreFault } from "../../store/fault.js";
import { lostPlan, noPlan } from "../../store/open/open.js";
import type { Doubt } from "../kit/verb.js";

/** The plan around a folder, or where one would be made. */
export const locateWorkspace = (folder: string): Workspace => findWorkspace(folder) ?? newWorkspace(folder);

/** Throws if there is no plan, or if it was lost. */
export function requireWorkspace(folder: string): Workspace {
  const workspace = findWorkspace(folder);
  if (workspace) return workspace;
  const lost = findLostPlan(folder);
  throw new StoreFault(lost === undefined ? noPlan(folder) : lostPlan(lost));
}

/** A mistyped folder must not become a new one. */
export function newWorkspace(folder: string): Workspace {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return proposeWorkspace(folder);
  throw new StoreFault({ kind: "usage", reason: "no-folder", message: `There is no folder ${folder}.` });
}

/** A plan in the home folder would take in every project below it, and a plan inside another one hides that one. */
export function doubtAbout(root: string, around: string | undefined, env: Environment): Doubt | null {
  if (around === root) return null;
  if (around !== undefined) {
    const message = `You are inside the plan of ${around}. Use that plan, or start another one in ${root}.`;
    return { reason: "inside-plan", message };
  }
  const home = env["HOME"] ?? homedir();
  if (relative(root, home).startsWith("..")) return null;
  const what = root === home ? `${root} is your home folder` : `Your home folder is inside ${root}`;
  return { reason: "home-folder", message: `${what}, so a plan there would be found from every folder in it.` };
}
