// The names of items: a prefix for what it is, and a number that is never used twice.

/** `DEC-001`, `ART-00001`. */
export const itemKey = (prefix: string, number: number, digits = 3): string =>
  `${prefix}-${String(number).padStart(digits, "0")}`;

/** As it may be typed: in any case, and without the zeros. */
export function readKey(typed: string, digits: Readonly<Record<string, number>>): string | undefined {
  const [, prefix = "", number = ""] = /^([a-z]{2,8})-0*(\d{1,15})$/i.exec(typed.trim()) ?? [];
  const known = prefix.toUpperCase();
  return Object.hasOwn(digits, known) ? itemKey(known, Number(number), digits[known]) : undefined;
}
