// Answers that roles gave part by part, put together again, and a revision laid over a draft. Ids stay as they are unless two parts
// use the same one; nothing is cut off.

import { idKey } from "../../model/node/ids.js";
import { ok, type Result, usage } from "../../model/result.js";
import { spaced, valueForEach } from "../../model/words.js";
import { type Clarification, type Critique, critique, type Research } from "../contracts/answers.js";
import { defined } from "../contracts/common.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";
import {
  type DraftFeature,
  type DraftInitiative,
  type DraftTask,
  keepNodes,
  nodesOf,
  type PlanDraft,
  type PlanRevision,
  parentsIn,
  renameNodes,
} from "../contracts/plan-draft.js";

/** Gives each part ids that no other part has. */
class Names {
  readonly #taken = new Set<string>();

  claim(named: readonly { readonly id: string }[], part: number): Map<string, string> {
    const given = new Map<string, string>();
    for (const { id } of named) {
      if (given.has(idKey(id))) continue;
      let name = id;
      for (let nth = 0; this.#taken.has(idKey(name)); nth++) {
        name = `P${part + 1}${nth === 0 ? "" : `.${nth}`}-${id}`.slice(0, 64);
      }
      given.set(idKey(id), name);
      this.#taken.add(idKey(name));
    }
    return given;
  }
}

export const plainTitle = (title: string): string => spaced(title).toLowerCase();

const union = (lists: readonly (readonly string[])[]): string[] => {
  const seen = new Map(lists.flat().map((text) => [plainTitle(text), text]));
  return [...seen.values()];
};

const joined = (texts: readonly string[]): string =>
  [...new Set(texts.map((text) => text.trim()).filter(Boolean))].join("\n\n");

/** Containers of all parts. One that an earlier part has by the same title is the same. */
class Containers<T extends { readonly id: string; readonly title: string; readonly body: string }> {
  readonly all: T[] = [];
  readonly #places = new Map<string, number>();

