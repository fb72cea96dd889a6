// SHA-256 in hex. Node's own module takes 3 ms to load, a tenth of what `next` and `complete` take in all, so short texts are
// hashed here (0.4 ms for the log entry of a claim). Long ones go to Node, which is a hundred times as fast once it is loaded.

/** In UTF-16 units. */
const SHORT = 2048;

export const sha256 = (text: string): string => new Sha256().update(text).digest();

/** A hash of many texts, one after the other. */
export class Sha256 {
  #short = "";
  #long: { update(text: string): unknown; digest(encoding: "hex"): string } | undefined;

  update(text: string): this {
    if (this.#long) this.#long.update(text);
    else if (this.#short.length + text.length <= SHORT) this.#short += text;
    else {
      this.#long = process.getBuiltinModule("node:crypto").createHash("sha256");
      this.#long.update(this.#short);
      this.#long.update(text);
    }
    return this;
  }

  digest(): string {
    return this.#long ? this.#long.digest("hex") : hashShort(this.#short);
  }
}

/** The standard's constants: the first bits of the fractional parts of roots of the first primes. */
function constants(): { initial: Int32Array; rounds: Int32Array } {
  const [initial, rounds] = [new Int32Array(8), new Int32Array(64)];
  const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
  for (let n = 2, found = 0; found < 64; n++) {
    if (!isPrime(n)) continue;
    if (found < 8) initial[found] = fraction(Math.sqrt(n));
    rounds[found++] = fraction(Math.cbrt(n));
  }
  return { initial, rounds };
}

function isPrime(n: number): boolean {
  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false;
  return true;
}

let known: ReturnType<typeof constants> | undefined;

function hashShort(text: string): string {
  const { initial, rounds } = (known ??= constants());
  const message = pad(Buffer.from(text));
  const state = initial.slice();
  const words = new Int32Array(64);
  for (let at = 0; at < message.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = message.readInt32BE(at + 4 * i);
    mix(state, words, rounds);
  }
  const digest = Buffer.alloc(32);
  for (let i = 0; i < 8; i++) digest.writeInt32BE(state[i] as number, 4 * i);
  return digest.toString("hex");
}

/** To whole blocks of 64 bytes: a one bit, zeros, and the length in bits. */
function pad(text: Buffer): Buffer {
  const message = Buffer.alloc(Math.ceil((text.length + 9) / 64) * 64);
  text.copy(message);
  message[text.length] = 0x80;
  message.writeUInt32BE(text.length * 8, message.length - 4);
  return message;
}

const turn = (x: number, bits: number): number => (x >>> bits) | (x << (32 - bits));

/** One block into the state. Plain assignments: swapping with arrays takes five times as long in a fresh process. */
function mix(state: Int32Array, w: Int32Array, k: Int32Array): void {
  const at = (array: Int32Array, i: number): number => array[i] as number;
  for (let i = 16; i < 64; i++) {
    const x = at(w, i - 15);
    const y = at(w, i - 2);
    const small0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const small1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = at(w, i - 16) + small0 + at(w, i - 7) + small1;
  }
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let i = 0; i < 64; i++) {
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + at(k, i) + at(w, i)) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state.set([a, b, c, d, e, f, g, h].map((value, i) => at(state, i) + value));
}
