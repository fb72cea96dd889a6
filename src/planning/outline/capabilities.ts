// The outline's capability map: top headings are domains, the headings below them capabilities, items behaviours.
//
// Also the steel thread: the thinnest path from end to end, inside of one feature, that waits for nothing else.

import type * as z from "zod";
import type { Behaviour, CapabilityMap, capability, domain } from "../contracts/maps.js";
import { withoutControls } from "../spec/cues.js";
import { findQuote } from "../spec/quote.js";
import type { Section, Spec, SpecStatement } from "../spec/spec.js";
import { type OutlineTask, orderTasks } from "./dependencies.js";
import { LEFT_OUT, type SectionRole } from "./heading-roles.js";
import { paragraphsOf } from "./item.js";
import { type OutlineWork, workOf } from "./read-work.js";
import { shorten, taskTitle, withoutMarks } from "./wording.js";
import {
  itemsByBehaviour,
  itemsOf,
  Keys,
  keyHash,
  quoteOf,
  type WorkDomain,
  type WorkGroup,
  type WorkItem,
} from "./work.js";

type Capability = z.infer<typeof capability>;
type Domain = z.infer<typeof domain>;

const MAX_PER_LEVEL = 100;
const MAX_LEFT_OUT = 2_000;

const TYPES = {
  input:
    /\b(?:accepts?|receives?|reads?|pars(?:e|es|ing)|enters?|submits?|uploads?|imports?|inputs?|flags?|arguments?|options?|forms?|requests?|logs? in|login|sign(?:s|ed)? (?:in|up)|subscrib\w+|click\w*)\b/i,
  output:
    /\b(?:shows?|displays?|prints?|returns?|exports?|sends?|renders?|reports?|lists?|emails?|notif\w+|responds?|responses?|outputs?|writes? to|logs?|formats?|exits?)\b/i,
  state:
    /\b(?:stores?|saves?|persist\w*|database|schema|tables?|migrat\w+|caches?|records?|models?|config\w*|index\w*|deletes?|removes?|updates?|creates?|sessions?)\b/i,
};

/** By the first telling word; what says nothing is a process. */
export function behaviourType(text: string): Behaviour["type"] {
  const found = (["input", "output", "state"] as const)
    .map((type) => ({ type, at: text.search(TYPES[type]) }))
    .filter(({ at }) => at >= 0);
  return found.sort((a, b) => a.at - b.at)[0]?.type ?? "process";
}

const behaviourOf = (item: WorkItem): Behaviour => ({
  id: `B-${item.key}`,
  name: item.title,
  type: behaviourType(item.title),
  quote: item.quotes[0] as string,
  requirements: [...item.requirements],
});

/** What has no heading is known by its first item. */
export const sectionKey = ({ path }: Section, items: readonly WorkItem[]): string =>
  keyHash("section", ...(path.length > 0 ? path : [items[0]?.title ?? ""]));

function capabilitiesOf({ section, items, name }: WorkGroup, fallbackName: string): Capability[] {
  const behaviours = items.filter(({ kind }) => kind !== "review" && kind !== "gate").map(behaviourOf);
  const [first] = behaviours;
  if (first === undefined) return [];
  const hasName = section.level > 0 && withoutMarks(section.title) !== "";
  const quote = hasName ? quoteOf(section.title) : first.quote;
  return [{ id: `C-${sectionKey(section, items)}`, name: shorten(name || fallbackName, 200), quote, behaviours }];
}

/** Cut features are smaller than the limits of a map (read-work.ts). */
function domainsOf(entry: WorkDomain, fallbackName: string): Domain[] {
  const id = `D-${sectionKey(entry.section, itemsOf({ domains: [entry] }))}`;
  const capabilities = entry.groups.flatMap((group) => capabilitiesOf(group, fallbackName));
  return capabilities.length === 0 ? [] : [{ id, name: shorten(entry.name || fallbackName, 200), capabilities }];
}

/** Two sections may have the same headings: the second gets a number. */
function withDistinctIds(domains: readonly Domain[]): Domain[] {
  const keys = new Keys();
  return domains.map((entry) => ({
    ...entry,
    id: keys.unique(entry.id),
    capabilities: entry.capabilities.map((part) => ({ ...part, id: keys.unique(part.id) })),
  }));
}

