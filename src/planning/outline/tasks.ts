// The outline's tasks: one for each behaviour, below the feature of its domain, with the words of the spec as its body.

import type { Behaviour, CapabilityMap, FileMap } from "../contracts/maps.js";
import type { DraftFeature, DraftStory, DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { findQuote } from "../spec/quote.js";
import type { Section, Spec } from "../spec/spec.js";
import { aboutOf } from "./about.js";
import { nameOfWork, sectionKey, sectionTexts } from "./capabilities.js";
import { type DraftCheck, distinctChecks, layerOf, statedSymbols } from "./commands.js";
import { type OutlineTask, orderTasks } from "./dependencies.js";
import { workOf } from "./read-work.js";
import { shorten, withoutMarks } from "./wording.js";
import { isWithin, itemsOf, keyHash, type OutlineWork, type WorkItem } from "./work.js";

export interface OutlineOptions {
  readonly stack?: string;
  /** How the repository is tested, as found in it. */
  readonly checks?: readonly { readonly purpose: string; readonly run: string }[];
  /** One feature, no stories. */
  readonly quick?: boolean;
}

const MOST_TASKS = 20_000;
const MOST_STORIES = 5_000;
const MOST_QUOTES = 50;
const MOST_BODY = 20_000;

interface TaskLocation {
  readonly feature: string;
  readonly parent: string;
}

interface Placed extends OutlineTask {
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
  return {
    key: behaviour.id,
    kind: "work",
    title: shorten(withoutMarks(behaviour.name), 80),
    section: section as Section,
    quotes: [behaviour.quote],
    requirements: behaviour.requirements,
    body: [behaviour.quote],
    words: [behaviour.quote],
    checks: [],
    examples: [],
    parts: 0,
  };
}

class Layout {
  readonly features: DraftFeature[] = [];
  readonly stories: DraftStory[] = [];
  readonly placed: Placed[] = [];
  readonly #spec: Spec;
  readonly #work: OutlineWork;
  readonly #items: ReadonlyMap<string, WorkItem>;
  /** How many behaviours share a task: one, unless there are more than a plan may have tasks. */
  readonly #together: number;
  readonly #quick: DraftFeature | undefined;

  constructor(spec: Spec, map: CapabilityMap, work: OutlineWork, quick: boolean) {
    this.#spec = spec;
    this.#work = work;
    this.#items = new Map(itemsOf(work).map((item) => [`B-${item.key}`, item]));
    const behaviours = map.domains.reduce(
      (sum, { capabilities }) => sum + capabilities.reduce((part, entry) => part + entry.behaviours.length, 0),
      0,
    );
    this.#together = Math.min(MOST_QUOTES, Math.ceil(behaviours / (MOST_TASKS * 0.9)));
    const name = nameOfWork(work);
    this.#quick = quick ? { id: `F-${keyHash("plan", name)}`, title: name, body: "" } : undefined;
    if (this.#quick !== undefined) this.features.push(this.#quick);
    for (const domain of map.domains) this.#addDomain(domain);
    this.#addOthers(map);
  }

  #addDomain({ id, name, capabilities }: CapabilityMap["domains"][number]): void {
    const feature = this.#quick ?? { id: keyed("F", id), title: name, body: "" };
    if (this.#quick === undefined) this.features.push(feature);
    for (const capability of capabilities) {
      const isOwn = keyed("F", capability.id) === feature.id || capability.behaviours.length === 1;
      const hasStory = this.#quick === undefined && !isOwn && this.stories.length < MOST_STORIES;
      const story = { id: keyed("S", capability.id), feature: feature.id, title: capability.name, body: "" };
      if (hasStory) this.stories.push(story);
      const place = { feature: feature.id, parent: hasStory ? story.id : feature.id };
      for (let from = 0; from < capability.behaviours.length; from += this.#together) {
        this.#addTask(place, capability.behaviours.slice(from, from + this.#together));
      }
    }
  }

  #addTask(place: TaskLocation, behaviours: readonly Behaviour[]): void {
    const items = behaviours.map((behaviour) => this.#items.get(behaviour.id) ?? itemFor(this.#spec, behaviour));
    const [first] = items as [WorkItem];
    const others = items.length - 1;
    const item =
      others === 0
        ? first
        : {
            ...first,
            title: `${shorten(first.title, 60)} and ${others} more`,
            body: items.flatMap(({ body }) => body),
            words: items.flatMap(({ words }) => words),
            parts: others,
          };
    this.placed.push({
      id: keyed("T", (behaviours[0] as Behaviour).id),
      ...place,
      item,
      behaviours: behaviours.map(({ id }) => id),
      // Of each item what it is about comes first: if there are too many quotes, those stay.
      quotes: [
        ...new Set([...items.map(({ quotes }) => quotes[0] as string), ...items.flatMap(({ quotes }) => quotes)]),
      ],
    });
  }

  /** Reviews and gates are no behaviours: they come from the spec, into the feature of their section or one of their own. */
  #addOthers(map: CapabilityMap): void {
    const known = new Set(map.domains.map(({ id }) => id));
    const stories = new Set(this.stories.map(({ id }) => id));
    for (const { section, name, groups } of this.#work.domains) {
      const key = sectionKey(
        section,
        groups.flatMap(({ items }) => items),
      );
      const feature = this.#quick ?? { id: `F-${key}`, title: shorten(name || "Acceptance", 200), body: "" };
      for (const group of groups) {
        const others = group.items.filter(({ kind }) => kind === "review" || kind === "gate");
        if (others.length > 0 && !known.has(`D-${key}`) && this.#quick === undefined) {
          this.features.push(feature);
          known.add(`D-${key}`);
        }
        const story = `S-${sectionKey(group.section, group.items)}`;
        const place = { feature: feature.id, parent: stories.has(story) ? story : feature.id };
        for (const item of others) {
          this.placed.push({ id: `T-${item.key}`, ...place, item, behaviours: [], quotes: item.quotes });
        }
      }
    }
  }
}

/** Own checks, else those of the sections around, else those of the spec, else those of the repository. */
class Checks {
  readonly #work: OutlineWork;
  readonly #everywhere: readonly DraftCheck[];

  constructor(work: OutlineWork, found: NonNullable<OutlineOptions["checks"]>) {
    this.#work = work;
    const tests = found.filter(({ purpose, run }) => /\b(?:tests?|check|verify)\b/i.test(`${purpose} ${run}`));
    const ofRepository = (tests.length > 0 ? tests : found).map(({ run }) => ({ run: run.trim().slice(0, 2_000) }));
    const ofSpec = work.sharedChecks.get("") ?? [];
    // Never those of another item: what proves one task says nothing about the next.
    this.#everywhere = ofSpec.length > 0 ? ofSpec : ofRepository;
  }

  of({ checks, examples, section, kind }: WorkItem): DraftCheck[] {
    if (checks.length > 0) return distinctChecks(checks);
    if (kind === "review" || kind === "gate") return [];
    const around = [...this.#work.sharedChecks].find(([id]) => id !== "" && isWithin(section.id, id))?.[1];
    const shared = around ?? this.#everywhere;
    return distinctChecks(shared.length > 0 ? shared : examples);
  }
}

/** Two hours for an item; half an hour for each part of it and for each file after the first; one more for many words. */
function estimate(item: WorkItem, files: number): number {
  if (item.kind === "review" || item.kind === "gate") return 1;
  const words = item.words.join(" ").length / 6;
  const hours = 2 + item.parts / 2 + Math.max(0, files - 1) / 2 + (words > 120 ? 1 : 0);
  return Math.min(8, hours);
}

class Bodies {
  readonly #constraints: string;
  readonly #work: OutlineWork;

  constructor(spec: Spec, work: OutlineWork) {
    this.#work = work;
    const texts = sectionTexts(spec, work, "constraints", { count: 20, length: 300 });
    this.#constraints =
      texts.length === 0 ? "" : ["Holds for every task:", ...texts.map((text) => `- ${text}`)].join("\n");
  }

  of(item: WorkItem, constraints: boolean): string {
    const path = item.section.path.map(withoutMarks).filter((title) => title !== "");
    const own = item.body.join("\n\n");
    const context = (this.#work.context.get(item.section.id) ?? [])
      .map((text) => shorten(withoutMarks(text), 500))
      .slice(0, 4);
    const parts = [
      own,
      ...(path.length === 0 ? [] : [`Part of: ${path.join(" › ")}`]),
      ...(context.every((text) => own.includes(text)) ? [] : [`Context: ${context.join(" ")}`]),
      ...(constraints && this.#constraints !== "" ? [this.#constraints] : []),
    ];
    const body = parts.join("\n\n").trimEnd();
    const more = "\n\nThis is not all: the rest is in the spec.";
    return body.length <= MOST_BODY ? body : `${shorten(body, MOST_BODY - more.length)}${more}`;
  }
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
  const layout = new Layout(spec, map, work, options.quick === true);
  const steps = map.flows.find(({ steelThread }) => steelThread)?.steps ?? [];
  const doing = new Map(layout.placed.flatMap((task) => task.behaviours.map((id): [string, Placed] => [id, task])));
  const thread = [...new Set(steps.flatMap((step) => doing.get(step) ?? []))];
  const { dependsOn, impossible } = orderTasks(layout.placed, thread);
  const planned = filesByBehaviour(files);
  const checks = new Checks(work, options.checks ?? []);
  const bodies = new Bodies(spec, work);
  const tasks = layout.placed.slice(0, MOST_TASKS).map((task): DraftTask => {
    const { item } = task;
    const footprint = distinctFiles(task.behaviours.flatMap((id) => planned.get(id) ?? []));
    return {
      id: task.id,
      parent: task.parent,
      kind: item.kind === "test" ? "work" : item.kind,
      title: item.title,
      body: bodies.of(item, item.kind === "work" || item.kind === "test"),
      behaviours: [...task.behaviours],
      requirements: [...item.requirements],
      quotes: [...new Set(task.quotes)].slice(0, MOST_QUOTES),
      dependsOn: [...(dependsOn.get(task.id) ?? [])],
      files: footprint,
      symbols: statedSymbols(item.words.join("\n")).slice(0, 100),
      checks: checks.of(item),
      ...(item.kind === "test" ? { profile: "test" } : {}),
      ...(item.priority === undefined ? {} : { priority: item.priority }),
      estimateHours: estimate(item, footprint.length),
      steelThread: thread.includes(task),
    };
  });
  const titles = thread.map(({ item }) => item.title);
  const made = { features: layout.features, tasks: tasks.length, thread: titles, impossible, stack: options.stack };
  return { ...aboutOf(spec, map, work, made), features: layout.features, stories: layout.stories, tasks };
}
