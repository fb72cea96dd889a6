// The names of items: a prefix for what it is, and a number that is never used twice. No node may be called like one.

/** How many digits the number has at least. */
const ITEM_DIGITS = {
  DEC: 3,
  CON: 3,
  REQ: 3,
  ASM: 3,
  BAS: 3,
  ESC: 3,
  MEM: 3,
  RUN: 3,
  SUB: 3,
  ART: 5,
  ATT: 5,
  BUN: 5,
  CALL: 5,
  COM: 5,
  CONFLICT: 5,
} as const;

export type ItemPrefix = keyof typeof ITEM_DIGITS;

const isPrefix = (text: string): text is ItemPrefix => Object.hasOwn(ITEM_DIGITS, text);

/** `DEC-001`, `ART-00001`. */
export const itemKey = (prefix: ItemPrefix, number: number): string =>
  `${prefix}-${String(number).padStart(ITEM_DIGITS[prefix], "0")}`;

/** As it may be typed: in any case, and without the zeros. `prefixes`: what it may be; without them, any item. */
export function readKey(typed: string, prefixes?: readonly ItemPrefix[]): string | undefined {
  const [, prefix = "", number = ""] = /^([a-z]{2,8})-0*(\d{1,15})$/i.exec(typed.trim()) ?? [];
  const known = prefix.toUpperCase();
  return isPrefix(known) && (prefixes?.includes(known) ?? true) ? itemKey(known, Number(number)) : undefined;
}

/** What names an item, or an operation by its number, and so can be no name of a node. */
export const isTakenForm = (text: string): boolean => /^\d+$/.test(text) || readKey(text) !== undefined;
