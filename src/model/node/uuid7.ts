// UUIDs that sort by the moment they were made. In a file of its own: commands that make nothing do not load it.

/** Time and randomness are arguments: 48 bits of milliseconds, then 10 random bytes. */
export function uuid7(ms: number, random: Uint8Array): string {
  const byte = (i: number): number => random[i] ?? 0;
  const counter = ((byte(0) & 0x0f) << 22) | (byte(1) << 14) | ((byte(2) & 0x3f) << 8) | byte(3);
  return uuid7s(ms, random)(counter);
}

/**
 * The UUIDs of one batch, by number. A counter of 26 bits stands before the last six random bytes: a batch stays in order,
 * and its index entries are appended.
 */
export function uuid7s(ms: number, random: Uint8Array): (counter: number) => string {
  const time = ms.toString(16).padStart(12, "0");
  const head = `${time.slice(0, 8)}-${time.slice(8)}-`;
  let tail = "-";
  for (let i = 4; i < 10; i++) tail += HEX[random[i] ?? 0] as string;
  return (counter) => {
    const version = 0x7000 | ((counter >> 14) & 0x0fff);
    const variant = 0x8000 | (counter & 0x3fff);
    return `${head}${hexOf(version)}-${hexOf(variant)}${tail}`;
  };
}

const hexOf = (number: number): string => (HEX[number >> 8] as string) + (HEX[number & 255] as string);
const DIGITS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];

/** Every byte in hex: a number takes four times as long to write itself. */
const HEX: readonly string[] = DIGITS.flatMap((high) => DIGITS.map((low) => high + low));
