// A flag that has to be there, because what it says is recorded.

import { ok, type Result, usage } from "../../app/vocabulary.js";
import type { Command, Input } from "./command.js";

export function requiredText(command: Pick<Command, "name">, input: Input, flag: string): Result<string> {
  const text = input.text(flag);
  if (text !== undefined && text.trim() !== "") return ok(text);
  return usage("usage", `planwright ${command.name} needs --${flag} TEXT: it is recorded.`, {
    hint: `\`planwright ${command.name} --help\` shows how.`,
  });
}
