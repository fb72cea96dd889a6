// What the command line does without asking the application for an operation: help, version and completion.

import { ok, type Result, usage } from "../../model/result.js";
import type { App } from "../../verbs/app.js";
import { allSpellings, findSpelling } from "../../verbs/kit/spell.js";
import type { Style } from "../../verbs/kit/style.js";
import { ASK, candidates, completionScript, SHELLS } from "./completion.js";
import { describe, describeAll } from "./describe.js";
import { allPage, commandPage, dailyPage, nounPage } from "./help.js";
import { unknownCommand } from "./refused-words.js";

export interface Local {
  readonly app: App;
  readonly style: Style;
  readonly version: string;
}

export interface LocalAnswer {
  readonly text: string;
  readonly data: unknown;
}

export async function runLocal(words: readonly string[], local: Local): Promise<Result<LocalAnswer>> {
  const [first, ...rest] = words;
  if (first === "version") return ok({ text: local.version, data: { version: local.version } });
  if (first === "completion") return completion(rest);
  return first === ASK ? complete(rest, local) : help(rest, local);
}

export async function help(words: readonly string[], { style }: Pick<Local, "style">): Promise<Result<LocalAnswer>> {
  const named = words.filter((word) => word !== "--all").join(" ");
  if (named === "") {
    const page = words.includes("--all") ? await allPage(style) : await dailyPage(style);
    return ok({ text: page, data: await describeAll() });
  }
  const command = findSpelling(words)?.spelling.words ?? named;
  const page = (await commandPage(command, style)) ?? (await nounPage(named, style));
  if (page === undefined) return unknownCommand(words);
  const spelling = allSpellings().find((each) => each.words === command);
  return ok({ text: page, data: spelling ? ((await describe(spelling)) ?? null) : null });
}

function completion([name = ""]: readonly string[]): Result<LocalAnswer> {
  const shell = SHELLS.find((each) => each === name);
  if (!shell) {
    const message = `There is no completion for "${name.slice(0, 60)}". Known shells are ${SHELLS.join(", ")}.`;
    return usage("unknown-shell", message);
  }
  const script = completionScript(shell);
  return ok({ text: script.trimEnd(), data: { shell, script } });
}

async function complete(words: readonly string[], { app }: Local): Promise<Result<LocalAnswer>> {
  // After "--", so that no word of the line is taken for a flag of this command.
  const typed = words[0] === "--" ? words.slice(1) : words;
  const found = await candidates(typed.length === 0 ? [""] : typed, app);
  return ok({ text: found.map(({ word, help: what }) => `${word}\t${what}`).join("\n"), data: found });
}
