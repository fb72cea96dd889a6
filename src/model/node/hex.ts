const DIGITS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"];

/** Every byte in hex: a number takes four times as long to write itself. */
export const HEX: readonly string[] = DIGITS.flatMap((high) => DIGITS.map((low) => high + low));
