// Text from a file or, for `-`, from standard input.

import { readFileSync } from "node:fs";
import { absent, ok, type Result, usage } from "../../app/vocabulary.js";
import type { App } from "./command.js";

export async function readText(from: string, app: App): Promise<Result<string>> {
  if (from === "-") return decode(await app.readStdin(), "Standard input");
  try {
    return decode(readFileSync(from), from);
  } catch (error) {
    return absent("no-file", `${from} cannot be read: ${(error as Error).message}.`, {
      hint: "Name a file that exists, or - for standard input.",
    });
  }
}

/** Bytes that are no text are refused: replaced by question marks they would be lost without a word. */
function decode(bytes: Uint8Array, where: string): Result<string> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return usage("bad-encoding", `${where} is not UTF-8 text.`, {
      hint: "Save it as UTF-8, then run the command again.",
    });
  }
}
