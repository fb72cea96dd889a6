// A spec by its sections and its lists: which statements stand in which section, and which stand below which.

import { append } from "../../base/append.js";
import { isOrder, plainWords } from "../spec/cues.js";
import type { Fence, Section, Spec, SpecStatement } from "../spec/spec.js";
import { roleOfTitle } from "./heading-roles.js";
import { headingName } from "./wording.js";
import { isWithin, type WorkDomain, type WorkGroup, type WorkItem } from "./work.js";

/** "Meeting 2026-11-11 – search revamp", "Weekly sync". */
export const NAMES_MEETING =
  /^(?=.*\b(?:meeting|sync|call|stand-?up|retro(?:spective)?|minutes|notes|workshop|1:1)\b)[^.!?]{3,80}$/i;

/** The heading that names the whole spec: the first, if no other is of its level or higher. */
function titleSection({ sections, statements }: Spec): Section | undefined {
  const headings = sections.filter(({ level }) => level > 0);
  const [first] = headings;
  if (first === undefined || first.requirements.length > 0) return undefined;
  const isOnlyTop = headings.every((section) => section === first || section.level > first.level);
  const role = roleOfTitle(first.title);
  if (!isOnlyTop) return role === undefined && isBareName(first, headings, statements) ? first : undefined;
  if (role === undefined || NAMES_MEETING.test(plainWords(first.title))) return first;
  // "API requirements" names a whole spec; "Non-goals", or "Requirements" above a list, is a part of one.
  const own = statements.filter(({ section }) => section === first.id);
  if (own.length === 0) return first;
  const isNaming = role === "work" || role === "overview";
  const isAboveProse = own.every(({ kind }) => kind === "paragraph");
  return isNaming && (/\s/.test(first.title) || isAboveProse) ? first : undefined;
}

/** "**Project: Time tracker**" above other headings of its kind: it names the whole, and asks for nothing. */
function isBareName(first: Section, headings: readonly Section[], statements: readonly SpecStatement[]): boolean {
  const isEmpty = ({ id }: Section): boolean => !statements.some(({ section }) => section === id);
  const isFirst = statements.every(({ start }) => start > first.start);
  return isFirst && isEmpty(first) && !isOrder(first.title) && headings.slice(1).filter(isEmpty).length === 0;
}

/** The headings that all others are below: the name of the spec, and one that says what kind of document it is. */
function titleSections(spec: Spec): Section[] {
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

export class SpecIndex {
  readonly spec: Spec;
  readonly title: Section | undefined;
  readonly #titles: readonly Section[];
  readonly #places = new Map<string, number[]>();
  readonly #fences = new Map<string, Fence[]>();
  readonly #below = new Map<number, number[]>();
  readonly #parents = new Set<string>();
  readonly #byId: ReadonlyMap<string, Section>;

  constructor(spec: Spec) {
    this.spec = spec;
    this.#titles = titleSections(spec);
    this.title = this.#titles[0];
    this.#byId = new Map(spec.sections.map((section) => [section.id, section]));
    for (const { id } of spec.sections) if (id.includes(".")) this.#parents.add(id.replace(/\.\d+$/, ""));
    for (const fence of spec.fences) append(this.#fences, fence.section, fence);
    for (const [place, { section, parent }] of spec.statements.entries()) {
      if (parent === undefined) append(this.#places, section, place);
      else append(this.#below, parent, place);
    }
  }

  statement(place: number): SpecStatement {
    return this.spec.statements[place] as SpecStatement;
  }

  section(id: string): Section | undefined {
    return this.#byId.get(id);
  }

  parentOf({ id }: Section): Section | undefined {
    return id.includes(".") ? this.#byId.get(id.replace(/\.\d+$/, "")) : undefined;
  }

  /** Those of the section itself that are below no item. */
  places({ id }: Section): readonly number[] {
    return this.#places.get(id) ?? [];
  }

  allPlaces(section: Section): number[] {
    return this.places(section).flatMap((place) => [place, ...this.inside(place)]);
  }

  /** All of the section itself, in order. */
  statements(section: Section): SpecStatement[] {
    return this.allPlaces(section).map((place) => this.statement(place));
  }

  children(place: number): readonly number[] {
    return this.#below.get(place) ?? [];
  }

  inside(place: number): number[] {
    return this.children(place).flatMap((child) => [child, ...this.inside(child)]);
  }

  fences({ id }: Section): readonly Fence[] {
    return this.#fences.get(id) ?? [];
  }

  hasSections({ id }: Section): boolean {
    return this.#parents.has(id);
  }

  isTitle(id: string): boolean {
    return this.#titles.some((title) => title.id === id);
  }

  isPreamble({ id, level }: Section): boolean {
    return level === 0 || this.isTitle(id);
  }

  /** The section of the highest level around it, below the one that names the spec. */
  topOf(section: Section): Section {
    const innermost = this.#titles.findLast(({ id }) => isWithin(section.id, id));
    const depth = innermost === undefined ? 1 : innermost.id.split(".").length + 1;
    return this.#byId.get(section.id.split(".").slice(0, depth).join(".")) ?? section;
  }

  nameOf(section: Section): string {
    return headingName(section.title) || this.spec.title || "";
  }

  /** "Data shapes: Product": the name with that of the heading above. */
  fullName(section: Section): string {
    const above = this.parentOf(section);
    // "Requirements" above says nothing.
    const isBelow = above !== undefined && !this.isPreamble(above) && roleOfTitle(above.title) === undefined;
    return isBelow ? `${this.nameOf(above)}: ${this.nameOf(section)}` : this.nameOf(section);
  }
}

/** The items below each heading, and those headings below the highest ones. */
export function groupItems(index: SpecIndex, items: readonly WorkItem[]): WorkDomain[] {
  const groups = new Map<Section, WorkGroup>();
  const domains = new Map<Section, WorkDomain>();
  for (const item of items) {
    const top = index.topOf(item.section);
    const below = index.section(
      item.section.id
        .split(".")
        .slice(0, top.id.split(".").length + 1)
        .join("."),
    );
    const owner = index.isPreamble(top) ? top : (below ?? top);
    const domain = domains.get(top) ?? { section: top, name: index.nameOf(top), groups: [] };
    const group = groups.get(owner) ?? { section: owner, name: index.nameOf(owner), items: [] };
    if (!groups.has(owner)) domain.groups.push(group);
    group.items.push(item);
    domains.set(top, domain);
    groups.set(owner, group);
  }
  return [...domains.values()];
}
