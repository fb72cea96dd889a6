// Drafts and capability maps that were made part by part, put together again. Ids stay as they are unless two
// parts use the same one; nothing is cut off.

import { idKey } from "../../graph/node/ids.js";
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

/** Features with the same title become one, and so do those that the plan has already (`existing`). A part may depend
 *  on ids of the parts before it. */
export function mergeDrafts(parts: readonly PlanDraft[], existing: ReadonlySet<string> = new Set()): PlanDraft {
  const names = new Names(existing);
  const features: PlanDraft["features"] = [];
  const stories: PlanDraft["stories"] = [];
  const tasks: PlanDraft["tasks"] = [];
  const decisions: PlanDraft["decisions"] = [];
  const decisionNames = new Names();
  const places = new Map<string, number>();
  const keyOf = ({ id, title }: PlanDraft["features"][number]): string =>
    existing.has(id) ? id : ` ${titleKey(title)}`;
  for (const [at, part] of parts.entries()) {
    const merged = part.features.filter((feature) => places.has(keyOf(feature)));
    const fresh = part.features.filter((feature) => !places.has(keyOf(feature)));
    const given = names.claim(
      [...fresh, ...part.stories, ...part.tasks].map(({ id }) => id),
      at,
    );
    for (const feature of merged) {
      const place = places.get(keyOf(feature)) as number;
      const known = features[place] as PlanDraft["features"][number];
      features[place] = { ...known, body: joined([known.body, feature.body]) };
      given.set(idKey(feature.id), known.id);
    }
    const right = (id: string): string => given.get(idKey(id)) ?? id;
    for (const feature of fresh) {
      places.set(keyOf(feature), features.length);
      features.push({ ...feature, id: right(feature.id) });
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
  return { ...aboutAll(parts), decisions, features, stories, tasks };
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
