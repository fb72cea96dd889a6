// The names of nodes: display ids for people, UUIDv7 for machines.

import type { Tier } from "./node.js";

const FORMS: Readonly<Record<Tier, { readonly prefix: string; readonly digits: number }>> = {
  mission: { prefix: "MISSION", digits: 3 },
  initiative: { prefix: "INIT", digits: 3 },
  feature: { prefix: "FEAT", digits: 3 },
  story: { prefix: "STORY", digits: 4 },
  task: { prefix: "TASK", digits: 5 },
};

/** `FEAT-001`, `TASK-00042`; the first mission is plain `MISSION`. */
export function displayId(tier: Tier, number: number): string {
  const { prefix, digits } = FORMS[tier];
  if (tier === "mission" && number === 1) return prefix;
  return `${prefix}-${String(number).padStart(digits, "0")}`;
}

/** The number inside an id of our own form, so that a chosen `TASK-00007` is not minted again. */
export function numberOf(tier: Tier, id: string): number | undefined {
  const { prefix } = FORMS[tier];
  const upper = id.toUpperCase();
  if (tier === "mission" && upper === prefix) return 1;
  if (!upper.startsWith(`${prefix}-`)) return undefined;
  const digits = upper.slice(prefix.length + 1);
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

const CHOSEN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** An id that a person or an import chose: letters, digits, dot, dash, underscore. */
export const isChosenId = (text: string): boolean => CHOSEN.test(text);

/** Ids are compared without regard to case. */
export const idKey = (id: string): string => id.toLowerCase();

/** Time and randomness are arguments: 48 bits of milliseconds, then 10 random bytes. */
export function uuid7(ms: number, random: Uint8Array): string {
  const byte = (i: number): number => random[i] ?? 0;
  const time = ms.toString(16).padStart(12, "0");
  const version = 0x7000 | ((byte(0) & 0x0f) << 8) | byte(1);
  const variant = 0x8000 | ((byte(2) & 0x3f) << 8) | byte(3);
  let rest = 0;
  for (let i = 4; i < 10; i++) rest = rest * 256 + byte(i);
  const tail = rest.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-${version.toString(16)}-${variant.toString(16)}-${tail}`;
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
