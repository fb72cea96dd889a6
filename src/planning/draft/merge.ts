// Answers that roles gave part by part, put together again, and a revision laid over a draft. Ids stay as they are unless two parts
// use the same one; nothing is cut off.

import { idKey } from "../../model/node/ids.js";
import { ok, type Result, usage } from "../../model/result.js";
import type { Clarification, Critique, Research } from "../contracts/answers.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";
import { type DraftTask, nodesOf, type PlanDraft, type PlanRevision } from "../contracts/plan-draft.js";

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

/** Each behaviour once, each shared file once. */
export function mergeFiles(parts: readonly FileMap[]): FileMap {
  const byBehaviour = new Map(parts.flatMap(({ behaviours }) => behaviours).map((entry) => [entry.behaviour, entry]));
  const crossCutting = new Map(parts.flatMap((part) => part.crossCutting).map((file) => [file.path, file]));
  return { behaviours: [...byBehaviour.values()], crossCutting: [...crossCutting.values()] };
}

const MOST_QUESTIONS = 5;

/** Beyond five, the default is taken, and it is written down as an assumption. */
export function joinClarifications(parts: readonly Clarification[]): Clarification {
  const questions = distinct(
    parts.map((part) => part.questions),
    ({ question }) => question,
  );
  const taken = questions.slice(MOST_QUESTIONS).map((question) => ({
    text: `${question.question} ${question.default}`.slice(0, 500),
    because: "more than five questions came up: the default was taken",
  }));
  return {
    intent: inOneText(parts.map(({ intent }) => intent)),
    ambiguities: parts.flatMap(({ ambiguities }) => ambiguities),
    questions: questions.slice(0, MOST_QUESTIONS),
    assumptions: [...parts.flatMap(({ assumptions }) => assumptions), ...taken],
  };
}

const RATINGS = ["pass", "warn", "fail"] as const;

const BY_SEVERITY = ["low", "medium", "high", "critical"] as const;

const worst = <T>(order: readonly T[], values: readonly T[]): T =>
  order[Math.max(...values.map((value) => order.indexOf(value)))] as T;

/** The worst rating counts, and of the same finding the gravest. */
export function joinCritiques(parts: readonly Critique[]): Critique {
  const findings = distinct(
    parts.map((part) => part.findings),
    ({ title }) => title,
  );
  const everywhere = parts.flatMap((part) => part.findings);
  const same = (title: string): Critique["findings"] => everywhere.filter((finding) => finding.title === title);
  const rate = (area: keyof Critique["ratings"]): Critique["ratings"][typeof area] =>
    worst(
      RATINGS,
      parts.map(({ ratings }) => ratings[area]),
    );
  const say = (about: keyof Critique["assessment"]): string =>
    inOneText(parts.map(({ assessment }) => assessment[about]));
  return {
    findings: findings.map((finding) => ({
      ...finding,
      severity: worst(
        BY_SEVERITY,
        same(finding.title).map(({ severity }) => severity),
      ),
      nodes: [...new Set(same(finding.title).flatMap(({ nodes }) => nodes))],
      evidence: same(finding.title).flatMap(({ evidence }) => evidence),
    })),
    ratings: {
      consistency: rate("consistency"),
      soundness: rate("soundness"),
      implementability: rate("implementability"),
      completeness: rate("completeness"),
      risk: rate("risk"),
    },
    assessment: {
      quality: say("quality"),
      coherence: say("coherence"),
      technicalChoices: say("technicalChoices"),
      strategy: say("strategy"),
    },
    questions: parts.flatMap(({ questions }) => questions),
  };
}

export const joinResearch = (parts: readonly Research[]): Research => ({
  summary: inOneText(parts.map(({ summary }) => summary)),
  findings: parts.flatMap(({ findings }) => findings),
  commands: [...new Map(parts.flatMap(({ commands }) => commands).map((command) => [command.run, command])).values()],
});

const inOneText = (texts: readonly string[]): string => [...new Set(texts.filter((text) => text !== ""))].join(" ");

/** Each once; an id that another part used for something else gets the number of its part. */
function distinct<T extends { readonly id: string }>(
  parts: readonly (readonly T[])[],
  words: (item: T) => string,
): T[] {
  const [ids, said] = [new Set<string>(), new Set<string>()];
  const kept: T[] = [];
  for (const [index, items] of parts.entries()) {
    for (const item of items) {
      if (said.has(words(item))) continue;
      said.add(words(item));
      const id = ids.has(item.id) ? `${item.id}-P${index + 1}` : item.id;
      ids.add(id);
      kept.push({ ...item, id });
    }
  }
  return kept;
}

