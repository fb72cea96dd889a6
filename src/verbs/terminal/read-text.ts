// Text from a file or, for `-`, from standard input.

import { readFileSync } from "node:fs";
import { messageOf } from "../../base/errors.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import type { Input } from "../kit/read-words.js";
import type { Terminal } from "../kit/view.js";

export async function readText(from: string, terminal: Pick<Terminal, "readStdin">): Promise<Result<string>> {
  if (from === "-") return decodeText(await terminal.readStdin(), "Standard input");
  try {
    return decodeText(readFileSync(from), from);
  } catch (error) {
    return absent("no-file", `${from} cannot be read: ${messageOf(error)}.`);
  }
}

/** Bytes that are not text are refused, because replacing them would lose them silently. */
export function decodeText(bytes: Uint8Array, where: string, options: { readonly ignoreBOM?: boolean } = {}) {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ...options }).decode(bytes));
  } catch {
    return usage("bad-encoding", `${where} is not UTF-8 text. Save it as UTF-8, then try again.`);
  }
}

export async function withBody(input: Input, terminal: Terminal): Promise<Result<Input>> {
  const { "body-file": file, ...rest } = input;
  if (typeof file !== "string") return ok(input);
  if (rest["body"] !== undefined) return usage("usage", "--body and --body-file cannot be given together.");
  const text = await readText(file, terminal);
  return text.ok ? ok({ ...rest, body: text.value }) : text;
}

export const BODY_FILE = ["read the body from a file, or - for standard input", "FILE"] as const;
