// The steel thread of an outline: the thinnest path from end to end, inside of one feature, that waits for nothing else.

import type { Behaviour, CapabilityMap } from "../contracts/maps.js";
import { type OutlineTask, orderTasks } from "./dependencies.js";
import { statedPaths } from "./footprint.js";
import { itemsOf, type OutlineWork, type WorkItem } from "./reading/work.js";

type Domain = CapabilityMap["domains"][number];

const LONGEST = 4;

/** How many tasks come before one, as far as that is fewer than the limit; work of other features is never near. */
class Depths {
  readonly #dependsOn: ReadonlyMap<string, readonly string[]>;
  readonly #feature: ReadonlyMap<string, string>;
  readonly #known = new Map<string, boolean>();

  constructor(tasks: readonly OutlineTask[], dependsOn: ReadonlyMap<string, readonly string[]>) {
    this.#dependsOn = dependsOn;
    this.#feature = new Map(tasks.map(({ id, feature }) => [id, feature]));
  }

  isWithin(id: string, limit: number): boolean {
    const key = `${limit} ${id}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const isNear = (other: string): boolean =>
      limit > 0 && this.#feature.get(other) === this.#feature.get(id) && this.isWithin(other, limit - 1);
    const answer = (this.#dependsOn.get(id) ?? []).every(isNear);
    this.#known.set(key, answer);
    return answer;
  }
}

/** From one type to the next, at least three of them: otherwise the first behaviour is all that is known to come first. */
function byType(behaviours: readonly Behaviour[]): Behaviour[] {
  const types = behaviours.filter(({ type }, index) => behaviours.findIndex((other) => other.type === type) === index);
  return types.length >= 3 ? types : behaviours.slice(0, 1);
}

/** Core work: something to build, and nothing that can wait. */
const isCore = ({ kind, isQuality, priority = 0 }: WorkItem): boolean =>
  kind === "work" && isQuality !== true && priority <= 1;

function threadOf({ capabilities: all }: Domain, depths: Depths, core: ReadonlySet<string>): string[] {
  const capabilities = all
    .map((capability) => ({ ...capability, behaviours: capability.behaviours.filter(({ id }) => core.has(id)) }))
    .filter(({ behaviours }) => behaviours.length > 0);
  const [first, ...others] = capabilities;
  if (first !== undefined && others.length === 0) {
    return byType(first.behaviours.filter(({ id }) => depths.isWithin(id, 0))).map(({ id }) => id);
  }
  const thread: string[] = [];
  for (const { behaviours } of capabilities) {
    if (thread.length >= LONGEST) break;
    const next = behaviours.find(({ id }) => depths.isWithin(id, thread.length));
    if (next !== undefined) thread.push(next.id);
  }
  return thread;
}

/** Whether an earlier task touches the same files: the thread would have to wait for it. */
function isBehind(thread: readonly string[], tasks: readonly OutlineTask[]): boolean {
  const ids = new Set(thread);
  const before = new Set<string>();
  for (const { id, item } of tasks) {
    const paths = statedPaths(item.words.join("\n"));
    if (ids.has(id) && paths.some((path) => before.has(path))) return true;
    if (!ids.has(id)) for (const path of paths) before.add(path);
  }
  return false;
}

/** The first behaviour of each capability of the first domain that can begin at once. */
export function steelThread(domains: readonly Domain[], work: OutlineWork): string[] {
  const items = new Map(itemsOf(work).map((item) => [`B-${item.key}`, item]));
  const tasks = domains.flatMap(({ id: feature, capabilities }) =>
    capabilities.flatMap(({ behaviours }) =>
      behaviours.flatMap(({ id }): OutlineTask[] => {
        const item = items.get(id);
        return item === undefined ? [] : [{ id, feature, item }];
      }),
    ),
  );
  const { dependsOn, place } = orderTasks(tasks, []);
  const depths = new Depths(tasks, dependsOn);
  const real = tasks.filter(({ item }) => isCore(item));
  // What is said before the first heading is about the whole: it is no beginning.
  const named = real.filter(({ item: { section } }) => section.level > 0 && section.title !== work.title);
  const all = new Set(tasks.map(({ id }) => id));
  const core = new Set((named.length > 0 ? named : real).map(({ id }) => id));
  for (const wanted of [core, all]) {
    for (const domain of domains) {
      const thread = threadOf(domain, depths, wanted);
      if (thread.length === 0 || (wanted === core && isBehind(thread, tasks))) continue;
      return thread.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
    }
  }
  return [];
}
