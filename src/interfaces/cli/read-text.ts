// Text from a file or, for `-`, from standard input.

import { readFileSync } from "node:fs";
import { absent, ok, type Result } from "../../actions/vocabulary.js";
import type { App } from "./command.js";

export async function readText(from: string, app: App): Promise<Result<string>> {
  if (from === "-") return ok(await app.readStdin());
  try {
    return ok(readFileSync(from, "utf8"));
  } catch (error) {
    return absent("no-file", `${from} cannot be read: ${(error as Error).message}.`, {
      hint: "Name a file that exists, or - for standard input.",
    });
  }
}
