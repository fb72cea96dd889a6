// One command line from start to exit code: find the command, parse, run, print.

import { type App as Application, failureOf } from "../../app/app.js";
import { isOperation } from "../../app/catalogue.js";
import { findSpelling, spell } from "../../app/command-line.js";
import { exitCodeOf, type Failure, type Result, usage } from "../../app/vocabulary.js";
import { findCommand, suggestCommand } from "./catalogue.js";
import type { Answer, App, Command, Style } from "./command.js";
import type { Globals } from "./globals.js";
import { isRead, write } from "./output.js";
import { parse } from "./parse.js";
import { runOperation } from "./run-operation.js";
import { errorStyle } from "./style.js";
import type { Terminal } from "./view.js";

export const wantsJson = (words: readonly string[]): boolean => words.includes("--json");

export interface Program {
  readonly globals: Globals;
  readonly app: Application;
  /** What commands are given that are not in the catalogue yet. */
  readonly legacy: App;
}

export async function runProgram({ globals, app, legacy }: Program): Promise<number> {
  const { words, json } = globals;
  const { style, cwd, print: printText, progress, readStdin, variable, interrupted } = legacy;
  const terminal: Terminal = {
    ...{ style, cwd, json, print: printText, progress, readStdin, variable, interrupted },
    get interactive() {
      return legacy.interactive;
    },
  };
  try {
    const found = globals.help ? undefined : findSpelling(words);
    if (found && isOperation(found.spelling.operation)) {
      return await runOperation({ spelling: found.spelling, words: found.rest, app, terminal });
    }
    return await runLegacy(globals, legacy);
  } catch (error) {
    return print(failureOf(error), json, legacy.style);
  }
}

async function runLegacy({ words, json, help, version }: Globals, app: App): Promise<number> {
  const [word = version ? "version" : "help", ...rest] = words;
  const command = await findCommand(word);
  if (!command) return print(await unknownCommand(word), json, app.style);
  return runCommand(command, [...(json ? ["--json"] : []), ...(help ? ["--help"] : []), ...rest], app);
}

async function runCommand(command: Command, words: readonly string[], app: App): Promise<number> {
  const input = await parse(command, words);
  if (!input.ok) return print(input, wantsJson(words), app.style);
  if (input.value.has("help")) {
    const { renderHelp } = await import("./help.js");
    write(1, renderHelp(command, app.style));
    return 0;
  }
  const { json } = input.value;
  const answered = await command.run(input.value, app);
  const code = print(answered, json, app.style);
  const failed = answered.ok && isRead() ? await answered.value.shown?.() : undefined;
  if (failed === undefined || failed.ok) return code;
  // The answer stands; another one on the same output would be no JSON any more.
  write(2, renderFailure(failed.error, errorStyle(app.style)));
  return exitCodeOf(failed.error.kind);
}

async function unknownCommand(word: string): Promise<Result<never>> {
  const meant = await suggestCommand(word);
  // What was meant may be a verb that removes something: its help is named, never the verb itself.
  const hint =
    meant === undefined
      ? "`planwright help` lists the commands."
      : `Did you mean "${meant}"? \`planwright help ${meant}\` explains it.`;
  return usage("unknown-command", `There is no command "${word.slice(0, 60)}".`, { hint });
}

function print(result: Result<Answer>, json: boolean, style: Style): number {
  if (json) {
    write(
      1,
      `${JSON.stringify(result.ok ? { ok: true, data: result.value.data } : { ok: false, error: shape(result.error) })}\n`,
    );
  } else if (result.ok) {
    const text = result.value.text(style);
    if (text !== "") write(1, `${text}\n`);
    const note = result.value.note?.(errorStyle(style));
    if (note !== undefined && note !== "") write(2, `${note}\n`);
  } else {
    write(2, renderFailure(result.error, errorStyle(style)));
  }
  return result.ok ? (result.value.exit ?? 0) : exitCodeOf(result.error.kind);
}

const shape = ({ reason, message, hint, details, next = [] }: Failure): object => ({
  reason,
  message,
  hint: hint ?? null,
  details: details ?? null,
  next: next.map((step) => ({ ...step, command: spell(step) })),
});

function renderFailure({ kind, message, hint, details, next = [] }: Failure, style: Style): string {
  const lines = [`${style.red("✗")} ${message}`];
  if (hint !== undefined) lines.push(`  ${style.dim("Hint:")} ${hint}`);
  for (const step of next) lines.push(`  ${spell(step)}`);
  if (kind === "bug" && typeof details?.["stack"] === "string") lines.push(style.dim(details["stack"]));
  return `${lines.join("\n")}\n`;
}
