// The work in a spec: which of its statements are tasks, what belongs to each of them, and what is no work and why.
// The four functions of the outline all read it from here.

import { sha256 } from "../../store/sha256.js";
import type { Section } from "../spec/spec.js";
import type { DraftCheck } from "./commands.js";
import type { SectionRole } from "./heading-roles.js";
import { sameWords } from "./wording.js";

export interface WorkItem {
  readonly key: string;
  /** `gate`: only a person can bring it. */
  readonly kind: "work" | "test" | "review" | "gate";
  readonly title: string;
  readonly section: Section;
  /** Exact words of the spec; the first is what the item is about. */
  readonly quotes: string[];
  readonly requirements: readonly string[];
  /** What a worker reads, a paragraph each. */
  readonly body: string[];
  /** All words that belong to it, marks included: files, symbols and dependencies are found there. */
  readonly words: string[];
  readonly checks: DraftCheck[];
  /** Commands that show the product itself in use: checks only where nothing else is known. */
  readonly examples: DraftCheck[];
  /** What the heading is about, as prose: the other items of the section build on it. */
  readonly isBase?: boolean | undefined;
  /** What the whole must be like, rather than something to build. */
  readonly isQuality?: boolean | undefined;
  /** 0 is the most urgent; as the spec states it. */
  readonly priority?: number | undefined;
  /** `T3`, `step 2`: what it calls itself. */
  readonly label?: string | undefined;
  /** Items with the same list are done from first to last. */
  readonly sequence?: string | undefined;
  /** The section whose items a review looks at; "" is the whole spec. */
  readonly about?: string;
  /** How many parts it has, for its size. */
  parts: number;
}

/** A section below a top section, or a top section's own items. */
export interface WorkGroup {
  readonly section: Section;
  readonly name: string;
  readonly items: WorkItem[];
}

export interface WorkDomain {
  /** The top section. */
  readonly section: Section;
  readonly name: string;
  readonly groups: WorkGroup[];
}

export interface NoWork {
  /** Its place among the statements. */
  readonly place: number;
  readonly role: Exclude<SectionRole, "work">;
}

export const itemsOf = ({ domains }: { readonly domains: readonly WorkDomain[] }): WorkItem[] =>
  domains.flatMap(({ groups }) => groups.flatMap(({ items }) => items));

/** The items of a spec by the ids of their behaviours. */
export const itemsByBehaviour = (work: Parameters<typeof itemsOf>[0]): ReadonlyMap<string, WorkItem> =>
  new Map(itemsOf(work).map((item) => [`B-${item.key}`, item]));

/** Whether one section is the other or in it. */
export const isWithin = (section: string, outer: string): boolean =>
  outer === "" || section === outer || section.startsWith(`${outer}.`);

const MAX_QUOTE = 2_000;

/** A quote has a limit; the start of a long statement stands for all of it. */
export function quoteOf(text: string): string {
  if (text.length <= MAX_QUOTE) return text;
  const cut = text.slice(0, MAX_QUOTE);
  const space = cut.lastIndexOf(" ");
  return space > MAX_QUOTE / 2 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, "");
}

const HASH_LENGTH = 8;

export const keyHash = (...parts: readonly string[]): string =>
  sha256(parts.map((part) => sameWords(part) || part).join("\n")).slice(0, HASH_LENGTH);

const fromRequirement = (id: string): string => id.replaceAll(/[^A-Za-z0-9.]+/g, "-").slice(0, 40);

/** Hands out each key once; the second of the same words gets a number. */
export class Keys {
  readonly #taken = new Map<string, number>();

  forWords(path: readonly string[], words: string): string {
    return this.unique(keyHash(...path, words));
  }

  /** The second item with the same requirement id is told apart by its words. */
  forRequirement(id: string, path: readonly string[], words: string): string {
    const key = fromRequirement(id);
    return this.unique(this.#taken.has(key) ? `${key}-${keyHash(...path, words).slice(0, 4)}` : key);
  }

  unique(key: string): string {
    const times = (this.#taken.get(key) ?? 0) + 1;
    this.#taken.set(key, times);
    return times === 1 ? key : this.unique(`${key}-${times}`);
  }
}
