// Whose focus it is that a command reads or sets.

import type { Actor } from "../../model/actor.js";
import { focusKeyOf } from "../../model/operation/focus-key.js";
import { sha256 } from "../../store/sha256.js";

export interface FocusOwner {
  readonly actor: Actor;
  readonly conversation?: string | undefined;
}

/** Like notes of claims the plan names no conversation, only its hash. */
export const focusKey = ({ actor, conversation }: FocusOwner): string =>
  focusKeyOf(actor, conversation === undefined ? undefined : sha256(conversation));
