// The key of a browser, and what a page of the board signs with it, for clients that are no browser.

import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { type SignedRequest, signedText } from "../src/model/signed-request.js";

export class BrowserKey {
  readonly #own = generateKeyPairSync("ec", { namedCurve: "P-256" });

  get key(): string {
    return this.#own.publicKey.export({ format: "der", type: "spki" }).toString("base64url");
  }

  /** The header, with the hash of this body. */
  sign({ body, ...asked }: Omit<SignedRequest, "bodyHash"> & { readonly body: string }): string {
    const bodyHash = createHash("sha256").update(body).digest("hex");
    const key = { key: this.#own.privateKey, dsaEncoding: "ieee-p1363" } as const;
    const signature = sign("sha256", Buffer.from(signedText({ ...asked, bodyHash })), key).toString("base64url");
    return `${asked.nonce} ${asked.time} ${signature}`;
  }
}
