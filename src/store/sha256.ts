// SHA-256 in hex. Node's module is loaded at the first use: reads need no hash, and it takes 3 ms to load.

import type { Hash } from "node:crypto";

type Encoding = "hex" | "base64url";

/** At once: 0.7 µs, where an object that is filled and asked takes 2.2. Approving 100,000 tasks hashes 600,000 texts. */
export const sha256 = (text: string, encoding: Encoding = "hex"): string =>
  process.getBuiltinModule("node:crypto").hash("sha256", text, encoding);

export class Sha256 {
  readonly #hash: Hash = process.getBuiltinModule("node:crypto").createHash("sha256");

  update(text: string): this {
    this.#hash.update(text);
    return this;
  }

  digest(encoding: Encoding = "hex"): string {
    return this.#hash.digest(encoding);
  }
}
