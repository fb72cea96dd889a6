// Reads the work out of a spec, section by section. Every statement ends up in an item, among what is no work, or is done.

import type { Fence, Section, Spec, SpecStatement } from "../spec/spec.js";
import { append } from "./append.js";
import { type DraftCheck, fenceChecks, startsWithTool, toolCommands } from "./commands.js";
import { hasOwnRequirements, proseItem, saysWhatIsDone, statementItem } from "./item.js";
import { Keys } from "./keys.js";
import { roleOfTitle, type SectionRole, titleSection } from "./section-roles.js";
import { headingName, printable, taskTitle, withoutMarks } from "./wording.js";
import { isWithin, itemsOf, type NoWork, quoteOf, type WorkDomain, type WorkGroup, type WorkItem } from "./work.js";

/** More sub-items than this are tasks of their own. */
const FOLDED_ITEMS = 6;
const FOLDED_STATEMENTS = 15;
/** What introduces an item, and the paragraphs of one item, stay below the limit of quotes. */
const PARAGRAPHS = 30;
const IDEA_PARTS = 12;

interface Criteria {
  readonly section: Section;
  /** The section whose items they are about; "" is the whole spec. */
  readonly about: string;
  readonly places: readonly number[];
  readonly checks: readonly DraftCheck[];
}

export class WorkReader {
  readonly domains: WorkDomain[] = [];
  readonly noWork: NoWork[] = [];
  readonly bareHeadings: { readonly section: Section; readonly role: NoWork["role"] }[] = [];
  readonly context = new Map<string, string[]>();
  readonly sharedChecks = new Map<string, DraftCheck[]>();
  readonly #spec: Spec;
  readonly #roles: ReadonlyMap<string, SectionRole>;
  readonly #preambleIsWork: boolean;
  readonly #title: Section | undefined;
  readonly #keys = new Keys();
  readonly #places = new Map<string, number[]>();
  readonly #fences = new Map<string, Fence[]>();
  readonly #below = new Map<number, number[]>();
  readonly #parents = new Set<string>();
  readonly #criteria: Criteria[] = [];
  readonly #byId: ReadonlyMap<string, Section>;
  readonly #domainOf = new Map<Section, WorkDomain>();
  readonly #groupOf = new Map<Section, WorkGroup>();
  /** The last item of each section. */
  readonly #last = new Map<Section, WorkItem>();
  /** Which item a statement went into: a fence after it belongs there too. */
  readonly #owner = new Map<number, WorkItem>();
  /** Paragraphs that wait for the item that they introduce. */
  #waiting: { readonly section: Section; readonly place: number }[] = [];

  constructor(spec: Spec, roles: ReadonlyMap<string, SectionRole>, preambleIsWork: boolean) {
    this.#spec = spec;
    this.#roles = roles;
    this.#preambleIsWork = preambleIsWork;
    this.#title = titleSection(spec);
    this.#byId = new Map(spec.sections.map((section) => [section.id, section]));
    for (const { id } of spec.sections) if (id.includes(".")) this.#parents.add(id.replace(/\.\d+$/, ""));
    for (const fence of spec.fences) append(this.#fences, fence.section, fence);
    for (const [place, { section, parent }] of spec.statements.entries()) {
      if (parent === undefined) append(this.#places, section, place);
      else append(this.#below, parent, place);
    }
  }

  read(): void {
    let top = "";
    for (const section of this.#spec.sections) {
      const domain = this.#topOf(section).id;
      if (domain !== top) this.#settleWaiting();
      top = domain;
      const role = this.#roles.get(section.id) ?? "work";
      if (role === "work") this.#workSection(section);
      else if (role === "testing") this.#testingSection(section);
      else if (role === "acceptance") this.#acceptanceSection(section);
      else this.#leaveOutSection(section, role);
      if (role === "work" || role === "testing") this.#giveFences(section, role);
    }
    this.#settleWaiting();
    this.#addForgottenRequirements();
    for (const criteria of this.#criteria) this.#giveCriteria(criteria);
    this.noWork.sort((a, b) => a.place - b.place);
  }

  #statement(place: number): SpecStatement {
    return this.#spec.statements[place] as SpecStatement;
  }

  #allPlaces(section: Section): number[] {
    return (this.#places.get(section.id) ?? []).flatMap((place) => [place, ...this.#inside(place)]);
  }

  #inside(place: number): number[] {
    return (this.#below.get(place) ?? []).flatMap((child) => [child, ...this.#inside(child)]);
  }

  #leaveOut(place: number, role: Exclude<SectionRole, "work">): void {
    if (!this.#statement(place).done) this.noWork.push({ place, role });
  }

  #leaveOutSection(section: Section, role: NoWork["role"]): void {
    const places = this.#allPlaces(section);
    for (const place of places) this.#leaveOut(place, role);
    if (places.length === 0 && section.requirements.length > 0) this.bareHeadings.push({ section, role });
  }

  #isPreamble(section: Section): boolean {
    return section.level === 0 || section === this.#title;
  }

  #topOf(section: Section): Section {
    const depth = this.#title !== undefined && isWithin(section.id, this.#title.id) ? 2 : 1;
    const id = section.id.split(".").slice(0, depth).join(".");
    return this.#byId.get(id) ?? section;
  }

