// Ids that stay: from the requirement id where there is one, otherwise from the headings and the words. Adding an item
// elsewhere changes no other id, so that a changed spec can be merged into the plan by id.

import { sha256 } from "../../store/sha256.js";
import { sameWords } from "./wording.js";

const HASH_LENGTH = 8;

export const keyHash = (...parts: readonly string[]): string =>
  sha256(parts.map((part) => sameWords(part) || part).join("\n")).slice(0, HASH_LENGTH);

const fromRequirement = (id: string): string => id.replaceAll(/[^A-Za-z0-9.]+/g, "-").slice(0, 40);

/** Hands out each key once; the second of the same words gets a number. */
export class Keys {
  readonly #taken = new Map<string, number>();

  forWords(path: readonly string[], words: string): string {
    return this.#unique(keyHash(...path, words));
  }

  /** The second item with the same requirement id is told apart by its words. */
  forRequirement(id: string, path: readonly string[], words: string): string {
    const key = fromRequirement(id);
    return this.#taken.has(key) ? this.#unique(`${key}-${keyHash(...path, words).slice(0, 4)}`) : this.#unique(key);
  }

  #unique(key: string): string {
    const times = (this.#taken.get(key) ?? 0) + 1;
    this.#taken.set(key, times);
    return times === 1 ? key : this.#unique(`${key}-${times}`);
  }
}
