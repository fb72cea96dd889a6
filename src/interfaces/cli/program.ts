// One command line from start to exit code: find the command, parse, run, print.

import { type App as Application, failureOf } from "../../app/app.js";
import { isOperation } from "../../app/catalogue.js";
import { findSpelling, spell } from "../../app/command-line.js";
import { exitCodeOf, type Failure, type Result } from "../../app/vocabulary.js";
import { findCommand } from "./catalogue.js";
import type { Answer, App, Command, Style } from "./command.js";
import type { Globals } from "./globals.js";
import type { LocalAnswer } from "./local-command.js";
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
    const found = findSpelling(words);
    const isDeclared = found && isOperation(found.spelling.operation);
    const local = localWords(globals, isDeclared ? found.spelling.words : undefined);
    const { runLocal } = local ? await import("./local-command.js") : { runLocal: undefined };
    const answered = local && (await runLocal?.(local, { app, style, version: legacy.version }));
    if (answered) return printLocal(answered, json, style);
    if (isDeclared) return await runOperation({ spelling: found.spelling, words: found.rest, app, terminal });
    return await runLegacy(globals, legacy);
  } catch (error) {
    return print(failureOf(error), json, legacy.style);
  }
}

const LOCAL: ReadonlySet<string> = new Set(["help", "version", "completion", "completion-words"]);

/** The words of a local command, if that is what was typed. */
function localWords({ words, help, version }: Globals, declared: string | undefined): readonly string[] | undefined {
  const [first] = words;
  if (first === undefined) return version ? ["version"] : ["help"];
  if (LOCAL.has(first)) return words;
  return help && declared !== undefined ? ["help", ...declared.split(" ")] : undefined;
}

function printLocal(answered: Result<LocalAnswer>, json: boolean, style: Style): number {
  if (!answered.ok) return print(answered, json, style);
  const { text, data } = answered.value;
  write(1, `${json ? JSON.stringify({ ok: true, data }) : text}\n`);
  return 0;
}

async function runLegacy({ words, json, help, version }: Globals, app: App): Promise<number> {
  const [word = version ? "version" : "help", ...rest] = words;
  const command = await findCommand(word);
  if (!command) return print(await (await import("./unknown-command.js")).unknownCommand(words), json, app.style);
  return runCommand(command, [...(json ? ["--json"] : []), ...(help ? ["--help"] : []), ...rest], app);
}

async function runCommand(command: Command, words: readonly string[], app: App): Promise<number> {
  const input = await parse(command, words);
  if (!input.ok) return print(input, wantsJson(words), app.style);
  const { json } = input.value;
  const answered = await command.run(input.value, app);
  const code = print(answered, json, app.style);
  const failed = answered.ok && isRead() ? await answered.value.shown?.() : undefined;
  if (failed === undefined || failed.ok) return code;
  // The answer stands; another one on the same output would be no JSON any more.
  write(2, renderFailure(failed.error, errorStyle(app.style)));
  return exitCodeOf(failed.error.kind);
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
