// Fixes what needs no judgement, all of it at once, so that the first problem never hides the others and
// nothing has to be fixed twice.

import type { LintCode } from "../../model/lint-codes.js";
import { idKey } from "../../model/node/ids.js";
import type { LintFinding } from "../contracts/findings.js";
import { behavioursOf, type CapabilityMap } from "../contracts/maps.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { sequenceShape } from "../draft/sequence.js";
import { shapeOf } from "../draft/shape.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { spellings } from "./map-rules.js";
import { knownIds } from "./rules.js";
import { mendQuote } from "./spec-rules.js";
import { kinOf, respelled } from "./structure-rules.js";
import { profileToGive } from "./task-rules.js";

/** What the findings were made with. */
interface FixSources {
  readonly existing?: ReadonlySet<string> | undefined;
  readonly spec?: Spec | undefined;
  readonly map?: CapabilityMap | undefined;
}

type Repair = (draft: PlanDraft, sources: FixSources) => PlanDraft;

/** In this order: a name that is written right may turn out to be there twice. */
const REPAIRS: readonly (readonly [codes: readonly LintCode[], repair: Repair])[] = [
  [["P-SPACES"], trimTexts],
  [["P-PARENT", "P-DEPENDENCY"], respell],
  [["P-BEHAVIOUR-ID"], respellBehaviours],
  [["P-KINSHIP"], dropKin],
  [["P-QUOTE"], mendQuotes],
  [["P-REPEAT"], dropRepeats],
  [["P-PROFILE"], giveProfiles],
  [["P-OVERLAP"], orderOverlaps],
];

export function fixDraft(draft: PlanDraft, findings: readonly LintFinding[], sources: FixSources = {}) {
  const fixed: LintFinding[] = [];
  let repaired = draft;
  for (const [codes, repair] of REPAIRS) {
    const settled = findings.filter(({ code, fixable }) => fixable && codes.includes(code));
    if (settled.length === 0) continue;
    repaired = repair(repaired, sources);
    fixed.push(...settled);
  }
  return { draft: repaired, fixed };
}

const eachTask = (draft: PlanDraft, change: (task: DraftTask, nr: number) => DraftTask): PlanDraft => ({
  ...draft,
  tasks: draft.tasks.map(change),
});

const once = <T>(list: readonly T[], keyOf: (item: T) => string): T[] => {
  const seen = new Set<string>();
  return list.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
};

const onceEach = (list: readonly string[]): string[] => [...new Set(list)];

function trimTexts(draft: PlanDraft): PlanDraft {
  const trim = <T extends { title: string; body: string }>(node: T): T => ({
    ...node,
    title: node.title.trim(),
    body: node.body.trimEnd(),
  });
  const { initiatives, features, stories, tasks } = draft;
  return {
    ...draft,
    initiatives: initiatives.map(trim),
    features: features.map(trim),
    stories: stories.map(trim),
    tasks: tasks.map(trim),
  };
}

function respell(draft: PlanDraft, { existing = new Set() }: FixSources): PlanDraft {
  const known = knownIds(draft, existing);
  const right = (id: string): string => (existing.has(id) ? id : (respelled(known, id) ?? id));
  const repaired = eachTask(draft, (task) => ({
    ...task,
    parent: right(task.parent),
    dependsOn: task.dependsOn.some((id) => right(id) !== id) ? onceEach(task.dependsOn.map(right)) : task.dependsOn,
  }));
  return {
    ...repaired,
    features: draft.features.map((feature) =>
      feature.parent === undefined ? feature : { ...feature, parent: right(feature.parent) },
    ),
    stories: draft.stories.map((story) => ({ ...story, feature: right(story.feature) })),
  };
}

function respellBehaviours(draft: PlanDraft, { map }: FixSources): PlanDraft {
  if (!map) return draft;
  const ids = new Set(behavioursOf(map).map(({ id }) => id));
  const known = spellings(ids);
  const right = (id: string): string => (ids.has(id) ? id : (known.get(id.toLowerCase()) ?? id));
  return eachTask(draft, (task) => ({ ...task, behaviours: onceEach(task.behaviours.map(right)) }));
}

function dropKin(draft: PlanDraft): PlanDraft {
  const shape = shapeOf(draft);
  return eachTask(draft, (task, nr) => {
    const kin = new Set(kinOf({ shape }, nr));
    return kin.size === 0 ? task : { ...task, dependsOn: task.dependsOn.filter((on) => !kin.has(on)) };
  });
}

function mendQuotes(draft: PlanDraft, { spec }: FixSources): PlanDraft {
  if (!spec) return draft;
  const right = (quote: string): string => (findQuote(spec, quote) ? quote : (mendQuote(spec, quote) ?? quote));
  return eachTask(draft, (task) => {
    const quotes = task.quotes.map(right);
    return quotes.every((quote, at) => quote === task.quotes[at]) ? task : { ...task, quotes: onceEach(quotes) };
  });
}

function dropRepeats(draft: PlanDraft): PlanDraft {
  return eachTask(draft, (task) => ({
    ...task,
    dependsOn: onceEach(task.dependsOn),
    files: once(task.files, ({ path }) => path),
    checks: once(task.checks, (check) => JSON.stringify(check)),
    quotes: onceEach(task.quotes),
  }));
}

function giveProfiles(draft: PlanDraft): PlanDraft {
  return eachTask(draft, (task) => {
    const profile = task.kind === "work" ? profileToGive(task) : undefined;
    return profile === undefined ? task : { ...task, profile };
  });
}

/** An edge can open the way for another where features wait for one another's landings; rarely more than once. */
const ROUNDS = 10;

function orderOverlaps(draft: PlanDraft): PlanDraft {
  let repaired = draft;
  for (let round = 0; round < ROUNDS; round++) {
    const shape = shapeOf(repaired);
    const { added } = sequenceShape(shape);
    if (added.length === 0) return repaired;
    const more = new Map<number, string[]>();
    for (const { task, on } of added) {
      const nr = shape.numbers.get(idKey(task)) as number;
      more.set(nr, [...(more.get(nr) ?? []), on]);
    }
    repaired = eachTask(repaired, (task, nr) => {
      const edges = more.get(nr);
      return edges ? { ...task, dependsOn: onceEach([...task.dependsOn, ...edges]) } : task;
    });
  }
  return repaired;
}