  #nameOf(section: Section): string {
    return headingName(section.title) || this.#spec.title || "";
  }

  #groupFor(section: Section): WorkGroup {
    const top = this.#topOf(section);
    const depth = top.id.split(".").length + 1;
    const below = this.#byId.get(section.id.split(".").slice(0, depth).join("."));
    const owner = this.#isPreamble(top) ? top : (below ?? top);
    let group = this.#groupOf.get(owner);
    if (group !== undefined) return group;
    let domain = this.#domainOf.get(top);
    if (domain === undefined) {
      domain = { section: top, name: this.#nameOf(top), groups: [] };
      this.domains.push(domain);
      this.#domainOf.set(top, domain);
    }
    group = { section: owner, name: this.#nameOf(owner), items: [] };
    domain.groups.push(group);
    this.#groupOf.set(owner, group);
    return group;
  }

  #add(item: WorkItem, places: readonly number[]): void {
    this.#groupFor(item.section).items.push(item);
    this.#last.set(item.section, item);
    for (const place of places) this.#owner.set(place, item);
    for (const { place } of this.#waiting) item.quotes.push(quoteOf(this.#statement(place).text));
    this.#waiting = [];
  }

  #wait(section: Section, place: number): void {
    const statement = this.#statement(place);
    if (statement.done) return;
    this.#waiting.push({ section, place });
    append(this.context, section.id, printable(statement.text));
    if (this.#waiting.length >= PARAGRAPHS) this.#settleWaiting();
  }

  /** What introduces nothing is an item by itself. */
  #settleWaiting(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const places = this.#waiting.filter(({ section }) => section === first.section).map(({ place }) => place);
    const rest = this.#waiting.filter(({ section }) => section !== first.section);
    this.#waiting = [];
    this.context.delete(first.section.id);
    const kind = this.#roles.get(first.section.id) === "testing" ? "test" : "work";
    this.#addProse(first.section, places, kind);
    this.#waiting = rest;
    this.#settleWaiting();
  }

  #addProse(section: Section, places: readonly number[], kind: WorkItem["kind"]): void {
    for (let from = 0; from < places.length; from += PARAGRAPHS) {
      const chunk = places.slice(from, from + PARAGRAPHS);
      const statements = chunk.map((place) => this.#statement(place));
      const titled = from === 0 && !this.#isPreamble(section) && !this.#last.has(section);
      const item = proseItem(this.#keys, section, statements, { titled, kind });
      // A whole idea in a few words is more than an item of a list.
      if (this.#isPreamble(section)) item.parts = Math.max(item.parts, IDEA_PARTS);
      this.#add(item, chunk);
    }
  }

  #leadRole({ lead }: SpecStatement): SectionRole | undefined {
    return lead === undefined ? undefined : roleOfTitle(this.#statement(lead).text);
  }

  /** A line that leads into a list which is no work belongs to that list. */
  #ownRole({ text, kind }: SpecStatement): SectionRole | undefined {
    return kind === "paragraph" && text.endsWith(":") ? roleOfTitle(text) : undefined;
  }

  #workSection(section: Section): void {
    const places = this.#places.get(section.id) ?? [];
    const isListed = (place: number): boolean => {
      const statement = this.#statement(place);
      return statement.kind === "item" || statement.kind === "row" || hasOwnRequirements(statement, section);
    };
    const prose: number[] = [];
    const base: number[] = [];
    const criteria: number[] = [];
    const hasList = places.some(
      (place) => isListed(place) && (this.#leadRole(this.#statement(place)) ?? "work") === "work",
    );
    for (const place of places) {
      const statement = this.#statement(place);
      const role = this.#leadRole(statement) ?? this.#ownRole(statement) ?? "work";
      if (role === "acceptance" && statement.kind !== "paragraph") criteria.push(place, ...this.#inside(place));
      else if (role !== "work" && (role !== "testing" || statement.kind === "paragraph")) {
        for (const each of [place, ...this.#inside(place)]) this.#leaveOut(each, role);
      } else if (isListed(place)) {
        this.#addBase(section, base.splice(0));
        this.#addListed(section, place);
      } else if (this.#isPreamble(section) && !this.#preambleIsWork) this.#leaveOut(place, "overview");
      else if (hasList && section.level > 0 && !this.#last.has(section) && saysWhatIsDone(statement.text))
        base.push(place);
      else if (hasList) this.#wait(section, place);
      else prose.push(place);
    }
    this.#addBase(section, base);
    if (criteria.length > 0) this.#criteria.push({ section, about: section.id, places: criteria, checks: [] });
    const hasSections = this.#parents.has(section.id);
    if (hasSections) for (const place of prose) this.#wait(section, place);
    else this.#addProse(section, prose, "work");
    const mayBeWork = this.#preambleIsWork ? section.level > 0 : !this.#isPreamble(section);
    if (places.length === 0 && !hasSections && mayBeWork && withoutMarks(section.title) !== "")
      this.#add(proseItem(this.#keys, section, [], { titled: true, kind: "work" }), []);
  }

  /** What a heading is about, above a list of more. */
  #addBase(section: Section, places: readonly number[]): void {
    if (places.length === 0) return;
    const statements = places.slice(0, PARAGRAPHS).map((place) => this.#statement(place));
    const titled = !this.#isPreamble(section) && !this.#last.has(section);
    this.#add(proseItem(this.#keys, section, statements, { titled, kind: "work", isBase: titled }), places);
    this.#addProse(section, places.slice(PARAGRAPHS), "work");
  }

  /** A heading with a requirement id, and nothing below it that asks for anything. */
  #addForgottenRequirements(): void {
    const settled = [
      ...itemsOf(this),
      ...this.noWork.map(({ place }) => this.#statement(place)),
      ...this.#spec.statements.filter(({ done }) => done),
      ...this.bareHeadings.map(({ section }) => section),
    ];
    const known = new Set(settled.flatMap(({ requirements }) => requirements));
    for (const section of this.#spec.sections) {
      const isForgotten = section.requirements.some((id) => !known.has(id)) && this.#roles.get(section.id) === "work";
      if (!isForgotten) continue;
      for (const id of section.requirements) known.add(id);
      this.#add(proseItem(this.#keys, section, [], { titled: true, kind: "work" }), []);
    }
  }

  #addListed(section: Section, place: number): void {
    const statement = this.#statement(place);
    const children = this.#below.get(place) ?? [];
    const openItems = children.filter(
      (child) => this.#statement(child).kind === "item" && !this.#statement(child).done,
    );
    const inside = this.#inside(place);
    const isLarge =
      openItems.length > FOLDED_ITEMS ||
      (inside.length > FOLDED_STATEMENTS && openItems.length > 0) ||
      openItems.some((child) => hasOwnRequirements(this.#statement(child), section));
    if (statement.done || (isLarge && openItems.length > 0)) {
      if (!statement.done) this.#wait(section, place);
      for (const child of children) {
        if (this.#statement(child).kind === "item") this.#addListed(section, child);
        else if (!this.#statement(child).done) this.#wait(section, child);
      }
      return;
    }
    const statements = inside.map((child) => this.#statement(child));
    const chunk = statements.slice(0, FOLDED_STATEMENTS + PARAGRAPHS);
    this.#add(statementItem(this.#spec, this.#keys, section, statement, chunk), [place, ...inside]);
    this.#addProse(section, inside.slice(chunk.length), "work");
  }

  /** Commands become checks of every task; what else it asks for is work. */
  #testingSection(section: Section): void {
    const scope =
      this.#topOf(section) === section || this.#isPreamble(this.#topOf(section)) ? "" : this.#topOf(section).id;
    const places = this.#places.get(section.id) ?? [];
    const hasList = places.some((place) => this.#statement(place).kind !== "paragraph");
    const prose: number[] = [];
    for (const place of places) {
      const statement = this.#statement(place);
      const commands = toolCommands(statement.text);
      const others = statement.text
        .replaceAll(/`[^`]*`/g, "")
        .split(/\s+/)
        .filter((word) => word.length > 3);
      const isCommand = commands.length > 0 && others.length < 8;
      if (isCommand || (statement.kind === "paragraph" && statement.text.endsWith(":"))) {
        if (!statement.done) for (const command of commands) append(this.sharedChecks, scope, command);
        for (const each of [place, ...this.#inside(place)]) this.#leaveOut(each, "testing");
      } else if (statement.kind !== "paragraph") this.#addListed(section, place);
      else if (hasList) this.#wait(section, place);
      else prose.push(place);
    }
    this.#addProse(section, prose, "test");
    for (const fence of this.#fences.get(section.id) ?? []) {
      if (!fence.inItem) for (const check of fenceChecks(fence)) append(this.sharedChecks, scope, check);
    }
  }

  #acceptanceSection(section: Section): void {
    const parent = section.id.includes(".") ? section.id.replace(/\.\d+$/, "") : "";
    const about = parent === this.#title?.id ? "" : parent;
    const places = this.#allPlaces(section);
    const checks = (this.#fences.get(section.id) ?? []).flatMap(fenceChecks);
    this.#criteria.push({ section, about, places, checks });
  }

  #giveFences(section: Section, role: SectionRole): void {
    const last = this.#last.get(section);
    for (const fence of this.#fences.get(section.id) ?? []) {
      const item = this.#owner.get(fence.after ?? -1) ?? last;
      if (item === undefined || (role === "testing" && !fence.inItem)) continue;
      const commands = fenceChecks(fence);
      const checks = commands.filter(({ run }) => startsWithTool(run));
      item.checks.push(...checks);
      item.examples.push(...commands.filter((command) => !checks.includes(command)));
      if (checks.length === 0 || checks.length < commands.length) item.body.push(codeBlock(fence));
    }
  }

  /** Criteria of one item are part of it; those of several are for a reviewer to look at. */
  #giveCriteria({ section, about, places, checks }: Criteria): void {
    const open = places.filter((place) => !this.#statement(place).done);
    const items = itemsOf(this).filter((item) => item.kind !== "review" && isWithin(item.section.id, about));
    const [only] = items;
    if (only === undefined) {
      for (const place of open) this.#leaveOut(place, "acceptance");
      return;
    }
    if (items.length > 1 || open.length > PARAGRAPHS / 2) return this.#addReviews(section, about, open, checks);
    const texts = open.map((place) => this.#statement(place).text);
    only.quotes.push(...texts.map(quoteOf));
    if (texts.length > 0) only.body.push(["Done when:", ...texts.map((text) => `- ${printable(text)}`)].join("\n"));
    only.checks.push(...checks);
    only.parts += Math.ceil(open.length / 3);
  }

  #addReviews(section: Section, about: string, open: readonly number[], checks: readonly DraftCheck[]): void {
    const name = about === "" ? "the whole" : this.#nameOf(this.#byId.get(about) ?? section);
    const title = taskTitle(`Review ${name} against its acceptance criteria`);
    for (let from = 0; from < open.length; from += PARAGRAPHS) {
      const chunk = open.slice(from, from + PARAGRAPHS).map((place) => this.#statement(place));
      const review = proseItem(this.#keys, section, chunk, { titled: false, kind: "review" });
      const body = chunk.map(({ text }) => `- ${printable(text)}`).join("\n");
      this.#add({ ...review, title, body: [body], checks: [...review.checks, ...checks], words: [], about }, []);
    }
  }
}

const codeBlock = ({ language, code }: Fence): string => {
  const shown = printable(code).slice(0, 3_000);
  return `\`\`\`\`${language}\n${shown}\n\`\`\`\``;
};