/** More top headings than a map may have are packed together, and more capabilities than those may have as well. */
function withinLimits(domains: readonly Domain[]): Domain[] {
  if (domains.length <= MAX_PER_LEVEL) return [...domains];
  const all = domains.flatMap(({ name, id, capabilities }) => capabilities.map((part) => ({ name, id, part })));
  const fitting = all.slice(0, MAX_PER_LEVEL * MAX_PER_LEVEL);
  const spilled = all.slice(fitting.length).flatMap(({ part }) => part.behaviours);
  const size = Math.ceil(fitting.length / MAX_PER_LEVEL);
  const packed = Array.from({ length: Math.ceil(fitting.length / size) }, (_, at): Domain => {
    const parts = fitting.slice(at * size, (at + 1) * size);
    const first = parts[0] as (typeof all)[number];
    const others = new Set(parts.map(({ id }) => id)).size - 1;
    const name = others === 0 ? first.name : `${shorten(first.name, 150)} and ${others} more`;
    return { id: first.id, name, capabilities: parts.map(({ part }) => part) };
  });
  for (const part of packed.flatMap(({ capabilities }) => capabilities)) {
    part.behaviours.push(...spilled.splice(0, MAX_PER_LEVEL - part.behaviours.length));
  }
  return packed;
}

/** Statements that follow each other and are left out for the same reason are one quote. */
function leftOutOf(spec: Spec, { noWork, bareHeadings, leftFences }: OutlineWork): CapabilityMap["leftOut"] {
  const parts: { start: number; end: number; last: number; first: number; role: keyof typeof LEFT_OUT }[] = [];
  for (const { place, role } of noWork) {
    // What was not understood is not left out on purpose.
    if (role === "unclear") continue;
    const { start, end, section } = spec.statements[place] as SpecStatement;
    const open = parts.at(-1);
    const goesOn = open?.role === role && open.last === place - 1 && spec.statements[open.last]?.section === section;
    if (open !== undefined && goesOn && end - open.start <= 1_000) Object.assign(open, { end, last: place });
    else parts.push({ start, end, first: place, last: place, role });
  }
  const headings = bareHeadings.flatMap(({ section, role }) =>
    role === "unclear" ? [] : [{ quote: quoteOf(section.title), reason: LEFT_OUT[role] }],
  );
  const statements = parts.flatMap(({ start, end, first, last, role }) => {
    const reason = LEFT_OUT[role];
    const together = withoutControls(spec.text.slice(start, end)).trim();
    const found = first === last ? undefined : findQuote(spec, together);
    // The same words may stand earlier, in other company: then each statement speaks for itself.
    if (found !== undefined && found.start >= start && found.start < end) return [{ quote: quoteOf(together), reason }];
    return spec.statements.slice(first, last + 1).map(({ text }) => ({ quote: quoteOf(text), reason }));
  });
  const fences = leftFences.flatMap(({ fence, role }) =>
    role === "unclear" || role === "work" ? [] : [{ quote: quoteOf(fence.text), reason: LEFT_OUT[role] }],
  );
  return [...headings, ...statements, ...fences].slice(0, MAX_LEFT_OUT);
}

/** Texts of the statements with this role, each at most so long; how many more there are is said in the last. */
export function sectionTexts(
  spec: Spec,
  work: OutlineWork,
  wanted: SectionRole | readonly SectionRole[],
  limits: { count: number; length: number },
): string[] {
  const roles = new Set<SectionRole>([wanted].flat());
  const statements = work.noWork
    .filter(({ role }) => roles.has(role))
    .map(({ place }) => spec.statements[place] as SpecStatement);
  const texts = paragraphsOf(statements, withoutMarks)
    .map((text) => shorten(text, limits.length))
    .filter((text) => text !== "");
  if (texts.length <= limits.count) return texts;
  const kept = texts.slice(0, limits.count - 1);
  return [...kept, `And ${texts.length - kept.length} more, in the spec.`];
}

