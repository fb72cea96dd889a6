// One command line from start to exit code: find the command, parse, run, print.

import { exitCodeOf, type Failure, type Result, usage } from "../../actions/vocabulary.js";
import { findCommand, suggestCommand } from "./catalogue.js";
import type { Answer, App, Command, Style } from "./command.js";
import { isRead, isTerminal, write } from "./output.js";
import { parse } from "./parse.js";
import { makeStyle } from "./style.js";

/** Flags that a person may write before the command as well. */
export const wantsJson = (words: readonly string[]): boolean => words.includes("--json");

export async function runProgram(words: readonly string[], app: App): Promise<number> {
  const json = wantsJson(words);
  try {
    const command = await findCommand(words[0] ?? "help");
    if (!command) return print(await unknownCommand(words[0] as string), json, app.style);
    return await runCommand(command, words.slice(1), app);
  } catch (error) {
    const known = (error as { failure?: Failure }).failure;
    return print({ ok: false, error: known ?? bug(error) }, json, app.style);
  }
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

function bug(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof Error ? { stack: error.stack } : {};
  return {
    kind: "bug",
    reason: "bug",
    message: `This is a bug in planwright: ${message}`,
    hint: "Nothing of the command was kept. Please report it with the command that you typed.",
    details,
  };
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

const errorStyle = (style: Style): Style => (style.colours && !isTerminal(2) ? makeStyle(false, style.columns) : style);

const shape = ({ reason, message, hint, details }: Failure): object => ({
  reason,
  message,
  hint: hint ?? null,
  details: details ?? null,
});

function renderFailure({ kind, message, hint, details }: Failure, style: Style): string {
  const lines = [`${style.red("✗")} ${message}`];
  if (hint !== undefined) lines.push(`  ${style.dim("Hint:")} ${hint}`);
  if (kind === "bug" && typeof details?.["stack"] === "string") lines.push(style.dim(details["stack"]));
  return `${lines.join("\n")}\n`;
}
