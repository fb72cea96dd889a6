// Whether the capability map, the file map and the tasks say the same, and whether the steel thread, the thinnest path from end
// to end, is there, hangs together, and comes early.

import { append } from "../../base/append.js";
import { finding, type LintFinding } from "../contracts/findings.js";
import { type Behaviour, behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import { type Shape, walk } from "../draft/shape.js";
import { canonicalRequirement } from "../spec/requirement-ids.js";
import type { Spec } from "../spec/spec.js";
import { type LintContext, type LintRule, names, quoted, rewritten } from "./rules.js";
import { claimsOf, judgeQuote, mapQuotes } from "./spec-rules.js";

/** What a rule about the maps alone looks at. */
type MapLook = Pick<LintContext, "map" | "files" | "behaviours" | "asStated">;

type MapRule = (look: MapLook) => Iterable<LintFinding>;

const mapIdsAreUnique: MapRule = ({ map }) => {
  const capabilities = map?.domains.flatMap((domain) => domain.capabilities) ?? [];
  const named = [...(map?.domains ?? []), ...capabilities, ...(map ? behavioursOf(map) : []), ...(map?.flows ?? [])];
  const uses = new Map<string, unknown[]>();
  for (const each of named) append(uses, each.id, each);
  return [...uses]
    .filter(([, alike]) => alike.length > 1)
    .map(([id, alike]) => finding("P-MAP-ID", id, `The capability map uses the id ${id} ${alike.length} times.`));
};

const behavioursAreInTasks: LintRule = ({ map, behaviours, covered, earlier }) => {
  if (!map) return [];
  const isDone = whatIsDone(earlier);
  return [...behaviours.values()]
    .filter((behaviour) => !covered.has(behaviour.id) && !isDone(behaviour))
    .map(({ id, name, quote }) =>
      finding(
        "P-BEHAVIOUR",
        id,
        `No task has the behaviour ${id} ${quoted(name)}, which the spec asks for: ${quoted(quote)}.`,
        { suggestion: `Name ${id} in the task that does it, or add that task.` },
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

const unknownBehaviour = (where: string, id: string, meant?: string): LintFinding => {
  const say = `${where} names the behaviour ${id}, which the capability map does not have.`;
  return finding("P-BEHAVIOUR-ID", where, say, meant === undefined ? {} : rewritten(meant));
};

const behavioursAreKnown: LintRule = ({ map, draft, behaviours }) => {
  if (!map) return [];
  const right = spellings(behaviours.keys());
  return draft.tasks.flatMap((task) => {
    const unknown = [...new Set(task.behaviours)].filter((id) => !behaviours.has(id));
    return unknown.map((id) => unknownBehaviour(task.id, id, right.get(id.toLowerCase())));
  });
};

const placedBehavioursAreKnown: MapRule = ({ map, files, behaviours }) => {
  const placed = map && files ? files.behaviours.map(({ behaviour }) => behaviour) : [];
  return placed.filter((id) => !behaviours.has(id)).map((id) => unknownBehaviour("The file map", id));
};

const flowsHaveSteps: MapRule = function* ({ map, behaviours }) {
  for (const { id, name, steps } of map?.flows ?? []) {
    const unknown = steps.filter((step) => !behaviours.has(step));
    if (unknown.length === 0) continue;
    const say = `The flow ${id} ${quoted(name)} has steps that are no behaviours: ${names(unknown)}.`;
    yield finding("P-FLOW", id, say);
  }
};

const oneFlowIsSteelThread: MapRule = ({ map }) => {
  if (!map) return [];
  const threads = map.flows.filter(({ steelThread }) => steelThread).map(({ id }) => id);
  if (threads.length === 1) return [];
  const say =
    threads.length === 0
      ? "No flow is the steel thread, the thinnest path from end to end."
      : `${threads.length} flows are called the steel thread: ${names(threads)}.`;
  return [finding("P-STEEL-FLOW", threads.join(", ") || "flows", say)];
};

const behavioursHaveFiles: MapRule = ({ map, files, behaviours, asStated = false }) => {
  if (!map || !files) return [];
  const placed = new Set(files.behaviours.filter((entry) => entry.files.length > 0).map(({ behaviour }) => behaviour));
  return [...behaviours.values()]
    .filter(({ id }) => !placed.has(id))
    .map(({ id, name }) =>
      finding("P-FILES", id, `The behaviour ${id} ${quoted(name)} has no files.`, asStated ? { grade: "warning" } : {}),
    );
};

const plannedFilesAreUsed: LintRule = ({ files, draft }) => {
  if (!files) return [];
  const used = new Set(draft.tasks.flatMap((task) => task.files.map(({ path }) => path)));
  const planned = [...files.behaviours.flatMap((entry) => entry.files), ...files.crossCutting].map(({ path }) => path);
  const unused = [...new Set(planned)].filter((path) => !used.has(path));
  return unused.map((path) => finding("P-FILE-UNUSED", path, `The file map has ${path}, which no task touches.`));
};

const steelOf = ({ draft }: Shape): number[] => draft.tasks.flatMap(({ steelThread }, nr) => (steelThread ? [nr] : []));

const steelThreadIsThere: LintRule = ({ map, mode, shape, draft }) => {
  const thread = map?.flows.find(({ steelThread }) => steelThread);
  if (!thread || mode === "quick" || draft.tasks.length === 0) return [];
  const steel = steelOf(shape);
  if (steel.length === 0) return [finding("P-STEEL", thread.id, `No task belongs to the steel thread ${thread.id}.`)];
  const done = new Set(steel.flatMap((nr) => draft.tasks[nr]?.behaviours ?? []));
  const missing = thread.steps.filter((step) => !done.has(step));
  if (missing.length === 0) return [];
  const say = `The steel thread ${thread.id} has steps that none of its tasks does: ${names(missing)}.`;
  return [finding("P-STEEL", thread.id, say)];
};

const steelThreadHangsTogether: LintRule = ({ shape }) => {
  const steel = steelOf(shape);
  const parts = steelParts(shape, steel);
  if (parts.length < 2) return [];
  const idsOf = (part: readonly number[]): string[] => part.map((nr) => shape.ids[nr] as string);
  const named = parts.map((part) => `(${names(idsOf(part), 5)})`);
  const say = `The steel thread is in ${parts.length} pieces that do not wait for one another: ${names(named, 5)}.`;
  return [finding("P-STEEL-APART", names(idsOf(steel)), say)];
};

/** Groups of tasks that wait for one another, over whatever is in between. What stands between two of them, or is one
 *  of them, joins all that it touches. */
function steelParts(shape: Shape, steel: readonly number[]): number[][] {
  const all = shape.ids.map((_, nr) => nr);
  const sorted = walk(all, shape.waits);
  const waits = (nr: number): readonly number[] => shape.waits[nr] as readonly number[];
  const after = new Set(steel);
  for (const nr of sorted) if (waits(nr).some((other) => after.has(other))) after.add(nr);
  const before = new Set(steel);
  for (const nr of sorted.reverse()) if (before.has(nr)) for (const other of waits(nr)) before.add(other);
  const leader = [...all];
  const lead = (nr: number): number => {
    let at = nr;
    while (leader[at] !== at) {
      leader[at] = leader[leader[at] as number] as number;
      at = leader[at] as number;
    }
    return at;
  };
  for (const nr of before) for (const other of waits(nr)) if (after.has(other)) leader[lead(nr)] = lead(other);
  const parts = new Map<number, number[]>();
  for (const nr of steel) append(parts, lead(nr), nr);
  return [...parts.values()];
}

/** Later than half of the waves and one more. Its own length is not held against it: only what comes before and
 *  in between makes it late. */
const steelThreadIsEarly: LintRule = ({ sequence }) => {
  const { waves, steelThread, cyclic } = sequence;
  if (steelThread.length === 0 || cyclic.length > 0) return [];
  const steel = new Set(steelThread);
  const isOwn = (wave: readonly string[]): boolean => wave.some((id) => steel.has(id));
  const last = waves.findLastIndex(isOwn) + 1;
  const own = waves.filter(isOwn).length;
  const limit = Math.floor(waves.length / 2) + 1;
  if (last - own + 1 <= limit) return [];
  const say = `The steel thread ends in wave ${last} of ${waves.length}, behind other work.`;
  return [finding("P-STEEL-LATE", names(steelThread), say)];
};

/** The capability map by itself, and the files that are planned for it. */
const CAPABILITY_RULES: readonly MapRule[] = [mapIdsAreUnique, flowsHaveSteps, oneFlowIsSteelThread];

const FILE_RULES: readonly MapRule[] = [placedBehavioursAreKnown, behavioursHaveFiles];

export const MAP_RULES: readonly LintRule[] = [
  ...CAPABILITY_RULES,
  ...FILE_RULES,
  behavioursAreInTasks,
  behavioursAreKnown,
  plannedFilesAreUsed,
];

export const STEEL_RULES: readonly LintRule[] = [steelThreadIsThere, steelThreadHangsTogether, steelThreadIsEarly];

const judged = (rules: readonly MapRule[], map: CapabilityMap, files?: FileMap): LintFinding[] => {
  const behaviours = new Map(behavioursOf(map).map((behaviour) => [behaviour.id, behaviour]));
  return rules.flatMap((rule) => [...rule({ map, files, behaviours })]);
};

/** What is wrong with a capability map, before anything is made of it. `isFirst`: of the parts of a spec, the first has the steel thread. */
export const judgeMap = (map: CapabilityMap, spec: Spec, isFirst: boolean): LintFinding[] => [
  ...mapQuotes(map).flatMap(([where, quote]) => [...judgeQuote(spec, [spec], where, quote)]),
  ...judged(isFirst ? CAPABILITY_RULES : [mapIdsAreUnique, flowsHaveSteps], map),
];

/** What is wrong with a file map. */
export const judgeFiles = (files: FileMap, map: CapabilityMap): LintFinding[] => judged(FILE_RULES, map, files);
