// Drafts and capability maps that were made part by part, put together again. Ids stay as they are unless two
// parts use the same one; nothing is cut off.

import { idKey } from "../../model/node/ids.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import type { PlanDraft } from "../contracts/plan-draft.js";

/** Gives each part ids that no other part has. */
class Names {
  readonly #taken = new Set<string>();
  readonly #kept: ReadonlySet<string>;

  /** `kept`: ids that mean the same in every part. */
  constructor(kept: Iterable<string> = []) {
    this.#kept = new Set([...kept].map(idKey));
  }

  /** A new spelling for each id of a part. */
  claim(ids: readonly string[], part: number): Map<string, string> {
    const given = new Map<string, string>();
    for (const id of ids) {
      if (given.has(idKey(id))) continue;
      let name = id;
      for (let nth = 0; this.#taken.has(idKey(name)) && !this.#kept.has(idKey(id)); nth++) {
        name = `P${part + 1}${nth === 0 ? "" : `.${nth}`}-${id}`.slice(0, 64);
      }
      given.set(idKey(id), name);
      this.#taken.add(idKey(name));
    }
    return given;
  }
}

const titleKey = (title: string): string => title.trim().toLowerCase().replace(/\s+/g, " ");

const union = (lists: readonly (readonly string[])[]): string[] => {
  const seen = new Map(lists.flat().map((text) => [titleKey(text), text]));
  return [...seen.values()];
};

const joined = (texts: readonly string[]): string =>
  [...new Set(texts.map((text) => text.trim()).filter(Boolean))].join("\n\n");

/** Containers of all parts. One that an earlier part has by the same title is the same, and so is one that the plan has. */
class Containers<T extends { readonly id: string; readonly title: string; readonly body: string }> {
  readonly all: T[] = [];
  readonly #places = new Map<string, number>();
  readonly #existing: ReadonlySet<string>;

  constructor(existing: ReadonlySet<string>) {
    this.#existing = existing;
  }

  #keyOf({ id, title }: T): string {
    return this.#existing.has(id) ? id : ` ${titleKey(title)}`;
  }

  /** Those that no earlier part has. The others are added to what is there, and `given` says what they are called. */
  join(nodes: readonly T[], given: Map<string, string>): T[] {
    const places = nodes.map((node) => this.#places.get(this.#keyOf(node)));
    for (const [at, node] of nodes.entries()) {
      const place = places[at];
      if (place === undefined) continue;
      const known = this.all[place] as T;
      this.all[place] = { ...known, body: joined([known.body, node.body]) };
      given.set(idKey(node.id), known.id);
    }
    return nodes.filter((_, at) => places[at] === undefined);
  }

  add(node: T, named: T): void {
    this.#places.set(this.#keyOf(node), this.all.push(named) - 1);
  }
}

/** A part may depend on ids of the parts before it. */
export function mergeDrafts(parts: readonly PlanDraft[], existing: ReadonlySet<string> = new Set()): PlanDraft {
  const names = new Names(existing);
  const initiatives = new Containers<PlanDraft["initiatives"][number]>(existing);
  const features = new Containers<PlanDraft["features"][number]>(existing);
  const stories: PlanDraft["stories"] = [];
  const tasks: PlanDraft["tasks"] = [];
  const decisions: PlanDraft["decisions"] = [];
  const decisionNames = new Names();
  for (const [at, part] of parts.entries()) {
    const known = new Map<string, string>();
    const newInitiatives = initiatives.join(part.initiatives, known);
    const newFeatures = features.join(part.features, known);
    const fresh = [...newInitiatives, ...newFeatures, ...part.stories, ...part.tasks];
    const given = names.claim(
      fresh.map(({ id }) => id),
      at,
    );
    const right = (id: string): string => known.get(idKey(id)) ?? given.get(idKey(id)) ?? id;
    for (const node of newInitiatives) initiatives.add(node, { ...node, id: right(node.id) });
    for (const node of newFeatures) {
      const { parent } = node;
      features.add(node, {
        ...node,
        id: right(node.id),
        ...(parent === undefined ? {} : { parent: right(parent) }),
      });
    }
    stories.push(...part.stories.map((story) => ({ ...story, id: right(story.id), feature: right(story.feature) })));
    tasks.push(
      ...part.tasks.map((task) => ({
        ...task,
        id: right(task.id),
        parent: right(task.parent),
        dependsOn: task.dependsOn.map(right),
      })),
    );
    const labels = decisionNames.claim(
      part.decisions.map(({ id }) => id),
      at,
    );
    decisions.push(
      ...part.decisions.map((each) => ({
        ...each,
        id: labels.get(idKey(each.id)) ?? each.id,
        tasks: each.tasks.map(right),
      })),
    );
  }
  return { ...aboutAll(parts), decisions, initiatives: initiatives.all, features: features.all, stories, tasks };
}

const aboutAll = (
  parts: readonly PlanDraft[],
): Pick<PlanDraft, "title" | "overview" | "goals" | "nonGoals" | "risks" | "rollback"> => ({
  title: parts[0]?.title ?? "Plan",
  overview: joined(parts.map(({ overview }) => overview)),
  goals: union(parts.map(({ goals }) => goals)),
  nonGoals: union(parts.map(({ nonGoals }) => nonGoals)),
  risks: [...new Map(parts.flatMap(({ risks }) => risks).map((each) => [titleKey(each.risk), each])).values()],
  rollback: joined(parts.map(({ rollback }) => rollback)),
});

/** The first part's steel thread is the whole's. Domains with the same name become one. */
export function mergeMaps(parts: readonly CapabilityMap[]): CapabilityMap {
  const names = new Names();
  const domains: CapabilityMap["domains"] = [];
  const flows: CapabilityMap["flows"] = [];
  const byName = new Map<string, number>();
  for (const [at, part] of parts.entries()) {
    const ids = part.domains.flatMap(({ capabilities }) =>
      capabilities.flatMap(({ id, behaviours }) => [id, ...behaviours.map((each) => each.id)]),
    );
    const fresh = part.domains.filter(({ name }) => !byName.has(titleKey(name)));
    const given = names.claim([...fresh.map(({ id }) => id), ...ids, ...part.flows.map(({ id }) => id)], at);
    const right = (id: string): string => given.get(idKey(id)) ?? id;
    for (const domain of part.domains) {
      const capabilities = domain.capabilities.map((capability) => ({
        ...capability,
        id: right(capability.id),
        behaviours: capability.behaviours.map((behaviour) => ({ ...behaviour, id: right(behaviour.id) })),
      }));
      const place = byName.get(titleKey(domain.name));
      if (place === undefined) {
        byName.set(titleKey(domain.name), domains.length);
        domains.push({ ...domain, id: right(domain.id), capabilities });
      } else (domains[place] as CapabilityMap["domains"][number]).capabilities.push(...capabilities);
    }
    const threaded = flows.some(({ steelThread }) => steelThread);
    flows.push(
      ...part.flows.map((flow) => ({
        ...flow,
        id: right(flow.id),
        steps: flow.steps.map(right),
        steelThread: flow.steelThread && !threaded,
      })),
    );
  }
  return {
    goals: union(parts.map(({ goals }) => goals)),
    nonGoals: union(parts.map(({ nonGoals }) => nonGoals)),
    domains,
    flows,
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
  };
}
