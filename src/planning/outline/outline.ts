// The outline planner: a whole plan from the structure of a spec, without a model.

import { type Behaviour, behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import type { Spec } from "../spec/spec.js";
import { isTestPath, KnownFiles, statedPaths } from "./commands.js";
import { LEFT_OUT } from "./heading-roles.js";
import { workOf } from "./read-work.js";
import { itemsByBehaviour, itemsOf, type NoWork, type WorkItem } from "./work.js";

export { outlineCapabilities } from "./capabilities.js";
export { outlineClarification } from "./clarification.js";
export { outlineTasks } from "./tasks.js";

const MAX_FILES = 50;
const MAX_BEHAVIOURS = 5_000;

/** An item's own words name files; if they name none, the headings above it do. */
function pathsFor(behaviour: Behaviour, item: WorkItem | undefined, known: KnownFiles): string[] {
  const pathsIn = (words: string): string[] => {
    const stated = statedPaths(words);
    // What the repository has is the file that is meant.
    const found = new Set(stated.map((path) => known.planned(path).path));
    return [...stated, ...known.named(words).filter((path) => !found.has(path))];
  };
  if (item === undefined) return pathsIn(behaviour.quote);
  const own = pathsIn(item.words.join("\n"));
  return own.length > 0 ? own : pathsIn(item.section.path.slice(-2).join("\n"));
}

export function outlineFiles(spec: Spec, map: CapabilityMap, repository: { files: readonly string[] }): FileMap {
  const items = itemsByBehaviour(workOf(spec));
  const known = new KnownFiles(repository.files);
  const behaviours = behavioursOf(map).flatMap((behaviour) => {
    const files = pathsFor(behaviour, items.get(behaviour.id), known)
      .slice(0, MAX_FILES)
      .map((path) => known.planned(path));
    const tests = files.filter(({ path }) => isTestPath(path));
    const others = files.filter(({ path }) => !isTestPath(path));
    if (files.length === 0) return [];
    // Where only tests are named, they are what is written.
    if (others.length === 0) return [{ behaviour: behaviour.id, files: tests, tests: [] }];
    return [{ behaviour: behaviour.id, files: others, tests: tests.map(({ path }) => path) }];
  });
  return { behaviours: behaviours.slice(0, MAX_BEHAVIOURS), crossCutting: [] };
}

const MAX_NAMED = 6;

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
  const named = parts.slice(0, MAX_NAMED).map(({ from, to, role }) => {
    const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
    return `${lines} (${readAs(role)})`;
  });
  const more = parts.length > MAX_NAMED ? ` and ${parts.length - MAX_NAMED} more parts` : "";
  const read = named.length === 0 ? "" : ` It read ${named.join(", ")}${more}.`;
  return `The outline planner found no work.${read} Say what is to be done, for example as a list below a heading "Tasks", or plan with a model (--agent).`;
}
