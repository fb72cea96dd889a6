// Whom the plan knows: by the public half of the key that is made from their secret. Only who is known adds another one, and the first is
// whoever started the plan.

import type { Actor } from "../actor.js";

export interface Person {
  /** Checks what they signed: `pwk_…`. It is no secret. */
  readonly key: string;
  /** Who it was when they were added. One secret may sign under several names. `daemon:NAME` is a machine, which never approves. */
  readonly name: Actor;
  /** The id of the person who added them; null of the first. */
  readonly addedBy: string | null;
  readonly at: number;
  /** The signature of whoever added them, over plan, key, name and time; the first signs for themselves. */
  readonly seal: string;
  readonly state: PersonState;
  /** Who changed the state last, in which operation, and their signature. Of a person whose state never changed there is none. */
  readonly lastChange?: { readonly by: string; readonly op: number; readonly seal: string };
}

type PersonState = "known" | "removed";

/** A change of state that the store has yet to sign. */
export const changedTo = (state: PersonState) => ({ state, lastChange: { by: "", op: 0, seal: "" } });

/** The link of the plan's first operation; empty for its first person. Null: as programs up to schema 9 signed, for any plan. */
type SignedFor = string | null;

/** What `seal` signs. It counts in no other plan. */
export const personText = ({ key, name, at }: Pick<Person, "key" | "name" | "at">, plan: SignedFor): string =>
  signable("person", key, name, at, ...(plan === null ? [] : [`plan ${plan}`]));

/** What `lastChange.seal` signs. An older state does not count again, because it names an earlier operation. */
export const personStateText = (id: string, state: PersonState, op: number, plan: string): string =>
  signable("person state", id, state, op, `plan ${plan}`);

const signable = (what: string, ...parts: readonly (string | number)[]): string =>
  [`planwright ${what}`, ...parts].join("\n");