  /** The ids of those that an earlier part has, and what they are called there. */
  known(nodes: readonly T[]): [id: string, name: string][] {
    return nodes.flatMap(({ id, title }) => {
      const known = this.all[this.#places.get(plainTitle(title)) ?? -1];
      return known ? [[idKey(id), known.id]] : [];
    });
  }

  add(nodes: readonly T[]): void {
    const earlier = this.all.length;
    for (const node of nodes) {
      const place = this.#places.get(plainTitle(node.title)) ?? earlier;
      const known = place < earlier ? this.all[place] : undefined;
      if (known) this.all[place] = { ...known, body: joined([known.body, node.body]) };
      else this.#places.set(plainTitle(node.title), this.all.push(node) - 1);
    }
  }
}

/** A part may depend on ids of the parts before it. */
export function mergeDrafts(parts: readonly PlanDraft[]): PlanDraft {
  const names = new Names();
  const decisionNames = new Names();
  const initiatives = new Containers<DraftInitiative>();
  const features = new Containers<DraftFeature>();
  const stories: PlanDraft["stories"] = [];
  const tasks: PlanDraft["tasks"] = [];
  const decisions: PlanDraft["decisions"] = [];
  for (const [at, part] of parts.entries()) {
    const known = new Map([...initiatives.known(part.initiatives), ...features.known(part.features)]);
    const fresh = nodesOf(part).filter(({ id }) => !known.has(idKey(id)));
    const given = names.claim(fresh, at);
    const named = renameNodes(part, (id) => known.get(idKey(id)) ?? given.get(idKey(id)) ?? id);
    initiatives.add(named.initiatives);
    features.add(named.features);
    stories.push(...named.stories);
    tasks.push(...named.tasks);
    const labels = decisionNames.claim(part.decisions, at);
    decisions.push(...named.decisions.map((each) => ({ ...each, id: labels.get(idKey(each.id)) ?? each.id })));
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
  risks: [...new Map(parts.flatMap(({ risks }) => risks).map((each) => [plainTitle(each.risk), each])).values()],
  rollback: joined(parts.map(({ rollback }) => rollback)),
});

/** The first part's steel thread is the whole's. Domains with the same name become one. */
export function mergeMaps(parts: readonly CapabilityMap[]): CapabilityMap {
  const names = new Names();
  const domains = new Map<string, CapabilityMap["domains"][number]>();
  const flows: CapabilityMap["flows"] = [];
  for (const [at, part] of parts.entries()) {
    const fresh = part.domains.filter(({ name }) => !domains.has(plainTitle(name)));
    const inside = part.domains.flatMap(({ capabilities }) =>
      capabilities.flatMap((each) => [each, ...each.behaviours]),
    );
    const given = names.claim([...fresh, ...inside, ...part.flows], at);
    const right = (id: string): string => given.get(idKey(id)) ?? id;
    for (const domain of part.domains) {
      const capabilities = domain.capabilities.map((capability) => ({
        ...capability,
        id: right(capability.id),
        behaviours: capability.behaviours.map((behaviour) => ({ ...behaviour, id: right(behaviour.id) })),
      }));
      const known = domains.get(plainTitle(domain.name));
      if (known) known.capabilities.push(...capabilities);
      else domains.set(plainTitle(domain.name), { ...domain, id: right(domain.id), capabilities });
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
    domains: [...domains.values()],
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

const MAX_QUESTIONS = 5;

/** Beyond five, the default is taken, and it is written down as an assumption. */
export function joinClarifications(parts: readonly Clarification[]): Clarification {
  const asked = parts.map((part) => part.questions);
  const questions = distinct(asked, ({ question }) => question);
  const taken = questions.slice(MAX_QUESTIONS).map((question) => ({
    text: `${question.question} ${question.default}`.slice(0, 500),
    because: "more than five questions came up: the default was taken",
  }));
  return {
    intent: inOneText(parts.map(({ intent }) => intent)),
    ambiguities: parts.flatMap(({ ambiguities }) => ambiguities),
    questions: questions.slice(0, MAX_QUESTIONS),
    assumptions: [...parts.flatMap(({ assumptions }) => assumptions), ...taken],
  };
}

const RATINGS = ["pass", "warn", "fail"] as const;

const BY_SEVERITY = ["low", "medium", "high", "critical"] as const;

const worst = <T, Item>(order: readonly T[], items: readonly Item[], of: (item: Item) => T): T =>
  order[Math.max(...items.map((item) => order.indexOf(of(item))))] as T;

/** The worst rating counts, and of the same finding the gravest. */
export function joinCritiques(parts: readonly Critique[]): Critique {
  const found = parts.map((part) => part.findings);
  const findings = distinct(found, ({ title }) => title).map((finding) => {
    const same = found.flat().filter(({ title }) => title === finding.title);
    return {
      ...finding,
      severity: worst(BY_SEVERITY, same, ({ severity }) => severity),
      nodes: [...new Set(same.flatMap(({ nodes }) => nodes))],
      evidence: same.flatMap(({ evidence }) => evidence),
    };
  });
  const { ratings, assessment } = critique.shape;
  return {
    findings,
    ratings: valueForEach(ratings.keyof().options, (area) => worst(RATINGS, parts, (part) => part.ratings[area])),
    assessment: valueForEach(assessment.keyof().options, (about) =>
      inOneText(parts.map((part) => part.assessment[about])),
    ),
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
  const laid = {
    initiatives: laidOver(draft.initiatives, revision.initiatives),
    features: laidOver(draft.features, revision.features),
    stories: laidOver(draft.stories, revision.stories),
    tasks: laidOver(draft.tasks, revision.tasks),
  };
  const gone = new Set(revision.removed.map(idKey));
  const isGone = (id: string): boolean => gone.has(idKey(id));
  // What is inside of something that goes, goes with it.
  for (const [id, parent] of parentsIn(laid)) if (parent !== undefined && isGone(parent)) gone.add(idKey(id));
  const restated = new Set(revision.tasks.map(({ id }) => idKey(id)));
  const kept = keepNodes(laid, ({ id }) => !isGone(id));
  const byId = new Map(laid.tasks.map((task) => [idKey(task.id), task]));
  const decisions = revision.decisions ?? draft.decisions;
  return ok({
    ...draft,
    ...aboutOf(revision),
    decisions: decisions.map((each) => ({ ...each, tasks: each.tasks.filter((id) => !isGone(id)) })),
    ...kept,
    // A task that the revision states itself means what it says, even if lint has to tell that it is wrong.
    tasks: kept.tasks.map((task) => (restated.has(idKey(task.id)) ? task : withHeirs(task, byId, isGone))),
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

function aboutOf(revision: PlanRevision): Partial<PlanDraft> {
  const { initiatives: _i, features: _f, stories: _s, tasks: _t, removed: _r, responses: _a, ...about } = revision;
  return defined(about);
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
