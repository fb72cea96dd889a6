// What version of a program is installed, by the package that it belongs to: for programs that take seconds to say it.

import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { findPlainFile } from "../../base/plain-file.js";
import { isRecord, parseLine } from "./one-shot.js";

/** Undefined for a file that no package near it calls its command. */
export async function packageVersion(file: string): Promise<string | undefined> {
  const program = await realpath(file).catch(() => file);
  for (let folder = dirname(program); folder !== dirname(folder); folder = dirname(folder)) {
    const text = findPlainFile(join(folder, "package.json"));
    if (text === undefined) continue;
    const { version, bin } = parseLine(text) ?? {};
    const commands = isRecord(bin) ? Object.values(bin) : [bin];
    const isIts = commands.some((command) => typeof command === "string" && resolve(folder, command) === program);
    return isIts && typeof version === "string" ? version : undefined;
  }
  return undefined;
}
