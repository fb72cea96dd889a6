// The key of a focus in the plan: an actor, or one conversation of an agent. Conversations of a coding agent are one actor in the
// log, but each works on something of its own. A person has one focus, wherever they type.

import { type Actor, isPerson } from "../actor.js";
import type { Tier } from "../node/node.js";

const CHARACTERS = 12;

/** An actor's name has no spaces. `hash`: of the name of the conversation, if the host names it. */
export const focusKeyOf = (actor: Actor, hash: string | undefined): string =>
  hash === undefined || isPerson(actor) ? actor : `${actor} ${hash.slice(0, CHARACTERS)}`;

/** Nobody notices the end of a conversation, so its focus stays inside of a feature and goes with it. */
export const mayFocus = (key: string, tier: Tier): boolean =>
  !key.includes(" ") || (tier !== "mission" && tier !== "initiative");
