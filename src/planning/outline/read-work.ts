// The work in a spec, read once for each spec.
//
// Also the features: headings with two to eight tasks each, cut or joined where there are more or fewer.

import { append } from "../../base/append.js";
import { plainWords } from "../spec/cues.js";
import type { Spec } from "../spec/spec.js";
import { isPhaseTitle, type SectionRole, saysLittle } from "./heading-roles.js";
import { sectionRoles } from "./section-roles.js";
import { SpecIndex } from "./spec-index.js";
import { sameWords } from "./wording.js";
import { itemsOf, type WorkDomain, type WorkGroup, type WorkItem } from "./work.js";
import { WorkReader } from "./work-reader.js";

/** Where a spec asks for nothing under a heading of work, these are taken as work, the first that give any. What the spec
 *  itself leaves out, finished or asks is never among them. */
const FALLBACKS: readonly { readonly roles: readonly SectionRole[]; readonly takesProse: boolean }[] = [
  { roles: [], takesProse: false },
  { roles: ["acceptance", "design", "decisions"], takesProse: false },
  { roles: ["goals", "process"], takesProse: false },
  { roles: ["overview", "constraints", "users", "testing"], takesProse: true },
];

/** "**App name:** Nutrily", among the first lines. */
const namedIn = ({ statements }: Spec): string | undefined =>
  statements
    .slice(0, 6)
    .map(
      ({ text }) =>
        /^(?:app|project|product|tool|feature)(?: name| title)?(?: \([^)]*\))?:\s*(\S.{1,80})$/i.exec(
          plainWords(text),
        )?.[1],
    )
    .find((name) => name !== undefined);

export type OutlineWork = ReturnType<typeof readWork>;

function readWork(spec: Spec) {
  const index = new SpecIndex(spec);
  const reading = sectionRoles(index);
  const anythingDone = spec.statements.some(({ done }) => done);
  const taken = new Set<SectionRole>();
  let reader: WorkReader | undefined;
  for (const { roles: more, takesProse } of FALLBACKS) {
    for (const role of more) taken.add(role);
    const effective = new Map([...reading.roles].map(([id, role]) => [id, taken.has(role) ? "work" : role]));
    reader = new WorkReader(index, { ...reading, roles: effective, takesProse });
    reader.read();
    if (anythingDone || itemsOf(reader).length > 0) break;
  }
  const { domains, noWork, leftFences, openWork, bareHeadings, context, sharedChecks } = reader as WorkReader;
  // Notes often begin with a line that names the meeting.
  const isNamed = noWork.some(
    ({ place, role }) => place === 0 && role === "document" && !/:/.test(spec.statements[0]?.text ?? ":"),
  );
  const title = spec.title ?? index.title?.title ?? (isNamed ? spec.statements[0]?.text : namedIn(spec));
  return {
    title,
    domains: featuresOf(domains, index),
    noWork,
    leftFences,
    openWork,
    bareHeadings,
    context,
    sharedChecks,
  };
}

const known = new WeakMap<Spec, OutlineWork>();

export function workOf(spec: Spec): OutlineWork {
  const work = known.get(spec) ?? readWork(spec);
  known.set(spec, work);
  return work;
}

const MAX_TASKS = 8;
const MIN_TASKS = 2;

const isTask = ({ kind }: WorkItem): boolean => kind !== "review";

const tasksIn = (groups: readonly WorkGroup[]): number =>
  groups.reduce((sum, { items }) => sum + items.filter(isTask).length, 0);

