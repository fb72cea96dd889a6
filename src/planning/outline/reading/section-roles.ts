// What a section of a spec is for, by its heading, by what stands in it, and by the sections around it.

import { asksForWork, hasOpenMark, isAboutDocument, isOrder, obliges, plainWords } from "../../spec/cues.js";
import { statedRequirements } from "../../spec/requirement-ids.js";
import type { Section, Spec, SpecStatement } from "../../spec/spec.js";
import { append } from "../append.js";
import { type HeadingRole, headingRole, roleOfTitle, type SectionRole } from "./heading-roles.js";
import { tableRole } from "./table-roles.js";
import { isWithin } from "./work.js";

/** The heading that names the whole spec: the first, if no other is of its level or higher. */
export function titleSection({ sections, statements }: Spec): Section | undefined {
  const headings = sections.filter(({ level }) => level > 0);
  const [first] = headings;
  if (first === undefined || first.requirements.length > 0) return undefined;
  const isOnlyTop = headings.every((section) => section === first || section.level > first.level);
  const role = roleOfTitle(first.title);
  if (!isOnlyTop) return role === undefined && isBareName(first, headings, statements) ? first : undefined;
  if (role === undefined) return first;
  // "API requirements" names a whole spec; "Non-goals", or "Requirements" above a list, is a part of one.
  const own = statements.filter(({ section }) => section === first.id);
  if (headings.length < 2 || first.level > 1) return undefined;
  if (own.length === 0) return first;
  const isNaming = role === "work" || role === "overview";
  return isNaming && (/\s/.test(first.title.trim()) || own.every(({ kind }) => kind === "paragraph"))
    ? first
    : undefined;
}

/** "**Project: Time tracker**" above other headings of its kind: it names the whole, and asks for nothing. */
function isBareName(first: Section, headings: readonly Section[], statements: readonly SpecStatement[]): boolean {
  const isEmpty = ({ id }: Section): boolean => !statements.some(({ section }) => section === id);
  const isFirst = statements.every(({ start }) => start > first.start);
  return isFirst && isEmpty(first) && !isOrder(first.title) && headings.slice(1).filter(isEmpty).length === 0;
}

/** The headings that all others are below: the name of the spec, and one that says what kind of document it is. */
export function titleSections(spec: Spec): Section[] {
  const title = titleSection(spec);
  const titles = title === undefined ? [] : [title];
  for (let last = title; last !== undefined; ) {
    const depth = last.id.split(".").length + 1;
    const below: readonly Section[] = spec.sections.filter(({ id }) => id.split(".").length === depth);
    const [only] = below;
    const isEmpty = only !== undefined && !spec.statements.some(({ section }) => section === only.id);
    const holdsMore = only !== undefined && spec.sections.some(({ id }) => id.startsWith(`${only.id}.`));
    last = below.length === 1 && isEmpty && holdsMore ? only : undefined;
    if (last !== undefined) titles.push(last);
  }
  return titles;
}

/** What is below them is never work, whatever it says. */
const CLOSED: ReadonlySet<SectionRole> = new Set(["nonGoals", "future", "done", "examples", "glossary"]);

/** A sentence that obliges is work even there. */
const OPEN_TO_WORK: ReadonlySet<SectionRole> = new Set([
  "overview",
  "goals",
  "users",
  "design",
  "process",
  "discussion",
  "unclear",
]);

export const isOpenToWork = (role: SectionRole): boolean => OPEN_TO_WORK.has(role);

const isListed = ({ kind }: SpecStatement): boolean => kind === "item" || kind === "row";

/** Whether the statements of a section ask for something: orders, obligations, open boxes. */
function asks(statements: readonly SpecStatement[]): boolean {
  const open = statements.filter(({ done, parent }) => !done && parent === undefined);
  const listed = open.filter(isListed);
  if (open.some(({ checkbox, text }) => checkbox || hasOpenMark(text) || obliges(text))) return true;
  const orders = listed.filter(({ text }) => isOrder(text) || asksForWork(text));
  return orders.length > 0 && orders.length >= listed.length / 2;
}

const TERM =
  /^[^:–—]{1,60}(?:\s*[:–—]|\s+-)\s+(?:an?|the|any|one|each)\s|\b(?:is|are) (?:an?|the)\b|\b(?:refers? to|means|stands for|denotes|is short for|is defined as)\b/i;

