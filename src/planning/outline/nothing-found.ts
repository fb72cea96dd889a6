// What to say about a spec in which the outline planner finds no work: how it read each part.

import type { Spec } from "../spec/spec.js";
import { LEFT_OUT } from "./reading/heading-roles.js";
import { workOf } from "./reading/read-work.js";
import { itemsOf, type NoWork } from "./reading/work.js";

const MOST_NAMED = 6;

/** "Explains why, not what to do." as a part of a sentence. */
const readAs = (role: NoWork["role"]): string => {
  if (role === "unclear") return "not understood";
  const reason = LEFT_OUT[role].replace(/[:.].*$/s, "");
  return `${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
};

/** Nothing if the spec has work. */
export function nothingFound(spec: Spec): string | undefined {
  const work = workOf(spec);
  if (itemsOf(work).length > 0) return undefined;
  const parts: { from: number; to: number; role: NoWork["role"] }[] = [];
  for (const { place, role } of work.noWork) {
    const line = spec.statements[place]?.line ?? 1;
    const last = parts.at(-1);
    if (last?.role === role) last.to = line;
    else parts.push({ from: line, to: line, role });
  }
  const named = parts.slice(0, MOST_NAMED).map(({ from, to, role }) => {
    const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
    return `${lines} (${readAs(role)})`;
  });
  const more = parts.length > MOST_NAMED ? ` and ${parts.length - MOST_NAMED} more parts` : "";
  const read = named.length === 0 ? "" : ` It read ${named.join(", ")}${more}.`;
  return `The outline planner found no work.${read} Say what is to be done, for example as a list below a heading "Tasks", or plan with a model (--agent).`;
}