/** The name of what has no heading. */
export const nameOfWork = (work: OutlineWork): string => {
  const items = itemsOf(work);
  const [first] = items;
  if (work.title !== undefined && withoutMarks(work.title) !== "") return shorten(withoutMarks(work.title), 200);
  if (first === undefined) return "Nothing to do";
  if (items.length === 1) {
    return shorten(withoutMarks(first.quotes[0] as string), 120).replace(/(?<![.\s])[.\s]+$/, "") || first.title;
  }
  return `${taskTitle(first.title, 60)} and ${items.length - 1} more`;
};

/** Without domains if the spec asks for nothing that is still to do. */
export function outlineCapabilities(spec: Spec): CapabilityMap {
  const work = workOf(spec);
  const name = nameOfWork(work);
  const domains = withinLimits(withDistinctIds(work.domains.flatMap((entry) => domainsOf(entry, name))));
  const steps = steelThread(domains, work);
  const flows = steps.length === 0 ? [] : [{ id: "FLOW-1", name: "From end to end", steelThread: true, steps }];
  const limits = { count: 30, length: 500 };
  return {
    goals: sectionTexts(spec, work, "goals", limits),
    nonGoals: sectionTexts(spec, work, ["nonGoals", "future"], limits),
    domains,
    flows,
    leftOut: leftOutOf(spec, work),
  };
}

const MAX_THREAD = 4;

/** From one type to the next, at least three of them: otherwise the first behaviour is all that is known to come first. */
function byType(behaviours: readonly Behaviour[]): Behaviour[] {
  const types = behaviours.filter(({ type }, index) => behaviours.findIndex((other) => other.type === type) === index);
  return types.length >= 3 ? types : behaviours.slice(0, 1);
}

/** "Avoid jargon", "Primary tagline: …", "CONTRIBUTING.md": rules, words and papers are on no path through the product. */
const IS_NO_STEP =
  /^(?:avoid|do not|don['’]t|never|no|keep)\b|\b(?:tag ?line|slogan|headline|motto|elevator pitch)\b|^(?:readme|contributing|license|changelog|docs?\/)/i;

/** Core work: something to build, and nothing that can wait. */
const isCore = ({ kind, title, isQuality, priority = 0 }: WorkItem): boolean =>
  kind === "work" && isQuality !== true && priority <= 1 && !IS_NO_STEP.test(title);

/** One behaviour of each capability: all that it waits for comes before it. */
function threadOf(
  { capabilities }: Domain,
  dependsOn: ReadonlyMap<string, readonly string[]>,
  core: ReadonlySet<string>,
): string[] {
  const thread: string[] = [];
  const mayCome = ({ id }: Behaviour): boolean =>
    core.has(id) && (dependsOn.get(id) ?? []).every((other) => thread.includes(other));
  const all = capabilities
    .map(({ behaviours }) => behaviours)
    .filter((behaviours) => behaviours.some(({ id }) => core.has(id)));
  if (all.length === 1) return byType((all[0] as Behaviour[]).filter(mayCome)).map(({ id }) => id);
  for (const behaviours of all) {
    const next = behaviours.find(mayCome);
    if (next !== undefined && thread.length < MAX_THREAD) thread.push(next.id);
  }
  return thread;
}

/** The first behaviour of each capability of the first domain that can begin at once. */
function steelThread(domains: readonly Domain[], work: OutlineWork): string[] {
  const items = itemsByBehaviour(work);
  const tasks = domains.flatMap(({ id: feature, capabilities }) =>
    capabilities
      .flatMap(({ behaviours }) => behaviours)
      .map(({ id }): OutlineTask => ({ id, feature, item: items.get(id) as WorkItem })),
  );
  const { dependsOn, place } = orderTasks(tasks, []);
  const real = tasks.filter(({ item }) => isCore(item));
  // What is said before the first heading is about the whole: it is no beginning.
  const named = real.filter(({ item: { section } }) => section.level > 0 && section.title !== work.title);
  const core = [named, real, tasks].find(({ length }) => length > 0) ?? [];
  const wanted = new Set(core.map(({ id }) => id));
  const threads = domains.map((domain) => threadOf(domain, dependsOn, wanted));
  const first = threads.find(({ length }) => length > 0) ?? [];
  return first.toSorted((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}
