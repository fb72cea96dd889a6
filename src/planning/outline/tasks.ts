// The outline's tasks: one for each behaviour, below the feature of its domain, with the words of the spec as its body.

import { type Behaviour, behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import type { DraftFeature, DraftStory, DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { findQuote } from "../spec/quote.js";
import type { Section, Spec } from "../spec/spec.js";
import { aboutOf } from "./about.js";
import { nameOfWork, sectionKey, sectionTexts } from "./capabilities.js";
import { type DraftCheck, distinctChecks, layerOf, statedSymbols } from "./commands.js";
import { type OutlineTask, orderTasks } from "./dependencies.js";
import { itemOf } from "./item.js";
import { type OutlineWork, workOf } from "./read-work.js";
import { shorten, withoutMarks } from "./wording.js";
import { isWithin, itemsByBehaviour, keyHash, type WorkItem } from "./work.js";

export interface OutlineOptions {
  readonly stack?: string;
  /** How the repository is tested, as found in it. */
  readonly checks?: readonly { readonly purpose: string; readonly run: string }[];
  /** One feature, no stories. */
  readonly quick?: boolean;
}

const MAX_TASKS = 20_000;
const MAX_STORIES = 5_000;
const MAX_QUOTES = 50;
const MAX_BODY_LENGTH = 20_000;

interface PlacedTask extends OutlineTask {
  readonly parent: string;
  readonly behaviours: readonly string[];
  readonly quotes: readonly string[];
}

/** `B-REQ-3` is done by `T-REQ-3`: the same key, another letter. */
const keyed = (letter: string, id: string): string => `${letter}-${/^[A-Z]-/.test(id) ? id.slice(2) : id}`.slice(0, 64);

/** A behaviour from a map of another author: only its quote is known. */
function itemFor(spec: Spec, behaviour: Behaviour): WorkItem {
  const found = findQuote(spec, behaviour.quote);
  const section: Section | undefined = spec.sections.find(({ id }) => id === found?.section) ?? spec.sections[0];
  return itemOf(section as Section, [behaviour.quote], {
    key: behaviour.id,
    title: shorten(withoutMarks(behaviour.name), 80),
    quotes: [behaviour.quote],
    requirements: behaviour.requirements,
    body: [behaviour.quote],
    checks: [],
  });
}

/** Features, stories and tasks: those of the map, then the reviews and gates of the spec, which are no behaviours. */
function layOut(spec: Spec, map: CapabilityMap, work: OutlineWork, isQuick: boolean) {
  const items = itemsByBehaviour(work);
  const name = nameOfWork(work);
  const whole = isQuick ? { id: `F-${keyHash("plan", name)}`, title: name, body: "" } : undefined;
  const features = new Map<string, DraftFeature>(whole === undefined ? [] : [[whole.id, whole]]);
  const stories = new Map<string, DraftStory>();
  const placed: PlacedTask[] = [];
  /** How many behaviours share a task: one, unless there are more than a plan may have tasks. */
  const together = Math.min(MAX_QUOTES, Math.ceil(behavioursOf(map).length / (MAX_TASKS * 0.9)));

  const featureOf = (id: string, title: string): string => {
    const feature = whole ?? features.get(id) ?? { id, title, body: "" };
    features.set(feature.id, feature);
    return feature.id;
  };
  for (const { id, name: title, capabilities } of map.domains) {
    const feature = featureOf(keyed("F", id), title);
    for (const capability of capabilities) {
      const { behaviours } = capability;
      const isOwn = keyed("F", capability.id) === feature || behaviours.length === 1;
      const hasStory = !isQuick && !isOwn && stories.size < MAX_STORIES;
      const story = { id: keyed("S", capability.id), feature, title: capability.name, body: "" };
      if (hasStory) stories.set(story.id, story);
      for (let from = 0; from < behaviours.length; from += together) {
        const chunk = behaviours.slice(from, from + together);
        placed.push({ feature, parent: hasStory ? story.id : feature, ...taskOf(spec, items, chunk) });
      }
    }
  }
  for (const { section, name: title, groups } of work.domains) {
    const all = groups.flatMap((group) => group.items);
    for (const group of groups) {
      const others = group.items.filter(({ kind }) => kind === "review" || kind === "gate");
      if (others.length === 0) continue;
      const feature = featureOf(`F-${sectionKey(section, all)}`, shorten(title || "Acceptance", 200));
      const story = `S-${sectionKey(group.section, group.items)}`;
      const parent = stories.has(story) ? story : feature;
      for (const item of others)
        placed.push({ id: `T-${item.key}`, feature, parent, item, behaviours: [], quotes: item.quotes });
    }
  }
  return { features: [...features.values()], stories: [...stories.values()], placed };
}

/** Several behaviours in one task are named after the first of them. */
function taskOf(
  spec: Spec,
  known: ReadonlyMap<string, WorkItem>,
  behaviours: readonly Behaviour[],
): Pick<PlacedTask, "id" | "item" | "behaviours" | "quotes"> {
  const items = behaviours.map((behaviour) => known.get(behaviour.id) ?? itemFor(spec, behaviour));
  const [first] = items as [WorkItem];
  const others = items.length - 1;
  const joined = {
    title: `${shorten(first.title, 60)} and ${others} more`,
    body: items.flatMap(({ body }) => body),
    words: items.flatMap(({ words }) => words),
    parts: others,
  };
  return {
    id: keyed("T", (behaviours[0] as Behaviour).id),
    item: others === 0 ? first : { ...first, ...joined },
    behaviours: behaviours.map(({ id }) => id),
    // Of each item what it is about comes first: if there are too many quotes, those stay.
    quotes: [...items.map(({ quotes }) => quotes[0] as string), ...items.flatMap(({ quotes }) => quotes)],
  };
}

/** Own checks, else those of the sections around, else those of the spec, else those of the repository: never those of
 *  another item, since what proves one task says nothing about the next. */
function checksFor({ sharedChecks }: OutlineWork, found: OutlineOptions["checks"] = []) {
  const tests = found.filter(({ purpose, run }) => /\b(?:tests?|check|verify)\b/i.test(`${purpose} ${run}`));
  const ofRepository = (tests.length > 0 ? tests : found).map(({ run }) => ({ run: run.trim().slice(0, 2_000) }));
  const everywhere = sharedChecks.get("") ?? ofRepository;
  return ({ checks, examples, section, kind }: WorkItem): DraftCheck[] => {
    if (checks.length > 0) return distinctChecks(checks);
    if (kind === "review" || kind === "gate") return [];
    const around = [...sharedChecks].find(([id]) => id !== "" && isWithin(section.id, id))?.[1];
    const shared = around ?? everywhere;
    return distinctChecks(shared.length > 0 ? shared : examples);
  };
}

/** Two hours for an item; half an hour for each part of it and for each file after the first; one more for many words. */
function estimate(item: WorkItem, files: number): number {
  if (item.kind === "review" || item.kind === "gate") return 1;
  const words = item.words.join(" ").length / 6;
  const hours = 2 + item.parts / 2 + Math.max(0, files - 1) / 2 + (words > 120 ? 1 : 0);
  return Math.min(8, hours);
}

/** What a worker reads: the words of the item, where they stand, and what holds for all of the work. */
function bodiesFor(spec: Spec, work: OutlineWork) {
  const texts = sectionTexts(spec, work, "constraints", { count: 20, length: 300 });
  const constraints =
    texts.length === 0 ? [] : [["Holds for every task:", ...texts.map((text) => `- ${text}`)].join("\n")];
  const more = "\n\nThis is not all: the rest is in the spec.";
  return ({ section, body: words, kind }: WorkItem): string => {
    const path = section.path.map(withoutMarks).filter((title) => title !== "");
    const own = words.join("\n\n");
    const context = (work.context.get(section.id) ?? []).map((text) => shorten(withoutMarks(text), 500)).slice(0, 4);
    const parts = [
      own,
      ...(path.length === 0 ? [] : [`Part of: ${path.join(" › ")}`]),
      ...(context.every((text) => own.includes(text)) ? [] : [`Context: ${context.join(" ")}`]),
      ...(kind === "work" || kind === "test" ? constraints : []),
    ];
    const body = parts.join("\n\n").trimEnd();
    return body.length <= MAX_BODY_LENGTH ? body : `${shorten(body, MAX_BODY_LENGTH - more.length)}${more}`;
  };
}

function filesByBehaviour(files: FileMap): Map<string, DraftTask["files"]> {
  return new Map(
    files.behaviours.map((entry) => {
      const tests = entry.tests
        .filter((path) => entry.files.every((file) => file.path !== path))
        .map((path) => ({ path, action: "create" as const, layer: layerOf(path) ?? ("test" as const), purpose: "" }));
      return [entry.behaviour, [...entry.files, ...tests]];
    }),
  );
}

const distinctFiles = (files: DraftTask["files"]): DraftTask["files"] =>
  [...new Map(files.map((file) => [file.path, file])).values()].slice(0, 100);

export function outlineTasks(spec: Spec, map: CapabilityMap, files: FileMap, options: OutlineOptions): PlanDraft {
  const work = workOf(spec);
  const { features, stories, placed } = layOut(spec, map, work, options.quick === true);
  const steps = map.flows.find(({ steelThread }) => steelThread)?.steps ?? [];
  const doing = new Map(placed.flatMap((task) => task.behaviours.map((id): [string, PlacedTask] => [id, task])));
  const thread = [...new Set(steps.flatMap((step) => doing.get(step) ?? []))];
  const { dependsOn, impossible } = orderTasks(placed, thread);
  const planned = filesByBehaviour(files);
  const checksOf = checksFor(work, options.checks);
  const bodyOf = bodiesFor(spec, work);
  const tasks = placed.slice(0, MAX_TASKS).map((task): DraftTask => {
    const { item } = task;
    const footprint = distinctFiles(task.behaviours.flatMap((id) => planned.get(id) ?? []));
    return {
      id: task.id,
      parent: task.parent,
      kind: item.kind === "test" ? "work" : item.kind,
      title: item.title,
      body: bodyOf(item),
      behaviours: [...task.behaviours],
      requirements: [...item.requirements],
      quotes: [...new Set(task.quotes)].slice(0, MAX_QUOTES),
      dependsOn: [...(dependsOn.get(task.id) ?? [])],
      files: footprint,
      symbols: statedSymbols(item.words.join("\n")).slice(0, 100),
      checks: checksOf(item),
      ...(item.kind === "test" ? { profile: "test" } : {}),
      ...(item.priority === undefined ? {} : { priority: item.priority }),
      estimateHours: estimate(item, footprint.length),
      steelThread: thread.includes(task),
    };
  });
  const titles = thread.map(({ item }) => item.title);
  const made = { features, tasks: tasks.length, thread: titles, impossible, stack: options.stack };
  return { ...aboutOf(spec, map, work, made), features, stories, tasks };
}
