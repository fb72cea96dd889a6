// Whom the plan knows: by the public half of the key that is made from their secret. Only who is known adds another one, and the first is
// whoever started the plan.

import type { Actor } from "../actor.js";

export interface Person {
  /** Checks what they signed: `pwk_…`. It is no secret. */
  readonly key: string;
  /** Who it was when they were added. One secret may sign under several names. */
  readonly name: Actor;
  /** The id of the person who added them; null of the first. */
  readonly addedBy: string | null;
  readonly at: number;
  /** The signature of whoever added them, over key, name and time; the first signs for themselves. */
  readonly seal: string;
  readonly state: "known" | "removed";
}

/** What `seal` signs. */
export const personText = ({ key, name, at }: Pick<Person, "key" | "name" | "at">): string =>
  ["planwright person", key, name, at].join("\n");
