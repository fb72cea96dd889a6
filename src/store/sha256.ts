// SHA-256 in hex. Node's module is loaded at the first use: reads need no hash, and it takes 3 ms to load.

import type { Hash } from "node:crypto";

export const sha256 = (text: string): string => new Sha256().update(text).digest();

export class Sha256 {
  readonly #hash: Hash = process.getBuiltinModule("node:crypto").createHash("sha256");

  update(text: string): this {
    this.#hash.update(text);
    return this;
  }

  digest(encoding: "hex" | "base64url" = "hex"): string {
    return this.#hash.digest(encoding);
  }
}
