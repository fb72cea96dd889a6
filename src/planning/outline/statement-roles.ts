// What one statement is: work, an answer that is missing, something that a person has to bring, or no work and why.
// Its own words count first, then the line that leads into its list, then its section.

import { append } from "../../base/append.js";
import {
  asksForWork,
  asksReader,
  describesText,
  explainsKeyWords,
  isAboutDocument,
  isActionItem,
  isAnswered,
  isDuty,
  isGate,
  isLeftForLater,
  isMeetingNote,
  isNothing,
  isOpenObligation,
  isOpenQuestion,
  isOrder,
  obliges,
  ordersSomething,
  plainWords,
  saysNextMeeting,
  saysNothingNew,
} from "../spec/cues.js";
import type { Section, Spec, SpecStatement } from "../spec/spec.js";
import { headingRole, roleOfTitle, type SectionRole } from "./heading-roles.js";
import { hasOwnRequirements } from "./item.js";
import { CLOSED, OPEN_TO_WORK, type SectionRoles } from "./section-roles.js";
import { NAMES_MEETING, type SpecIndex } from "./spec-index.js";
import { isCalculation, isComparison, isDroppedRow, tableRole } from "./table-roles.js";

export type StatementRole = SectionRole | "gate";

/** Sections in which a question is asked for effect, or was answered. */
const TELLS = new Set<SectionRole>([...CLOSED, "motivation", "references", "metrics", "document"]);

export interface SpecReading extends SectionRoles {
  /** Also prose that asks for nothing is work: there is nothing else. */
  readonly takesProse: boolean;
}

export class StatementRoles {
  readonly #index: SpecIndex;
  readonly #spec: Spec;
  readonly #reading: SpecReading;
  readonly #footer: number;
  /** Places of what is said about the document before it begins. */
  readonly #about: ReadonlySet<number>;
  /** Roles of rows by what their table is. */
  readonly #rows: ReadonlyMap<SpecStatement, SectionRole>;
  readonly #named = new Map<Section, ReadonlySet<number>>();

  constructor(index: SpecIndex, reading: SpecReading) {
    this.#index = index;
    this.#spec = index.spec;
    this.#reading = reading;
    this.#footer = footerOf(index.spec);
    this.#rows = rowRoles(index.spec);
    this.#about = new Set(this.#head());
  }