/** Most of its entries say what a word means. */
function isDictionary(statements: readonly SpecStatement[]): boolean {
  const listed = statements.filter((statement) => statement.kind === "item" && statement.parent === undefined);
  const isEntry = ({ text, checkbox }: SpecStatement): boolean =>
    !checkbox && TERM.test(plainWords(text)) && /^(?:\*\*|__|`|_|\*)/.test(text) && !obliges(text) && !isOrder(text);
  return listed.length >= 2 && listed.filter(isEntry).length >= listed.length * 0.7;
}

function roleOfContent(statements: readonly SpecStatement[]): SectionRole | undefined {
  const rows = statements.filter(({ kind }) => kind === "row");
  const roles = new Set(rows.map(({ columns = [] }) => tableRole(columns)));
  const [only] = roles;
  if (rows.length > 0 && rows.length === statements.filter(isListed).length && roles.size === 1 && only !== undefined) {
    return only;
  }
  if (isDictionary(statements)) return "glossary";
  const isMeta = statements.length > 0 && statements.every(({ text }) => isAboutDocument(text));
  return isMeta ? "document" : undefined;
}

/** Instructions for readers of a project that exists: what its features are is told, not asked for. */
export function isReadme({ sections }: Spec): boolean {
  const titles = sections.map(({ title }) => title.toLowerCase());
  const has = (pattern: RegExp): boolean => titles.some((title) => pattern.test(title));
  return (
    has(/\b(?:install(?:ation|ing)?|getting started|quick ?start|usage|how to use)\b/) &&
    has(/\b(?:roadmap|to-?do|licen[cs]e|contributing)\b/)
  );
}

const TELLS_WHAT_IS =
  /^(?:(?:key|main|core|current) )?features?\b|^what .* (?:does|offers|provides)\b|^highlights\b|^requirements$|^commands?\b|^api\b/i;

/** Notes of a meeting: most of it was said, little of it is to be done. */
const isMeeting = ({ sections, statements }: Spec): boolean =>
  sections.some(({ title }) => /^\W*(?:attendees|participants|agenda|present)\b/i.test(title)) ||
  statements.slice(0, 10).some(({ text }) => /^\W*(?:attendees|participants|present)\b/i.test(text));

const TALK =
  /^\W*(?:(?:meeting |discussion )?(?:notes|minutes|discussion|summary|updates?|topics?|recap|announcements)|open discussion)\b/i;

class Roles {
  readonly #spec: Spec;
  readonly #titles: ReadonlySet<string>;
  readonly #isReadme: boolean;
  readonly #isMeeting: boolean;
  readonly #statements = new Map<string, SpecStatement[]>();
  readonly roles = new Map<string, SectionRole>();
  /** Sections of which a heading says that they are work, their own or one above. */
  readonly sure = new Set<string>();

  constructor(spec: Spec) {
    this.#spec = spec;
    this.#titles = new Set(titleSections(spec).map(({ id }) => id));
    this.#isReadme = isReadme(spec);
    this.#isMeeting = isMeeting(spec);
    for (const statement of spec.statements) append(this.#statements, statement.section, statement);
    for (const section of spec.sections) this.roles.set(section.id, this.#roleOf(section));
  }

  #below({ id }: Section): SpecStatement[] {
    return this.#spec.sections
      .filter((section) => isWithin(section.id, id))
      .flatMap((section) => this.#statements.get(section.id) ?? []);
  }

  #roleOf(section: Section): SectionRole {
    if (this.#titles.has(section.id) || section.level === 0) return "work";
    const parent = section.id.includes(".") ? section.id.replace(/\.\d+$/, "") : "";
    const above = this.#titles.has(parent) ? undefined : this.roles.get(parent);
    if (above !== undefined && CLOSED.has(above)) return above;
    if (this.#isMeeting && TALK.test(section.title)) return "discussion";
    const own = headingRole(section.title);
    if (own?.role === "work") this.sure.add(section.id);
    if (own?.isSure === true) return this.#sureRole(section, own);
    const found = roleOfContent(this.#statements.get(section.id) ?? []);
    if (found !== undefined && own?.role !== "work") return found;
    if (own !== undefined) return this.#unsureRole(section, own, above);
    // A requirement is work wherever it stands, unless the spec itself leaves it out.
    if (statedRequirements(section.title, this.#spec.idPrefixes).length > 0) return "work";
    if (above === undefined || above === "work") {
      if (above === "work" && this.sure.has(parent)) this.sure.add(section.id);
      return "work";
    }
    return above;
  }

  #sureRole(section: Section, { role }: HeadingRole): SectionRole {
    const isTold = this.#isReadme && role === "work" && TELLS_WHAT_IS.test(section.title.replace(/^\W+/u, ""));
    return isTold && !asks(this.#below(section)) ? "overview" : role;
  }

  /** A word that may name anything: below a heading of work, or above what asks for work, it names a feature. */
  #unsureRole(section: Section, { role }: HeadingRole, above: SectionRole | undefined): SectionRole {
    if (role === "overview" || role === "goals" || role === "design") return role;
    const statements = this.#below(section);
    if (above === "work" && role === "references" && statements.length > 0)
      return asks(statements) || statements.some(({ text }) => asksForWork(text)) ? "work" : role;
    if (above === "work") return "work";
    if (role === "process" && this.#isReadme) return role;
    return asks(statements) ? "work" : role;
  }
}

const FEWEST_BOXES = 3;

/** A list of tasks with boxes: what has no box, in a section without any, is about how to read or do it. */
function isChecklist(spec: Spec, roles: ReadonlyMap<string, SectionRole>): boolean {
  const { statements, title = titleSection(spec)?.title ?? "" } = spec;
  if (!/\b(?:tasks?|to-?do|check-?list|plan|roadmap|backlog|milestones?)\b/i.test(title)) return false;
  const listed = statements.filter(
    ({ section, kind, parent }) => kind === "item" && parent === undefined && roles.get(section) === "work",
  );
  const boxes = listed.filter(({ checkbox }) => checkbox);
  return boxes.length >= FEWEST_BOXES && boxes.length >= listed.length * 0.5;
}

function withoutBoxes(spec: Spec, roles: ReadonlyMap<string, SectionRole>): Map<string, SectionRole> {
  if (!isChecklist(spec, roles)) return new Map(roles);
  const boxed = spec.statements.filter(({ checkbox }) => checkbox).map(({ section }) => section);
  const isBoxed = (id: string): boolean => boxed.some((section) => isWithin(section, id));
  return new Map([...roles].map(([id, role]) => [id, role === "work" && !isBoxed(id) ? "process" : role]));
}

export interface SectionRoles {
  readonly isChecklist: boolean;
  readonly roles: ReadonlyMap<string, SectionRole>;
  readonly sure: ReadonlySet<string>;
}

export function sectionRoles(spec: Spec): SectionRoles {
  const { roles, sure } = new Roles(spec);
  return { roles: withoutBoxes(spec, roles), sure, isChecklist: isChecklist(spec, roles) };
}
