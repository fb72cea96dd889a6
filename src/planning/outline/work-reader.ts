// Reads the work out of a spec, section by section. Every statement ends up in an item, among what is no work, or is done.

import { append } from "../../base/append.js";
import { isOpenObligation, isOrder, isSmallChange, obliges, tellsBehaviour } from "../spec/cues.js";
import type { Section, Spec } from "../spec/spec.js";
import { type DraftCheck, fenceChecks, isCommandLine, toolCommands } from "./commands.js";
import {
  type Criteria,
  CriteriaBook,
  giveFences,
  giveRelations,
  isRelation,
  type LeftFence,
  together,
} from "./criteria.js";
import { isQualityTitle, type SectionRole } from "./heading-roles.js";
import { extendItem, ItemMaker, saysWhatIsDone } from "./item.js";
import {
  FOLDED_STATEMENTS,
  isDescribed,
  isOneThing,
  isPlanStep,
  isSplit,
  MAX_PARAGRAPHS,
  wholeLists,
} from "./lists.js";
import type { SpecIndex } from "./spec-index.js";
import { groupItems } from "./spec-index.js";
import { type SpecReading, type StatementRole, StatementRoles } from "./statement-roles.js";
import { printable, withoutMarks } from "./wording.js";
import { itemsOf, type NoWork, quoteOf, type WorkDomain, type WorkItem } from "./work.js";

const IDEA_PARTS = 12;
const BOLD_LINE = 7;

export class WorkReader {
  /** In the order of the text, once all is read. */
  readonly noWork: NoWork[] = [];
  /** Fenced blocks that are no work. */
  readonly leftFences: LeftFence[] = [];
  /** Statements that are work and leave a part of it open. */
  readonly openWork: number[] = [];
  /** Headings with requirement ids and nothing below them, in sections that are no work. */
  readonly bareHeadings: { readonly section: Section; readonly role: NoWork["role"] }[] = [];
  /** What introduces the items of a section, by its id. */
  readonly context = new Map<string, string[]>();
  /** Commands that check everything below a section, by its id; "" is the whole spec. */
  readonly sharedChecks = new Map<string, DraftCheck[]>();
  readonly #index: SpecIndex;
  readonly #spec: Spec;
  readonly #reading: SpecReading;
  readonly #roleOf: StatementRoles;
  readonly #make: ItemMaker;
  readonly #criteria: Criteria[] = [];
  readonly #items: WorkItem[] = [];
  /** Sections with work in sections below them. */
  readonly #aboveWork = new Set<string>();
  /** The last item of each section. */
  readonly #last = new Map<Section, WorkItem>();
  /** Which item a statement went into: a fence after it belongs there too. */
  readonly #owner = new Map<number, WorkItem>();
  readonly #relations: number[] = [];
  /** Paragraphs that wait for the item that they introduce. */
  #waiting: { readonly section: Section; readonly place: number }[] = [];

  constructor(index: SpecIndex, reading: SpecReading) {
    this.#index = index;
    this.#spec = index.spec;
    this.#make = new ItemMaker(index.spec);
    this.#reading = reading;
    this.#roleOf = new StatementRoles(index, reading);
    for (const [id, role] of reading.roles) {
      if (role !== "work") continue;
      for (let dot = id.lastIndexOf("."); dot > 0; dot = id.lastIndexOf(".", dot - 1))
        this.#aboveWork.add(id.slice(0, dot));
    }
  }