  /** "Version: 1.0", and the lines of the same kind around it; in notes also the line that names the meeting. */
  #head(): number[] {
    const { statements } = this.#spec;
    const places = [...statements.keys()].filter(
      (place) => this.#isPreamble(place) && !this.#index.statement(place).checkbox,
    );
    const about = places.filter((place) => isAboutDocument(statements[place]?.text ?? ""));
    const isEntry = (place: number): boolean => {
      const text = statements[place]?.text ?? "";
      const isBold = /^(?:\*\*|__)[^*:\n]{2,40}:?(?:\*\*|__):?\s/.test(text);
      return (
        /^\p{Lu}[\p{L}\p{N} ()/-]{1,40}:\s/u.test(plainWords(text)) &&
        !obliges(text) &&
        (isBold || !ordersSomething(text))
      );
    };
    const isLike = (place: number, other: number): boolean =>
      Math.abs(other - place) < 6 && statements[place]?.kind === statements[other]?.kind;
    const near = places.filter((place) => isEntry(place) && about.some((other) => isLike(place, other)));
    const [first] = statements;
    const isName = first?.section === "0" && NAMES_MEETING.test(plainWords(first.text));
    return [...about, ...near, ...(isName && statements.length > 1 ? [0] : [])];
  }

  of(place: number): StatementRole {
    const statement = this.#index.statement(place);
    const { text, section } = statement;
    const own = this.#reading.roles.get(section) ?? "work";
    const around = own === "work" || OPEN_TO_WORK.has(own) ? (this.#leadRole(statement) ?? own) : own;
    const labelled = this.#isPreamble(place) ? undefined : labelRole(statement);
    const role = labelled ?? (around === "work" ? (this.#rows.get(statement) ?? "work") : around);
    if (statement.done) return "done";
    const isExcluded = role === "future" || role === "nonGoals" || role === "done";
    if (place >= this.#footer || (isExcluded && NAMES_DOCUMENT.test(plainWords(text)))) return "document";
    if (TELLS.has(role) || this.#reading.closed.has(section)) return isNothing(text) ? "document" : role;
    if (isNothing(text) && text.length < 20) return "document";
    if (this.#about.has(place)) return "document";
    if (saysNextMeeting(text)) return "document";
    if (saysNothingNew(text)) return "overview";
    if (explainsKeyWords(text)) return "glossary";
    if (this.#goesOnAboutText(place)) return "overview";
    if (isLeftForLater(text) || isDroppedRow(statement)) return "future";
    if (isOpenObligation(text) && role !== "questions") return "work";
    if (role === "questions" || isLeftOpen(statement)) return isNothing(text) ? "overview" : "questions";
    if (role === "decisions" && this.#isDecidedWork(statement)) return "work";
    if ((role === "risks" || role === "assumptions") && isDuty(text) && statement.kind !== "row") return "work";
    if (role === "risks" || role === "assumptions" || role === "decisions") return role;
    if (CONSTRAINT.test(plainWords(text))) return "constraints";
    if (isGate(text)) return "gate";
    if (role === "work") return NOTHING_HERE.test(plainWords(text)) ? "overview" : (isMeetingNote(text) ?? "work");
    if (role === "discussion") return isActionItem(text) || (isOrder(text) && !NAMES_ISSUE.test(text)) ? "work" : role;
    return OPEN_TO_WORK.has(role) && obliges(text) && !this.#reading.isReadme && !this.#reading.isChecklist
      ? "work"
      : role;
  }

  /** "This page lists the goals. It holds both kinds." */
  #goesOnAboutText(place: number): boolean {
    const { text, block } = this.#index.statement(place);
    const before = this.#spec.statements[place - 1];
    const isNext = block !== undefined && before?.block === block && /^(?:it|they)\b/i.test(text);
    return isNext && describesText(before?.text ?? "");
  }

  /** A decision record says below "Decision" what has to be done for it; a log of decisions does not. */
  #isDecidedWork({ section, text, kind }: SpecStatement): boolean {
    const title = this.#index.section(section)?.title ?? "";
    if (!/^[^\w.]*(?:[\d.]+\s+)?\W{0,20}(?:proposed |our )?decision(?: outcome)?\W*$/i.test(title)) return false;
    return /\b(?:must|shall)\b/i.test(text) || (kind === "item" && isOrder(text) && !CHOOSES.test(plainWords(text)));
  }

  /** The role that the line before its list, the item above it or the line itself names: "Out of scope:". */
  #leadRole({ lead, text, kind, parent }: SpecStatement): SectionRole | undefined {
    const isLead = kind !== "item" && kind !== "row" && text.endsWith(":");
    const line = lead === undefined ? (isLead ? text : undefined) : this.#spec.statements[lead]?.text;
    const above = parent === undefined ? undefined : this.#index.statement(parent).text;
    // A long item tells something itself, and is no heading for what is below it.
    const words = line ?? (above !== undefined && above.length < 60 ? above : undefined);
    const role = words === undefined ? undefined : roleOfTitle(words);
    return role !== undefined && LEADS_TO_NOTHING.has(role) ? undefined : role;
  }

  #isPreamble(place: number): boolean {
    return this.#index.isPreamble(this.#index.section(this.#index.statement(place).section) as Section);
  }

  /** Before the first heading, only what asks for work is work. */
  inSection(section: Section, place: number): StatementRole {
    const role = this.of(place);
    if (role !== "work" || !this.#index.isPreamble(section) || this.#reading.takesProse) return role;
    const statement = this.#index.statement(place);
    const isAlone = this.isAlone(section);
    if (this.isListed(place, section) && (isAlone || statement.checkbox)) return "work";
    if (describesText(statement.text) || this.#reading.isReadme || this.#reading.isChecklist) return "overview";
    const { text, kind } = statement;
    const asks = isAlone ? asksForWork(text) || isOrder(text) : obliges(text) || (isOrder(text) && kind === "item");
    return asks ? "work" : "overview";
  }

  /** The whole spec is in this section. */
  isAlone({ id }: Section): boolean {
    return this.#index.spec.sections.every((other) => other.level === 0 || other.id === id);
  }

  isListed(place: number, section: Section): boolean {
    const statement = this.#index.statement(place);
    if (statement.kind === "item" || statement.kind === "row" || hasOwnRequirements(statement, section)) return true;
    return this.#namedIn(section).has(place);
  }

  /** Where several paragraphs have a name, each is an item; elsewhere a bold word is only emphasis. */
  #namedIn(section: Section): ReadonlySet<number> {
    const known = this.#named.get(section);
    if (known !== undefined) return known;
    const found = this.#index.isPreamble(section)
      ? []
      : this.#index.places(section).filter((place) => isNamed(this.#index.statement(place)));
    const named = new Set(found.length < MIN_NAMED ? [] : found);
    this.#named.set(section, named);
    return named;
  }
}

/** "This requirements document provides a comprehensive specification …". */
const NAMES_DOCUMENT =
  /^this (?:\w+ ){0,2}(?:document|specification|prd) (?:provides|serves|describes|defines|outlines|covers|contains|captures|is (?:a|the|intended))\b/i;

/** "Expose the agent [#43187](…)": what was talked about has a number. */
const NAMES_ISSUE = /\d{2}\]\(/;

/** A question in running text is mostly answered by the next sentence, unless it asks the reader. */
const isLeftOpen = ({ text, kind }: SpecStatement): boolean =>
  isOpenQuestion(text) && !isAnswered(text) && (kind === "item" || kind === "row" || asksReader(text));

/** `**Timeline:** two weeks`: a paragraph whose label is the name of a section is about that, wherever it stands. */
function labelRole({ kind, text }: SpecStatement): SectionRole | undefined {
  const label = kind === "item" || kind === "row" ? undefined : /^\*\*([^*:]{2,40}):?\*\*:?\s+\S/.exec(text)?.[1];
  const found = label === undefined ? undefined : headingRole(label);
  return found?.isSure === true && LABELS.has(found.role) ? found.role : undefined;
}

const LABELS = new Set<SectionRole>(["nonGoals", "future", "process", "constraints", "metrics", "risks", "users"]);

/** "This document has no IANA actions." */
const NOTHING_HERE =
  /^(?:this (?:document|section|rfc|proposal|change) (?:has|makes|requires?|introduces) no|there (?:is|are) no)\b[^.]{0,80}\.?$|^no (?:additional |further |other |special )?[\w -]{2,40} (?:is |are )?(?:needed|required|necessary)\.?$/i;

const CHOOSES = /^(?:use|keep|choose|adopt|prefer|accept|avoid|do|reject|defer)\b/i;

/** What names itself a constraint holds for all work. */
const CONSTRAINT = /^(?:(?:technical|design|business|hard|global) )?constraints?\s*(?::|–|—)\s+\S/i;

/** "For example:" says nothing about the list that follows. */
const LEADS_TO_NOTHING: ReadonlySet<SectionRole> = new Set([
  "examples",
  "references",
  "overview",
  "motivation",
  "users",
  "process",
  "design",
]);

function rowRoles({ statements }: Spec): Map<SpecStatement, SectionRole> {
  const tables = new Map<string, SpecStatement[]>();
  for (const row of statements) {
    if (row.kind === "row") append(tables, `${row.section} ${row.columns?.join("|")}`, row);
  }
  const roles = new Map<SpecStatement, SectionRole>();
  for (const rows of tables.values()) {
    const role =
      tableRole(rows[0]?.columns ?? []) ?? (isComparison(rows) || isCalculation(rows) ? "references" : undefined);
    if (role !== undefined) for (const row of rows) roles.set(row, role);
  }
  return roles;
}

/** The place of the first statement of the footer: what stands below the last rule, if all of it is about the document. */
function footerOf({ statements, rules, sections }: Spec): number {
  const rule = rules.at(-1) ?? Number.POSITIVE_INFINITY;
  if (sections.some(({ start, level }) => start > rule && level > 0)) return statements.length;
  const first = statements.findIndex(({ start }) => start > rule);
  const below = first === -1 ? [] : statements.slice(first);
  const isFooter = ({ kind, text }: SpecStatement): boolean =>
    kind !== "row" && !obliges(text) && isAboutDocument(text);
  return below.length > 0 && below.every(isFooter) ? first : statements.length;
}

const MIN_NAMED = 2;

/** "**Why this priority**: …", "**Note:** …": about the thing above it, not a thing of its own. */
const ABOUT =
  /^\W*(?:why|independent|acceptance|notes?|nota|examples?|rationale|reason(?:ing)?|background|context|status|priority|effort|estimate|inputs?|outputs?|purpose|descriptions?|goals?|(?:user )?story|given|when|then|tips?|warning|important|caveats?|see|scope|questions?|answers?|total|test|depend\w*|implementation|alternatives?|pros|cons|impact|benefits?|owner|type|role|auto|edge cases?|constraints?|out of scope|non-goals?|assumptions?)\b/i;

/** `**Login.** Anyone can …`: a paragraph that begins with its name. */
const isNamed = ({ kind, text }: SpecStatement): boolean =>
  kind !== "item" &&
  kind !== "row" &&
  !ABOUT.test(text) &&
  /^(?:\*\*|__)[^*\n]{2,100}?(?:[.:–—](?:\*\*|__)|(?:\*\*|__)\s*[.:–—])(?:\s+\S|$)/.test(text);
