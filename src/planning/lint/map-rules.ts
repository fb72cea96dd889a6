// Whether the capability map, the file map and the tasks say the same.

import type { Behaviour } from "../contracts/capability-map.js";
import { canonicalRequirement } from "../spec/requirement-ids.js";
import { type LintContext, type LintRule, quoted } from "./context.js";
import type { LintFinding } from "./finding.js";
import { finding, names } from "./rules.js";
import { claimsOf } from "./spec-rules.js";

export const mapIdsAreUnique: LintRule = ({ map }) => {
  const uses = new Map<string, number>();
  const count = (id: string): void => void uses.set(id, (uses.get(id) ?? 0) + 1);
  for (const domain of map?.domains ?? []) {
    count(domain.id);
    for (const capability of domain.capabilities) {
      count(capability.id);
      for (const { id } of capability.behaviours) count(id);
    }
  }
  for (const { id } of map?.flows ?? []) count(id);
  return [...uses]
    .filter(([, times]) => times > 1)
    .map(([id, times]) =>
      finding("P-MAP-ID", id, `The capability map uses the id ${id} ${times} times.`, "Give each its own id."),
    );
};

export const behavioursAreInTasks: LintRule = ({ map, behaviours, covered, earlier }) => {
  if (!map) return [];
  const isDone = whatIsDone(earlier);
  return [...behaviours.values()]
    .filter((behaviour) => !covered.has(behaviour.id) && !isDone(behaviour))
    .map(({ id, name, quote }) =>
      finding(
        "P-BEHAVIOUR",
        id,
        `No task has the behaviour ${id} ${quoted(name)}, which the spec asks for: ${quoted(quote)}.`,
        `Name ${id} in the task that does it, or add that task.`,
      ),
    );
};

/** Settled tasks were made from another map: only the words and requirements tell what they did. */
function whatIsDone(earlier: LintContext["earlier"]): (behaviour: Behaviour) => boolean {
  const claims = claimsOf({ earlier }, []);
  const quotes = new Set(claims.quotes);
  const met = new Set(Array.from(claims.requirements, canonicalRequirement));
  return ({ quote, requirements }) =>
    quotes.has(quote) || (requirements.length > 0 && requirements.every((id) => met.has(canonicalRequirement(id))));
}

/** By their ids in lower case; nothing for those that only case tells apart. */
export function spellings(ids: Iterable<string>): ReadonlyMap<string, string | undefined> {
  const known = new Map<string, string | undefined>();
  for (const id of ids) known.set(id.toLowerCase(), known.has(id.toLowerCase()) ? undefined : id);
  return known;
}

export const behavioursAreKnown: LintRule = function* ({ map, draft, files, behaviours }) {
  if (!map) return;
  const right = spellings(behaviours.keys());
  const judge = function* (where: string, id: string, mendable: boolean): Iterable<LintFinding> {
    if (behaviours.has(id)) return;
    const meant = mendable ? right.get(id.toLowerCase()) : undefined;
    const say = `${where} names the behaviour ${id}, which the capability map does not have.`;
    const how = meant === undefined ? "Name behaviours of the map." : `Write ${meant}.`;
    yield finding("P-BEHAVIOUR-ID", where, say, how, { fixable: meant !== undefined });
  };
  for (const task of draft.tasks) for (const id of new Set(task.behaviours)) yield* judge(task.id, id, true);
  for (const { behaviour } of files?.behaviours ?? []) yield* judge("The file map", behaviour, false);
};

export const flowsHaveSteps: LintRule = function* ({ map, behaviours }) {
  for (const { id, name, steps } of map?.flows ?? []) {
    const unknown = steps.filter((step) => !behaviours.has(step));
    if (unknown.length === 0) continue;
    const say = `The flow ${id} ${quoted(name)} has steps that are no behaviours: ${names(unknown)}.`;
    yield finding("P-FLOW", id, say, "Name behaviours of the map, in order.");
  }
};

export const oneFlowIsSteelThread: LintRule = ({ map }) => {
  if (!map) return [];
  const threads = map.flows.filter(({ steelThread }) => steelThread).map(({ id }) => id);
  if (threads.length === 1) return [];
  const say =
    threads.length === 0
      ? "No flow is the steel thread, the thinnest path from end to end."
      : `${threads.length} flows are called the steel thread: ${names(threads)}.`;
  return [finding("P-STEEL-FLOW", threads.join(", ") || "flows", say, "Mark exactly one flow as the steel thread.")];
};

export const behavioursHaveFiles: LintRule = ({ map, files, behaviours, asStated = false }) => {
  if (!map || !files) return [];
  const placed = new Set(files.behaviours.filter((entry) => entry.files.length > 0).map(({ behaviour }) => behaviour));
  return [...behaviours.values()]
    .filter(({ id }) => !placed.has(id))
    .map(({ id, name }) =>
      finding(
        "P-FILES",
        id,
        `The behaviour ${id} ${quoted(name)} has no files.`,
        "Say which files are made or changed for it.",
        asStated ? { grade: "warning" } : {},
      ),
    );
};

export const plannedFilesAreUsed: LintRule = ({ files, draft }) => {
  if (!files) return [];
  const used = new Set(draft.tasks.flatMap((task) => task.files.map(({ path }) => path)));
  const planned = [...files.behaviours.flatMap((entry) => entry.files), ...files.crossCutting].map(({ path }) => path);
  const unused = [...new Set(planned)].filter((path) => !used.has(path));
  return unused.map((path) =>
    finding(
      "P-FILE-UNUSED",
      path,
      `The file map has ${path}, which no task touches.`,
      "Add it to the task that makes it.",
    ),
  );
};