  get domains(): WorkDomain[] {
    return groupItems(this.#index, this.#items);
  }

  read(): void {
    let top = "";
    for (const section of this.#spec.sections) {
      const domain = this.#index.topOf(section).id;
      if (domain !== top) this.#settleWaiting();
      top = domain;
      const role = this.#reading.roles.get(section.id) ?? "work";
      if (role === "testing") this.#testingSection(section);
      else if (role === "acceptance") this.#acceptanceSection(section);
      else this.#section(section, role);
      this.#fencesOf(section, role);
    }
    this.#settleWaiting();
    this.#addForgottenRequirements();
    for (const place of giveRelations(this.#index, itemsOf(this), this.#relations)) this.#leaveOut(place, "process");
    const items = itemsOf(this).filter(({ kind }) => kind !== "review" && kind !== "gate");
    const book = new CriteriaBook(this.#index, this.#make, items);
    for (const criteria of together(this.#criteria)) {
      if (items.length > 0) for (const review of book.give(criteria)) this.#add(review, []);
      else for (const place of criteria.places) this.#leaveOut(place, "acceptance");
    }
    this.noWork.sort((a, b) => a.place - b.place);
  }

  /** What a fenced block shows that belongs to no item is not understood, except where people read to learn. */
  #fencesOf(section: Section, role: SectionRole): void {
    const rest = this.#reading.isReadme || this.#reading.isChecklist ? "examples" : "unclear";
    const fences = this.#index.fences(section).filter(({ text }) => text !== "");
    const left = giveFences(fences, role, this.#owner, this.#last.get(section));
    for (const { fence, role: own } of left) this.leftFences.push({ fence, role: own === "work" ? rest : own });
  }

  #leaveOut(place: number, role: StatementRole): void {
    const { done } = this.#index.statement(place);
    this.noWork.push({ place, role: done ? "done" : role === "work" || role === "gate" ? "unclear" : role });
  }

  #leaveOutAll(place: number, role: StatementRole): void {
    for (const each of [place, ...this.#index.inside(place)]) this.#leaveOut(each, role);
  }

  #add(item: WorkItem, places: readonly number[]): void {
    this.#items.push(item);
    this.#last.set(item.section, item);
    for (const place of places) this.#own(item, place);
    for (const { place } of this.#waiting) item.quotes.push(quoteOf(this.#index.statement(place).text));
    this.#waiting = [];
  }

  #own(item: WorkItem, place: number): void {
    this.#owner.set(place, item);
    if (isOpenObligation(this.#index.statement(place).text)) this.openWork.push(place);
  }

  #wait(section: Section, place: number): void {
    this.#waiting.push({ section, place });
    append(this.context, section.id, printable(this.#index.statement(place).text));
    if (this.#waiting.length >= MAX_PARAGRAPHS) this.#settleWaiting();
  }

  /** What introduces nothing belongs to the item before it; without one it is an item by itself, if it asks for work. */
  #settleWaiting(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const places = this.#waiting.filter(({ section }) => section === first.section).map(({ place }) => place);
    const rest = this.#waiting.filter(({ section }) => section !== first.section);
    this.#waiting = [];
    this.context.delete(first.section.id);
    const last = this.#last.get(first.section);
    const texts = places.map((place) => this.#index.statement(place).text);
    if (
      last !== undefined &&
      (this.#reading.isChecklist || !texts.some(obliges)) &&
      last.quotes.length + texts.length < MAX_PARAGRAPHS
    ) {
      last.quotes.push(...texts.map(quoteOf));
      last.body.push(...texts.map(printable));
    } else this.#addProse(first.section, places, "work");
    this.#waiting = rest;
    this.#settleWaiting();
  }

  /** Prose of which nothing asks for anything is not understood. */
  #addProse(section: Section, places: readonly number[], kind: WorkItem["kind"]): void {
    const asks = (place: number): boolean => {
      const { text, requirements } = this.#index.statement(place);
      return requirements.length > 0 || tellsBehaviour(text);
    };
    const isTold = this.#reading.sure.has(section.id) || places.some(asks);
    if (!isTold && !this.#reading.takesProse && kind === "work") {
      for (const place of places) this.#leaveOut(place, "unclear");
      return;
    }
    for (let from = 0; from < places.length; from += MAX_PARAGRAPHS) {
      const chunk = places.slice(from, from + MAX_PARAGRAPHS);
      const statements = chunk.map((place) => this.#index.statement(place));
      const titled = from === 0 && !this.#index.isPreamble(section) && !this.#last.has(section);
      const item = this.#make.fromProse(section, statements, { titled, kind });
      // A whole idea in a few words is more than an item of a list.
      if (this.#index.isPreamble(section) && this.#roleOf.isAlone(section))
        item.parts = Math.max(item.parts, isSmallChange(item.title) ? 0 : IDEA_PARTS);
      this.#add(item, chunk);
    }
  }

  #section(section: Section, role: SectionRole): void {
    const all = this.#index.places(section);
    const places = all.filter((place) => !isRelation(this.#index, place));
    this.#relations.push(...all.filter((place) => !places.includes(place)));
    const roles = new Map(places.map((place) => [place, this.#roleOf.inSection(section, place)]));
    const isWork = (place: number): boolean => roles.get(place) === "work";
    const listed = places.filter((place) => isWork(place) && this.#roleOf.isListed(place, section));
    const prose: number[] = [];
    const base: number[] = [];
    const criteria: number[] = [];
    const whole = wholeLists(this.#index, section, listed);
    const isOne =
      isOneThing(this.#index, section, listed) ||
      isPlanStep(this.#index, section, listed) ||
      isDescribed(this.#index, section, listed, whole);
    if (isOne) whole.clear();
    // The paragraph that names the last item: its other sentences are about that item.
    let head: { block: number | undefined; item: WorkItem | undefined } | undefined;
    for (const place of places) {
      const statement = this.#index.statement(place);
      const list = whole.get(place);
      if (list !== undefined) {
        if (list[0] === place) this.#addList(section, list);
      } else if (isOne && isWork(place))
        prose.push(place, ...this.#index.inside(place).filter((child) => this.#staysInside(child)));
      else if (roles.get(place) === "acceptance" && (statement.kind !== "paragraph" || statement.text.endsWith(":"))) {
        criteria.push(place, ...this.#index.inside(place));
      } else if (roles.get(place) === "gate") this.#addGate(section, place);
      else if (statement.done) this.#addListed(section, place);
      else if (roles.get(place) === "discussion") this.#addTalk(section, place);
      else if (!isWork(place)) this.#leaveOutAll(place, roles.get(place) as StatementRole);
      else if (this.#roleOf.isListed(place, section)) {
        this.#addBase(section, base.splice(0));
        this.#addListed(section, place);
        head = { block: statement.block, item: this.#owner.get(place) };
      } else if (head?.item !== undefined && statement.block !== undefined && head.block === statement.block) {
        extendItem(head.item, statement);
        this.#own(head.item, place);
      } else if (role !== "work" || (this.#index.isPreamble(section) && !this.#reading.takesProse))
        this.#addProse(section, [place], "work");
      else if (listed.length > 0 && this.#isBase(section, statement.text)) base.push(place);
      else if (listed.length > 0) this.#wait(section, place);
      else prose.push(place);
    }
    this.#addBase(section, base);
    if (criteria.length > 0) this.#criteria.push({ section, about: section.id, places: criteria, checks: [] });
    this.#proseOf(section, prose);
    this.#bareHeading(section, role);
  }

  #isBase(section: Section, text: string): boolean {
    return section.level > 0 && !this.#last.has(section) && !this.#reading.isChecklist && saysWhatIsDone(text);
  }

  /** Prose above other sections introduces the first of them, unless it asks for something itself. */
  #proseOf(section: Section, prose: readonly number[]): void {
    const asks = (place: number): boolean => {
      const { text } = this.#index.statement(place);
      return !this.#reading.isChecklist && (isOrder(text) || obliges(text));
    };
    const isIntroduction = this.#aboveWork.has(section.id) && !prose.some(asks);
    if (isIntroduction) for (const place of prose) this.#wait(section, place);
    else this.#addProse(section, prose, "work");
  }

  /** A heading alone asks for what it names. */
  #bareHeading(section: Section, role: SectionRole): void {
    if (this.#index.places(section).length > 0) return;
    if (role !== "work") {
      if (section.requirements.length > 0 && role !== "unclear") this.bareHeadings.push({ section, role });
      return;
    }
    const hasPicture = /!\[[^\][]*\]\(/.test(this.#spec.text.slice(section.start, section.end));
    const isName = withoutMarks(section.title) !== "" && this.#index.fences(section).length === 0 && !hasPicture;
    // A bold line with nothing below it is the rest of a template.
    const isHeading = section.level > 0 && section.level < BOLD_LINE;
    const mayBeWork = this.#reading.takesProse ? section.level > 0 : isHeading && !this.#index.isPreamble(section);
    if (!this.#index.hasSections(section) && mayBeWork && isName)
      this.#add(this.#make.fromProse(section, [], { titled: true }), []);
  }

  #addList(section: Section, places: readonly number[]): void {
    const first = this.#index.statement(places[0] as number);
    const all = places.flatMap((place) => [place, ...this.#index.inside(place)]);
    const isQuality = section.path.slice(0, -1).some(isQualityTitle);
    const lead = first.lead === undefined ? undefined : this.#index.statement(first.lead).text.replace(/:$/, "");
    const title = (this.#last.has(section) ? lead : undefined) ?? (this.#index.fullName(section) || first.text);
    for (let from = 0; from < all.length; from += MAX_PARAGRAPHS) {
      const chunk = all.slice(from, from + MAX_PARAGRAPHS);
      const statements = chunk.map((place) => this.#index.statement(place));
      this.#add(this.#make.fromList(section, title, statements, isQuality), chunk);
    }
  }

  /** What a heading is about, above a list of more. */
  #addBase(section: Section, places: readonly number[]): void {
    if (places.length === 0) return;
    const statements = places.slice(0, MAX_PARAGRAPHS).map((place) => this.#index.statement(place));
    const titled = !this.#index.isPreamble(section) && !this.#last.has(section);
    this.#add(this.#make.fromProse(section, statements, { titled, isBase: titled }), places);
    this.#addProse(section, places.slice(MAX_PARAGRAPHS), "work");
  }

  /** A heading with a requirement id, and nothing below it that asks for anything. */
  #addForgottenRequirements(): void {
    const settled = [
      ...itemsOf(this),
      ...this.noWork.map(({ place }) => this.#index.statement(place)),
      ...this.bareHeadings.map(({ section }) => section),
    ];
    const known = new Set(settled.flatMap(({ requirements }) => requirements));
    for (const section of this.#spec.sections) {
      const role = this.#reading.roles.get(section.id);
      // Tests and criteria are read for the work that they belong to: a heading alone belongs to none.
      const isRead = role === "testing" || role === "acceptance";
      const mayAsk = role === "work" || (isRead && this.#index.allPlaces(section).length === 0);
      if (!mayAsk || section.requirements.every((id) => known.has(id))) continue;
      for (const id of section.requirements) known.add(id);
      this.#add(this.#make.fromProse(section, [], { titled: true }), []);
    }
  }

  #addGate(section: Section, place: number): void {
    const inside = this.#index.inside(place).filter((child) => !this.#index.statement(child).done);
    const statements = inside.slice(0, MAX_PARAGRAPHS).map((child) => this.#index.statement(child));
    this.#add(this.#make.gate(section, this.#index.statement(place), statements), [place, ...inside]);
  }

  #addListed(section: Section, place: number): void {
    const statement = this.#index.statement(place);
    const children = this.#index.children(place);
    const openItems = children.filter((child) => {
      const { kind, done } = this.#index.statement(child);
      return kind === "item" && !done;
    });
    if (statement.done || isSplit(this.#index, section, openItems, place)) {
      if (statement.done) this.#leaveOut(place, "done");
      else this.#wait(section, place);
      for (const child of children) this.#addChild(section, child);
      return;
    }
    const inside = this.#index.inside(place).filter((child) => this.#staysInside(child));
    const chunk = inside.slice(0, FOLDED_STATEMENTS + MAX_PARAGRAPHS).map((child) => this.#index.statement(child));
    this.#add(this.#make.fromStatement(section, statement, chunk), [place, ...inside]);
    this.#addProse(section, inside.slice(chunk.length), "work");
  }

  /** A sub-item may be no work by its own words: it is left out, with its reason. */
  #staysInside(child: number): boolean {
    const role = this.#roleOf.of(child);
    const isOther = role === "done" || role === "future" || role === "nonGoals" || role === "questions";
    if (isOther) this.#leaveOut(child, role);
    return !isOther;
  }

  /** What was said is no work; what somebody is to do, below it, may be. */
  #addTalk(section: Section, place: number): void {
    this.#leaveOut(place, "discussion");
    for (const child of this.#index.children(place)) this.#addChild(section, child);
  }

  #addChild(section: Section, child: number): void {
    const role = this.#roleOf.of(child);
    if (role === "discussion") this.#addTalk(section, child);
    else if (this.#index.statement(child).done) this.#addListed(section, child);
    else if (role === "gate") this.#addGate(section, child);
    else if (role !== "work") this.#leaveOutAll(child, role);
    else if (this.#index.statement(child).kind === "item") this.#addListed(section, child);
    else this.#wait(section, child);
  }

  /** Commands become checks of every task; what else it asks for is work. */
  #testingSection(section: Section): void {
    const top = this.#index.topOf(section);
    const scope = top === section || this.#index.isPreamble(top) ? "" : top.id;
    const places = this.#index.places(section);
    const hasList = places.some((place) => this.#index.statement(place).kind !== "paragraph");
    const prose: number[] = [];
    for (const place of places) {
      const statement = this.#index.statement(place);
      const role = this.#roleOf.of(place);
      const commands = toolCommands(statement.text);
      if (role === "questions" || role === "future") this.#leaveOutAll(place, role);
      else if (role === "gate") this.#addGate(section, place);
      else if (isCommandLine(statement.text) || (statement.kind === "paragraph" && statement.text.endsWith(":"))) {
        if (!statement.done) for (const command of commands) append(this.sharedChecks, scope, command);
        this.#leaveOutAll(place, "testing");
      } else if (statement.kind === "item" || statement.kind === "row") this.#addListed(section, place);
      else if (hasList) this.#wait(section, place);
      else prose.push(place);
    }
    this.#addProse(section, prose, "test");
    for (const fence of this.#index.fences(section)) {
      if (!fence.inItem) for (const check of fenceChecks(fence)) append(this.sharedChecks, scope, check);
    }
  }

  #acceptanceSection(section: Section): void {
    let above = this.#index.parentOf(section);
    while (above !== undefined && this.#reading.roles.get(above.id) === "acceptance")
      above = this.#index.parentOf(above);
    const about = above === undefined || this.#index.isPreamble(above) ? "" : above.id;
    const places: number[] = [];
    for (const place of this.#index.allPlaces(section)) {
      const role = this.#roleOf.of(place);
      if (role === "done" || role === "questions" || role === "future" || role === "document")
        this.#leaveOut(place, role);
      else places.push(place);
    }
    const checks = this.#index.fences(section).flatMap(fenceChecks);
    this.#criteria.push({ section, about, places, checks });
  }
}
