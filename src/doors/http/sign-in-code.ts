// One-time codes that you type to sign in: short enough to type, and of no use to a program that guesses or finds one sealed.

import { randomBytes, randomInt, scrypt, timingSafeEqual } from "node:crypto";
import type { SealedCode } from "../../verbs/services/running-boards.js";

/** Crockford's base 32: no letter that looks like a digit or like another letter. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 40 bits, against five tries. */
const LENGTH = 8;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
export const CODE_MS = 10 * 60_000;

/** As it is shown: `7K2M-Q9XD`. */
export function makeCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return `${letters.slice(0, LENGTH / 2).join("")}-${letters.slice(LENGTH / 2).join("")}`;
}

const LOOKS_LIKE: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/** What was typed, in any case, with or without the hyphen. Undefined if it can be no code: then nothing needs to be tried. */
export function readCode(typed: string): string | undefined {
  if (typed.length > 60) return undefined;
  const letters = typed.toUpperCase().replace(/[\s-]/g, "");
  const code = letters.replace(/[OIL]/g, (letter) => LOOKS_LIKE[letter] ?? letter);
  return CODE.test(code) ? code : undefined;
}

/** Slow on purpose: whoever reads a sealed code in a file cannot try all codes before it expires. */
const derive = (code: string, salt: string): Promise<Buffer> =>
  new Promise((done, failed) =>
    scrypt(code, salt, 32, (error, key) => {
      if (error) failed(error);
      else done(key);
    }),
  );

export async function sealCode(code: string, until: number): Promise<SealedCode> {
  const salt = randomBytes(16).toString("hex");
  const key = await derive(readCode(code) ?? code, salt);
  return { salt, key: key.toString("hex"), until };
}

export async function isSealed(code: string, sealed: SealedCode): Promise<boolean> {
  const expected = Buffer.from(sealed.key, "hex");
  const found = await derive(code, sealed.salt);
  return expected.length === found.length && timingSafeEqual(expected, found);
}