/** The words before what is said in brackets: "Index [token required]" and "Index ([get] /products)" begin alike. */
const startOf = ({ quotes }: WorkItem): string => sameWords((quotes[0] ?? "").replace(/[([].*$/s, ""));

/** What is listed again under a heading of the same name is a detail of what was listed first. */
function withoutRepeats(domains: readonly WorkDomain[]): void {
  const first = new Map<string, WorkItem>();
  const isRepeated = (item: WorkItem): boolean => {
    const words = startOf(item);
    if (item.kind !== "work" || words === "" || item.requirements.length > 0) return false;
    const key = `${sameWords(item.section.title)}/${words}`;
    // A phase lists again what is described elsewhere.
    const before = first.get(key) ?? (item.section.path.some(isPhaseTitle) ? first.get(words) : undefined);
    for (const name of [key, words]) first.set(name, first.get(name) ?? before ?? item);
    if (before === undefined || before.section.id === item.section.id) return false;
    before.quotes.push(...item.quotes);
    before.words.push(...item.words);
    before.body.push(...item.body);
    before.checks.push(...item.checks);
    return true;
  };
  for (const { items } of domains.flatMap(({ groups }) => groups)) {
    items.splice(0, items.length, ...items.filter((item) => !isRepeated(item)));
  }
}

/** "Index" in two places tells nobody what it is an index of. */
function withFullTitles(domains: readonly WorkDomain[], index: SpecIndex): WorkDomain[] {
  const sections = new Map<string, Set<string>>();
  for (const item of itemsOf({ domains }))
    sections.set(nameOf(item), (sections.get(nameOf(item)) ?? new Set()).add(item.section.id));
  const titled = (item: WorkItem): WorkItem => {
    const heading = index.isPreamble(item.section) ? "" : index.nameOf(item.section);
    const isAmbiguous = (sections.get(nameOf(item))?.size ?? 0) > 1 && heading !== "";
    const isFull = sameWords(item.title).includes(sameWords(heading)) || item.title.length + heading.length > 150;
    return isAmbiguous && !isFull ? { ...item, title: `${heading}: ${item.title}` } : item;
  };
  return domains.map((domain) => ({
    ...domain,
    groups: domain.groups.map((group) => ({ ...group, items: group.items.map(titled) })),
  }));
}

/** Without what is said in brackets. */
const nameOf = ({ title }: WorkItem): string => sameWords(title.replace(/[([].*$/s, ""));

/** The headings below that of a group, each with its items. */
function storiesOf(group: WorkGroup, index: SpecIndex): WorkGroup[] {
  const depth = group.section.id.split(".").length + 1;
  const stories = new Map<string, WorkItem[]>();
  for (const item of group.items) append(stories, item.section.id.split(".").slice(0, depth).join("."), item);
  if (stories.size < 2) return [group];
  return [...stories].map(([id, items]): WorkGroup => {
    const section = index.section(id) ?? group.section;
    return { section, name: index.nameOf(section), items };
  });
}

/** Groups of a domain that is too large are features of their own; what is left stays together. */
function splitLarge(domain: WorkDomain, index: SpecIndex): WorkDomain[] {
  const { groups, section } = domain;
  const own = groups.filter((group) => group.section !== section && tasksIn([group]) >= MIN_TASKS);
  if (tasksIn(groups) <= MAX_TASKS || own.length < 2) return [domain];
  const rest = groups.filter((group) => !own.includes(group));
  const parts = own.map(
    (group): WorkDomain => ({ section: group.section, name: group.name, groups: storiesOf(group, index) }),
  );
  if (tasksIn(rest) > 1) return [{ ...domain, groups: rest }, ...parts];
  // One task is no feature: it goes to the one that follows it, or else to the last.
  const next = own.findIndex((group) => groups.indexOf(group) > groups.indexOf(rest[0] as WorkGroup));
  parts.at(next)?.groups.unshift(...rest);
  return parts;
}

/** Up to here a feature stays whole: a cut in a list of equals helps nobody. */
const MAX_UNCUT_TASKS = 12;

/** What is still too large is cut into parts of about the same size, between headings where there are any. */
function cutLong(domain: WorkDomain): WorkDomain[] {
  const total = tasksIn(domain.groups);
  if (total <= MAX_UNCUT_TASKS) return [domain];
  const count = Math.ceil(total / MAX_TASKS);
  const size = Math.ceil(total / count);
  const parts: WorkGroup[][] = [[]];
  let room = size;
  for (const { items, ...group } of domain.groups) {
    for (let at = 0; at < items.length; at += size) {
      const part = { ...group, items: items.slice(at, at + size) };
      const isFull = room <= 0 || (room < size && tasksIn([part]) > room + 1);
      if (isFull && parts.length < count) {
        parts.push([]);
        room = size;
      }
      parts.at(-1)?.push(part);
      room -= tasksIn([part]);
    }
  }
  return parts.map((groups, at): WorkDomain => partOf(domain, groups, at, parts.length));
}

/** Named after its first heading; a part of one long list by its number. */
function partOf(domain: WorkDomain, groups: WorkGroup[], at: number, count: number): WorkDomain {
  const [first] = groups as [WorkGroup];
  if (at === 0 || first.section === domain.section) {
    const number = groups.every(({ section }) => section === domain.section) ? ` (${at + 1} of ${count})` : "";
    return { ...domain, name: domain.name === "" ? `Part ${at + 1} of ${count}` : `${domain.name}${number}`, groups };
  }
  const others = groups.length - 1;
  const own = `${first.name}${others === 0 ? "" : ` and ${others} more`}`;
  // "Requirements" before it says nothing.
  const name = saysLittle(domain.section.title) ? own : `${domain.name}: ${own}`;
  return { section: first.section, name, groups };
}

/** Headings in a row with one task each are one feature, named after the spec or after the first of them. */
function joinSmall(domains: readonly WorkDomain[], index: SpecIndex): WorkDomain[] {
  const isSmall = ({ groups }: WorkDomain): boolean =>
    tasksIn(groups) === 1 && groups.every(({ items }) => items.every(isTask));
  const runs: WorkDomain[][] = [];
  for (const domain of domains) {
    const open = runs.at(-1);
    const last = open?.at(-1);
    const goesOn = last !== undefined && isSmall(last) && isSmall(domain) && (open?.length ?? 0) < MAX_TASKS;
    if (goesOn) open?.push(domain);
    else runs.push([domain]);
  }
  let isNamed = index.title === undefined;
  return runs.map((run) => {
    const [first, ...others] = run as [WorkDomain, ...WorkDomain[]];
    if (others.length === 0) return first;
    const whole = isNamed ? undefined : index.title;
    isNamed = true;
    const named = first.name === "" ? "" : `${first.name} and ${others.length} more`;
    const name = whole === undefined ? named : index.nameOf(whole);
    return { section: whole ?? first.section, name, groups: run.flatMap(({ groups }) => groups) };
  });
}

/** "Detailed explanation" above all of the work says less than the name of the spec. */
function namedAfterSpec(domains: readonly WorkDomain[], index: SpecIndex): WorkDomain[] {
  const title = index.title;
  const isSaid = title === undefined || saysLittle(title.title) || domains.length !== 1;
  return domains.map((domain) =>
    !isSaid && saysLittle(domain.section.title) ? { ...domain, name: index.nameOf(title) } : domain,
  );
}

function featuresOf(domains: readonly WorkDomain[], index: SpecIndex): WorkDomain[] {
  withoutRepeats(domains);
  const filled = domains
    .map((domain) => ({ ...domain, groups: domain.groups.filter(({ items }) => items.length > 0) }))
    .filter(({ groups }) => groups.length > 0);
  const split = withFullTitles(filled, index).flatMap((domain) => splitLarge(domain, index));
  return joinSmall(namedAfterSpec(split, index), index).flatMap(cutLong);
}
