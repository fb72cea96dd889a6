// A coding agent can hide in an empty environment, but not what it was started with: on Linux, files show the environment that each
// process above this one began with. Elsewhere, and where the system does not let this user read them, nothing is seen.

import type { Environment } from "../machine/process/environment.js";
import { entriesOf, readProcess } from "../machine/process/group.js";
import { agentMarks } from "./actor.js";

const MAX_LEVELS = 64;

/** The marks of the nearest agent above; empty if there is none. `pid`: where the look begins. */
export function marksAbove(pid: number = process.ppid): Environment {
  let above: number | undefined = pid;
  for (let level = 0; level < MAX_LEVELS && above !== undefined && above > 0; level++) {
    const marks = agentMarks(environmentOf(above));
    if (Object.keys(marks).length > 0) return marks;
    above = readProcess(above)?.parent;
  }
  return {};
}

function environmentOf(pid: number): Environment {
  const entries = entriesOf(pid).map((entry): [string, string] => {
    const at = entry.indexOf("=");
    return [entry.slice(0, Math.max(at, 0)), entry.slice(at + 1)];
  });
  return Object.fromEntries(entries);
}
