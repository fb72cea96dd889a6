// The tokens of the tasks that this session claimed. A model forgets them when its conversation is compacted; the server does not.

import { isJsonObject, type JsonObject } from "./tool-schema.js";

export class KeptClaims {
  readonly #tokens = new Map<string, string>();

  /** Remembers the claims in an answer to `next` or `start`. */
  keep(output: unknown): void {
    for (const given of [output].flat()) {
      if (!isJsonObject(given)) continue;
      const { task, token } = given;
      if (isJsonObject(task) && typeof task["id"] === "string" && typeof token === "string")
        this.#tokens.set(task["id"].toUpperCase(), token);
    }
  }

  /** The input with the token of its task, if this session claimed it and the operation takes one. */
  withToken(input: JsonObject, takesToken: boolean): JsonObject {
    const { reference } = input;
    const token = typeof reference === "string" ? this.#tokens.get(reference.trim().toUpperCase()) : undefined;
    return takesToken && token !== undefined ? { ...input, token } : input;
  }

  /** The task is no longer claimed. */
  forget(reference: unknown): void {
    if (typeof reference === "string") this.#tokens.delete(reference.trim().toUpperCase());
  }
}
