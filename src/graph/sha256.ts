// SHA-256 of a text. Written out because this folder may not import `node:crypto`, which would also
// cost every command 5 ms at start; a property test holds it equal to Node's own.

import { HEX } from "./hex.js";

const K = new Int32Array(64);
const INITIAL = new Int32Array(8);

/** The first 32 bits of the fractional part. */
const fraction = (x: number): number => Math.floor((x - Math.floor(x)) * 2 ** 32);

let found = 0;
for (let candidate = 2; found < 64; candidate++) {
  let prime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
    if (candidate % divisor === 0) prime = false;
  }
  if (!prime) continue;
  if (found < 8) INITIAL[found] = fraction(Math.sqrt(candidate));
  K[found++] = fraction(Math.cbrt(candidate));
}

const W = new Int32Array(64);

function compress(state: Int32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) W[i] = view.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const x = W[i - 15] as number;
    const y = W[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    W[i] = (W[i - 16] as number) + s0 + (W[i - 7] as number) + s1;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (W[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

const encoder = new TextEncoder();

/** Most texts are short and share one buffer. */
const SCRATCH = new Uint8Array(8192);

export function sha256(text: string): string {
  const fits = text.length * 3 + 72 <= SCRATCH.length;
  const bytes = fits ? SCRATCH : new Uint8Array(text.length * 3 + 72);
  const length = encoder.encodeInto(text, bytes).written;
  const end = ((length + 72) >> 6) << 6;
  bytes[length] = 0x80;
  bytes.fill(0, length + 1, end);
  const view = new DataView(bytes.buffer);
  view.setUint32(end - 8, Math.floor(length / 2 ** 29));
  view.setUint32(end - 4, length << 3);
  const state = INITIAL.slice();
  for (let offset = 0; offset < end; offset += 64) compress(state, view, offset);
  let hex = "";
  for (let i = 0; i < 8; i++) {
    const word = state[i] as number;
    hex += (HEX[word >>> 24] as string) + HEX[(word >>> 16) & 255] + HEX[(word >>> 8) & 255] + HEX[word & 255];
  }
  return hex;
}
