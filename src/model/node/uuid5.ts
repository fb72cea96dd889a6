// UUIDs that follow from a name, so that every clone of a repository gives the same thing the same one (RFC 9562, version 5).

/** The name space of Planwright's own names. */
const PLANWRIGHT = "5f0c9d1e-7b1a-5c52-9a35-2f1c7d8b6e40";

/** The same UUID for the same words. */
export const derivedUuid = (...words: readonly string[]): string => uuid5(PLANWRIGHT, words.join("\n"));

export function uuid5(space: string, name: string): string {
  const bytes = [...bytesOfHex(space.replaceAll("-", "")), ...new TextEncoder().encode(name)];
  const hash = sha1(bytes).slice(0, 32);
  const variant = ((Number.parseInt(hash.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `${variant}${hash.slice(18, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}

const bytesOfHex = (hex: string): number[] => (hex.match(/../g) as string[]).map((pair) => Number.parseInt(pair, 16));

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** Names nothing secret, so its weakness does not matter; the format asks for it. */
function sha1(message: readonly number[]): string {
  const blocks = Math.ceil((message.length + 9) / 64);
  const words = new Int32Array(blocks * 16);
  for (const [i, byte] of [...message, 0x80].entries())
    words[i >> 2] = at(words, i >> 2) | (byte << (24 - (i % 4) * 8));
  words[words.length - 1] = message.length * 8;
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  for (let block = 0; block < blocks; block++) mix(state, words.subarray(block * 16, block * 16 + 16));
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const at = (words: Int32Array, index: number): number => words[index] as number;

function mix(state: Int32Array, block: Int32Array): void {
  const words = new Int32Array(80);
  words.set(block);
  for (let i = 16; i < 80; i++) {
    words[i] = rotate(at(words, i - 3) ^ at(words, i - 8) ^ at(words, i - 14) ^ at(words, i - 16), 1);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let i = 0; i < 80; i++) {
    const sum = (rotate(a, 5) + round(i, b, c, d) + e + at(words, i)) | 0;
    [e, d, c, b, a] = [d, c, rotate(b, 30), a, sum];
  }
  for (const [i, word] of [a, b, c, d, e].entries()) state[i] = (at(state, i) + word) | 0;
}

function round(step: number, b: number, c: number, d: number): number {
  if (step < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (step < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  return step < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
}
