// The names of nodes: display ids for people, UUIDv7 for machines.

import { isTakenForm, readKey } from "../item-key.js";
import { TIERS, type Tier } from "./node.js";

const FORMS: Readonly<Record<Tier, { readonly prefix: string; readonly digits: number }>> = {
  mission: { prefix: "MISSION", digits: 3 },
  initiative: { prefix: "INIT", digits: 3 },
  feature: { prefix: "FEAT", digits: 3 },
  story: { prefix: "STORY", digits: 4 },
  task: { prefix: "TASK", digits: 5 },
};

/** The first mission, below which everything else is. */
export const MISSION = FORMS.mission.prefix;

/** `FEAT-001`, `TASK-00042`; the first mission is plain `MISSION`. */
export function displayId(tier: Tier, number: number): string {
  const { prefix, digits } = FORMS[tier];
  if (tier === "mission" && number === 1) return prefix;
  return `${prefix}-${String(number).padStart(digits, "0")}`;
}

const NUMBERED = /^([A-Z]+)-(\d{1,15})$/i;

/** The tier and the number inside an id of our own form, so that a chosen `TASK-00007` is not minted again. */
export function numberedAs(id: string): { readonly tier: Tier; readonly number: number } | undefined {
  const [, word = id, digits = "1"] = NUMBERED.exec(id) ?? [];
  const prefix = word.toUpperCase();
  const tier = TIERS.find((each) => FORMS[each].prefix === prefix);
  // Only the first mission has no number.
  return tier === undefined || (word === id && tier !== "mission") ? undefined : { tier, number: Number(digits) };
}

const CHOSEN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What git takes for something else in the name of a branch. */
const NO_BRANCH = /\.\.|\.$|\.lock$|^head$/i;

/** An id that a person or an import chose: letters, digits, dot, dash, underscore. It could be the name of a branch, and names no item. */
export const isChosenId = (text: string): boolean => CHOSEN.test(text) && !NO_BRANCH.test(text) && !isTakenForm(text);

/** Ids are compared without regard to case. */
export const idKey = (id: string): string => id.toLowerCase();

/** Our own forms have up to five digits; an import may have brought more. */
const MOST_DIGITS = 8;

const SHORT = /^(?:([a-z][a-z0-9_]*)-)?0*(\d{1,15})(-land)?$/i;

/** The ids that a short form may stand for: `task-7` and `TASK-007` for TASK-00007, a number alone for every tier. */
export function shortFormsOf(reference: string): string[] {
  const [, prefix, digits, land = ""] = SHORT.exec(reference.trim()) ?? [];
  // With other zeros the key of an item is still that item, even where an old plan has a node called so.
  if (digits === undefined || readKey(reference) !== undefined) return [];
  const prefixes = prefix === undefined ? TIERS.map((tier) => FORMS[tier].prefix) : [prefix];
  const padded = Array.from({ length: MOST_DIGITS }, (_, i) => digits.padStart(i + 1, "0"));
  return prefixes.flatMap((each) => [...new Set(padded)].map((number) => `${each}-${number}${land}`));
}

const UUID_PREFIX = /^[0-9a-f]{4,32}$/;

/** A reference that could be the beginning of a UUID, with its dashes put where they belong. */
export function uuidPrefix(reference: string): string | undefined {
  const hex = reference.toLowerCase().replaceAll("-", "");
  if (!UUID_PREFIX.test(hex)) return undefined;
  const cuts = [0, 8, 12, 16, 20, 32];
  const parts = cuts.slice(0, -1).map((from, i) => hex.slice(from, cuts[i + 1]));
  return parts.filter((part) => part !== "").join("-");
}

export const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
