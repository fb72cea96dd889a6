// What a section of a spec is for, by its heading, by what stands in it, and by the sections around it.

import {
  asksForWork,
  hasOpenMark,
  isOpenQuestion,
  isOrder,
  obliges,
  plainWords,
  tellsBehaviour,
} from "../spec/cues.js";
import type { Section, Spec, SpecStatement } from "../spec/spec.js";
import {
  declaresWork,
  type HeadingRole,
  headingRole,
  isDesignTitle,
  isPhaseTitle,
  type SectionRole,
} from "./heading-roles.js";
import type { SpecIndex } from "./spec-index.js";
import { isWithin } from "./work.js";

/** What is below them is never work, whatever it says. */
export const CLOSED: ReadonlySet<SectionRole> = new Set(["nonGoals", "future", "done", "examples", "glossary"]);

/** A sentence that obliges is work even there. */
export const OPEN_TO_WORK: ReadonlySet<SectionRole> = new Set([
  "overview",
  "goals",
  "users",
  "design",
  "process",
  "notes",
  "discussion",
  "unclear",
]);

const isListed = ({ kind }: SpecStatement): boolean => kind === "item" || kind === "row";

const openOf = (statements: readonly SpecStatement[]): SpecStatement[] =>
  statements.filter(({ done, parent }) => !done && parent === undefined);

/** Most entries of its lists are orders. */
function orders(statements: readonly SpecStatement[]): boolean {
  const listed = openOf(statements).filter(isListed);
  const asking = listed.filter(({ text, checkbox }) => checkbox || isOrder(text) || asksForWork(text));
  return asking.length > 0 && asking.length >= listed.length / 2;
}

/** Whether the statements of a section ask for something: orders, obligations, open boxes. */
const asks = (statements: readonly SpecStatement[]): boolean =>
  openOf(statements).some(({ checkbox, text }) => checkbox || hasOpenMark(text) || obliges(text)) || orders(statements);

const TERM =
  /^[^:–—]{1,60}(?:\s*[:–—]|\s+-)\s+(?:an?|the|any|one|each)\s|\b(?:is|are) (?:an?|the)\b|\b(?:refers? to|means|stands for|denotes|is short for|is defined as)\b/i;

