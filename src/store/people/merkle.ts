// One signature for many approvals: it signs the root of a tree of hashes, and every approval keeps the hashes on its way up to the root.

import { sha256 } from "../sha256.js";

const digest = (text: string): string => sha256(text, "base64url");

/** Leaves and branches are hashed differently, so that neither passes for the other. */
export const leafOf = (uuid: string, contentHash: string): string => digest(`leaf ${uuid} ${contentHash}`);

/** The smaller one comes first, so a way up needs no sides. */
const above = (one: string, other: string): string =>
  digest(one < other ? `branch ${one} ${other}` : `branch ${other} ${one}`);

/** Of SHA-256 in base64url. */
const DIGEST_LENGTH = 43;

/** Digests side by side in one buffer: a million of them as texts would take twice the memory, on the heap. */
export class Digests {
  #bytes: Buffer;
  length = 0;

  constructor(expected = 16) {
    this.#bytes = Buffer.allocUnsafe(expected * DIGEST_LENGTH);
  }

  push(digest: string): void {
    const at = this.length * DIGEST_LENGTH;
    if (at === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * at);
    this.#bytes.write(digest, at, "latin1");
    this.length++;
  }

  at(index: number): string | undefined {
    if (index >= this.length) return undefined;
    return this.#bytes.toString("latin1", index * DIGEST_LENGTH, (index + 1) * DIGEST_LENGTH);
  }
}

/** A hash without a neighbour goes up as it is. */
export class HashTree {
  /** From the leaves to the root. */
  readonly #levels: readonly Digests[];

  constructor(leaves: Digests) {
    const levels = [leaves];
    for (let level = leaves; level.length > 1; levels.push(level)) level = levelAbove(level);
    this.#levels = levels;
  }

  get root(): string {
    return this.#levels.at(-1)?.at(0) ?? "";
  }

  leaf(index: number): string | undefined {
    return this.#levels[0]?.at(index);
  }

  /** The hashes beside the way up of a leaf. */
  path(index: number): string[] {
    return this.#levels.slice(0, -1).flatMap((level, height) => level.at((index >> height) ^ 1) ?? []);
  }
}

function levelAbove(level: Digests): Digests {
  const next = new Digests(Math.ceil(level.length / 2));
  for (let index = 0; index < level.length; index += 2) {
    const [one = "", other] = [level.at(index), level.at(index + 1)];
    next.push(other === undefined ? one : above(one, other));
  }
  return next;
}

export const climb = (leaf: string, path: readonly string[]): string => path.reduce(above, leaf);
