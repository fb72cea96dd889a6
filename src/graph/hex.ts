/** Every byte in hex: a number takes four times as long to write itself. */
export const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
