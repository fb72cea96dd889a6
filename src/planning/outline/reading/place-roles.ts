// What a statement is at its place: before the first heading only what asks for work is work, if there is other work, and
// a paragraph with a name of its own is an item like those of a list.

import { asksForWork, describesText, isOrder, obliges } from "../../spec/cues.js";
import type { Section, SpecStatement } from "../../spec/spec.js";
import type { SectionRole } from "./heading-roles.js";
import { hasOwnRequirements } from "./item.js";
import { isReadme } from "./section-roles.js";
import type { SpecIndex } from "./spec-index.js";
import type { StatementRole, StatementRoles } from "./statement-roles.js";

export interface SpecReading {
  readonly roles: ReadonlyMap<string, SectionRole>;
  /** Sections of which a heading says that they are work. */
  readonly sure: ReadonlySet<string>;
  /** Sections about how people work: nothing in them is work. */
  readonly closed: ReadonlySet<string>;
  /** Its tasks have boxes: prose is about them, and no task itself. */
  readonly isChecklist: boolean;
  /** Also prose that asks for nothing is work: there is nothing else. */
  readonly takesProse: boolean;
}

const FEWEST_NAMED = 2;

/** "**Why this priority**: …", "**Note:** …": about the thing above it, not a thing of its own. */
const ABOUT =
  /^\W*(?:why|independent|acceptance|notes?|nota|examples?|rationale|reason(?:ing)?|background|context|status|priority|effort|estimate|inputs?|outputs?|purpose|descriptions?|goals?|(?:user )?story|given|when|then|tips?|warning|important|caveats?|see|scope|questions?|answers?|total|test|depend\w*|implementation|alternatives?|pros|cons|impact|benefits?|owner|type|role|auto|edge cases?|constraints?|out of scope|non-goals?|assumptions?)\b/i;

/** `**Login.** Anyone can …`: a paragraph that begins with its name. */
const isNamed = ({ kind, text }: SpecStatement): boolean =>
  kind !== "item" &&
  kind !== "row" &&
  !ABOUT.test(text) &&
  /^(?:\*\*|__)[^*\n]{2,100}?(?:[.:–—](?:\*\*|__)|(?:\*\*|__)\s*[.:–—])(?:\s+\S|$)/.test(text);

export class PlaceRoles {
  readonly #index: SpecIndex;
  readonly #reading: SpecReading;
  readonly #roleOf: StatementRoles;
  readonly #isReadme: boolean;
  readonly #named = new Map<Section, ReadonlySet<number>>();

  constructor(index: SpecIndex, reading: SpecReading, roleOf: StatementRoles) {
    this.#index = index;
    this.#reading = reading;
    this.#roleOf = roleOf;
    this.#isReadme = isReadme(index.spec);
  }

  of(section: Section, place: number): StatementRole {
    const role = this.#roleOf.of(place);
    if (role !== "work" || !this.#index.isPreamble(section) || this.#reading.takesProse) return role;
    const statement = this.#index.statement(place);
    const isAlone = this.isAlone(section);
    if (this.isListed(place, section) && (isAlone || statement.checkbox)) return "work";
    if (describesText(statement.text) || this.#isReadme || this.#reading.isChecklist) return "overview";
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
    const named = new Set(found.length < FEWEST_NAMED ? [] : found);
    this.#named.set(section, named);
    return named;
  }
}
