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
  const tail = Array.from({ length: 6 }, (_, i) => (random[i + 4] ?? 0).toString(16).padStart(2, "0")).join("");
  return (counter) => {
    const version = 0x7000 | ((counter >> 14) & 0x0fff);
    const variant = 0x8000 | (counter & 0x3fff);
    return `${head}${version.toString(16)}-${variant.toString(16)}-${tail}`;
  };
}