/** Nodes by id, whole; what the revision does not mention stays as it was. */
export function reviseDraft(draft: PlanDraft, revision: PlanRevision): Result<PlanDraft> {
  const wrong = contradiction(draft, revision);
  if (wrong !== undefined) return usage("bad-revision", wrong);
  const initiatives = laidOver(draft.initiatives, revision.initiatives);
  const features = laidOver(draft.features, revision.features);
  const stories = laidOver(draft.stories, revision.stories);
  const tasks = laidOver(draft.tasks, revision.tasks);
  const gone = new Set(revision.removed.map(idKey));
  const isGone = (id: string): boolean => gone.has(idKey(id));
  // What is inside of something that goes, goes with it.
  for (const { id, parent } of features) if (parent !== undefined && isGone(parent)) gone.add(idKey(id));
  for (const { id, feature } of stories) if (isGone(feature)) gone.add(idKey(id));
  for (const { id, parent } of tasks) if (isGone(parent)) gone.add(idKey(id));
  const restated = new Set(revision.tasks.map(({ id }) => idKey(id)));
  const kept = tasks.filter(({ id }) => !isGone(id));
  const byId = new Map(tasks.map((task) => [idKey(task.id), task]));
  const decisions = revision.decisions ?? draft.decisions;
  return ok({
    ...draft,
    ...aboutOf(revision),
    decisions: decisions.map((each) => ({ ...each, tasks: each.tasks.filter((id) => !isGone(id)) })),
    initiatives: initiatives.filter(({ id }) => !isGone(id)),
    features: features.filter(({ id }) => !isGone(id)),
    stories: stories.filter(({ id }) => !isGone(id)),
    // A task that the revision states itself means what it says, even if lint has to tell that it is wrong.
    tasks: kept.map((task) => (restated.has(idKey(task.id)) ? task : withHeirs(task, byId, isGone))),
  });
}

function contradiction(draft: PlanDraft, revision: PlanRevision): string | undefined {
  const written = nodesOf(revision).map(({ id }) => idKey(id));
  const known = new Set(nodesOf(draft).map(({ id }) => idKey(id)));
  const changed = new Set(written);
  const both = revision.removed.find((id) => changed.has(idKey(id)));
  if (both !== undefined) return `The revision both changes and removes ${both}.`;
  const unknown = revision.removed.find((id) => !known.has(idKey(id)));
  if (unknown !== undefined) return `The revision removes ${unknown}, which the draft does not have.`;
  const twice = changed.size === written.length ? undefined : written.find((id, at) => written.indexOf(id) !== at);
  return twice === undefined ? undefined : `The revision has two nodes with the id ${twice}.`;
}

/** Changed ones take their old place, new ones come last. */
function laidOver<T extends { readonly id: string }>(old: readonly T[], changed: readonly T[]): T[] {
  const changes = new Map(changed.map((node) => [idKey(node.id), node]));
  const known = new Set(old.map(({ id }) => idKey(id)));
  return [
    ...old.map((node) => changes.get(idKey(node.id)) ?? node),
    ...changed.filter(({ id }) => !known.has(idKey(id))),
  ];
}

type About = Omit<PlanRevision, "initiatives" | "features" | "stories" | "tasks" | "removed" | "responses">;

function aboutOf(revision: PlanRevision): Partial<PlanDraft> {
  const { initiatives: _i, features: _f, stories: _s, tasks: _t, removed: _r, responses: _a, ...about } = revision;
  return Object.fromEntries(Object.entries(about satisfies About).filter(([, value]) => value !== undefined));
}

/** What depended on a removed task depends on what that task depended on, so the order stays. */
function withHeirs(task: DraftTask, byId: ReadonlyMap<string, DraftTask>, isGone: (id: string) => boolean): DraftTask {
  if (!task.dependsOn.some(isGone)) return task;
  const heirs: string[] = [];
  const seen = new Set([idKey(task.id)]);
  const open = [...task.dependsOn].reverse();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(idKey(id))) continue;
    seen.add(idKey(id));
    if (isGone(id)) open.push(...(byId.get(idKey(id))?.dependsOn ?? []).toReversed());
    else heirs.push(id);
  }
  return { ...task, dependsOn: heirs };
}