/** Most of its entries say what a word means. */
function isDictionary(statements: readonly SpecStatement[]): boolean {
  const listed = statements.filter((statement) => statement.kind === "item" && statement.parent === undefined);
  const isEntry = ({ text, checkbox }: SpecStatement): boolean =>
    !checkbox && TERM.test(plainWords(text)) && /^(?:\*\*|__|`|_|\*)/.test(text) && !obliges(text) && !isOrder(text);
  return listed.length >= 2 && listed.filter(isEntry).length >= listed.length * 0.7;
}

/** Instructions for readers of a project that exists: what its features are is told, not asked for. */
function isReadme({ sections }: Spec): boolean {
  const titles = sections.map(({ title }) => title.toLowerCase());
  const has = (pattern: RegExp): boolean => titles.some((title) => pattern.test(title));
  return (
    has(/^\W*(?:how to )?(?:install(?:ation|ing)?|getting started|quick ?start|usage|use)\b/u) &&
    has(/\b(?:licen[cs]e|contributing)\b/)
  );
}

const TELLS_WHAT_IS =
  /^(?:(?:key|main|core|current) )?features?\b|^what .* (?:does|offers|provides)\b|^highlights\b|^requirements$|^commands?\b|^api\b/i;

/** Notes of a meeting: most of it was said, little of it is to be done. */
const isMeeting = ({ sections, statements }: Spec): boolean =>
  sections.some(({ title }) => /^\W*(?:(?:attendees|participants|present|attendance)\W*$|agenda\b)/i.test(title)) ||
  statements.slice(0, 10).some(({ text }) => /^\W*(?:attendees|participants|present)\b/i.test(text));

const TALK =
  /^\W*(?:(?:meeting |discussion )?(?:notes|minutes|discussion|summary|updates?|topics?|recap|announcements|agenda)|open discussion)\b/i;

/** Headings of prose that says what the whole is, where the work itself is listed elsewhere. */
const WHOLE =
  /^[^\w.]*(?:[\d.]+\s+)?\W{0,20}(?:the |our |proposed )?(?:solution|proposal|product|idea)(?: overview| summary)?\W*$/i;

class Roles {
  readonly #index: SpecIndex;
  readonly isReadme: boolean;
  readonly #isMeeting: boolean;
  readonly #hasListedWork: boolean;
  /** Sections that are about how people work, by their own words: nothing below them is work. */
  readonly closed = new Set<string>();
  readonly roles = new Map<string, SectionRole>();
  /** Sections of which a heading says that they are work, their own or one above. */
  readonly sure = new Set<string>();

  constructor(index: SpecIndex) {
    this.#index = index;
    this.isReadme = isReadme(index.spec);
    this.#isMeeting = isMeeting(index.spec);
    this.#hasListedWork = index.spec.sections.some(
      (section) => headingRole(section.title)?.role === "work" && this.#below(section).some(isListed),
    );
    for (const section of index.spec.sections) this.roles.set(section.id, this.#roleOf(section));
  }

  #below({ id }: Section): SpecStatement[] {
    const sections = this.#index.spec.sections.filter((section) => isWithin(section.id, id));
    return sections.flatMap((section) => this.#index.statements(section));
  }

  #roleOf(section: Section): SectionRole {
    if (this.#index.isPreamble(section)) return "work";
    const parent = this.#index.parentOf(section)?.id ?? "";
    const above = this.#index.isTitle(parent) ? undefined : this.roles.get(parent);
    const own = headingRole(section.title);
    if (above !== undefined && this.#isFixed(section, parent, above, own)) return above;
    if (this.#isMeeting && (TALK.test(section.title) || (above === "discussion" && own === undefined)))
      return "discussion";
    if (own?.role === "work") this.sure.add(section.id);
    if (own?.isSure === true) return this.#sureRole(section, own);
    const isAsked = own?.role === "work" || own?.role === "overview";
    if (!isAsked && isDictionary(this.#index.statements(section))) return "glossary";
    if (own !== undefined) return this.#unsureRole(section, own, above);
    if (above === "process" && isPhaseTitle(section.title) && this.#below(section).some(isListed)) return "work";
    if (above !== undefined && above !== "work") return above;
    if (above === "work" && this.sure.has(parent)) this.sure.add(section.id);
    return "work";
  }

  /** What the heading above says holds here too, whatever this one says. */
  #isFixed({ id }: Section, parent: string, above: SectionRole, own: HeadingRole | undefined): boolean {
    if (CLOSED.has(above)) return true;
    if (this.closed.has(parent)) {
      this.closed.add(id);
      return true;
    }
    // "Functional", below "Acceptance criteria", names a kind of criteria.
    return above === "acceptance" && (own?.role === "work" || own?.isSure !== true);
  }

  #sureRole(section: Section, { role }: HeadingRole): SectionRole {
    const statements = this.#below(section);
    if (role === "process") this.closed.add(section.id);
    // Whoever ticks off an example builds it.
    if (role === "examples" && statements.some(({ checkbox }) => checkbox)) return "work";
    const own = this.#index.statements(section);
    const isWhole = role === "work" && this.#hasListedWork && WHOLE.test(section.title);
    if (isWhole && own.length > 0 && own.every((each) => !isListed(each) && !obliges(each.text) && !isOrder(each.text)))
      return "overview";
    const isTold = this.isReadme && role === "work" && TELLS_WHAT_IS.test(section.title.replace(/^\W+/u, ""));
    return isTold && !asks(statements) ? "overview" : role;
  }

  /** A word that may name anything: below a heading of work, or above what asks for work, it names a feature. */
  #unsureRole(section: Section, { role }: HeadingRole, above: SectionRole | undefined): SectionRole {
    const statements = this.#below(section);
    if (role === "design" || role === "overview" || role === "goals") return role;
    if (role === "questions")
      return statements.some(({ text }) => isOpenQuestion(text)) || !orders(statements) ? role : "work";
    if (role === "constraints" || role === "references" || role === "notes") return orders(statements) ? "work" : role;
    if (above === "work") return "work";
    if (role === "process" && this.isReadme) return role;
    return asks(statements) ? "work" : role;
  }
}

const MIN_BOXES = 3;

/** A list of tasks with boxes: what has no box, in a section without any, is about how to read or do it. */
function isChecklist({ spec, title }: SpecIndex, roles: ReadonlyMap<string, SectionRole>): boolean {
  const name = spec.title ?? title?.title ?? "";
  if (!/\b(?:tasks?|to-?do|check-?list|plan|roadmap|backlog|milestones?)\b/i.test(name)) return false;
  const listed = spec.statements.filter(
    ({ section, kind, parent }) => kind === "item" && parent === undefined && roles.get(section) === "work",
  );
  const boxes = listed.filter(({ checkbox }) => checkbox);
  return boxes.length >= MIN_BOXES && boxes.length >= listed.length * 0.5;
}

/** A design says under one heading what is to be done. Its other sections are work only if they ask for some: where most of
 *  their statements tell how things are, or how a part looks, they explain it. */
function explanations(index: SpecIndex, { roles, sure }: Pick<Roles, "roles" | "sure">): string[] {
  const { sections } = index.spec;
  const asksIn = (section: Section): boolean =>
    index.statements(section).some(({ text }) => isOrder(text) || obliges(text));
  const declaring = sections.filter(({ id, title }) => roles.get(id) === "work" && declaresWork(title));
  const isDeclared = ({ id }: Section): boolean => declaring.some((section) => isWithin(id, section.id));
  if (!sections.some((section) => isDeclared(section) && asksIn(section))) return [];
  const explains = (section: Section): boolean => {
    const own = openOf(index.statements(section));
    const isAsked = own.some(
      ({ text, checkbox, requirements }) => checkbox || requirements.length > 0 || obliges(text) || isOrder(text),
    );
    const telling = own.filter(({ text }) => tellsBehaviour(text)).length;
    return own.length > 0 && !isAsked && (isDesignTitle(section.title) || telling <= own.length / 2);
  };
  return sections
    .filter((section) => section.level > 0 && roles.get(section.id) === "work" && !sure.has(section.id))
    .filter((section) => !isDeclared(section) && explains(section))
    .map(({ id }) => id);
}

export type SectionRoles = ReturnType<typeof sectionRoles>;

export function sectionRoles(index: SpecIndex) {
  const { roles, sure, closed, isReadme } = new Roles(index);
  const isOfBoxes = isChecklist(index, roles);
  const boxed = index.spec.statements.filter(({ checkbox }) => checkbox).map(({ section }) => section);
  for (const [id, role] of isOfBoxes ? roles : []) {
    if (role === "work" && !boxed.some((section) => isWithin(section, id))) roles.set(id, "process");
  }
  for (const id of explanations(index, { roles, sure })) roles.set(id, "design");
  return { roles, sure, closed, isReadme, isChecklist: isOfBoxes };
}
