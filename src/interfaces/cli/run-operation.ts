// One operation from the words that were typed to the exit code: read the words, ask the application, show the answer.

import { type App, failureOf, type OfferedStep } from "../../app/app.js";
import { loadOperation } from "../../app/catalogue.js";
import { type Spelling, spell } from "../../app/command-line.js";
import type { Operation } from "../../app/operation.js";
import type { Issue } from "../../app/schema.js";
import { exitCodeOf, type Failure, type NextStep, ok, type Result } from "../../app/vocabulary.js";
import type { Style } from "./command.js";
import { type CliField, type CliFields, fieldsOf, viewFlag } from "./fields.js";
import { isRead, isTerminal, write } from "./output.js";
import { type Input, readWords, type Unreadable } from "./read-words.js";
import { errorStyle } from "./style.js";
import type { Given, Terminal, View } from "./view.js";
import { loadView } from "./views.js";
import { wrapText } from "./wrap-text.js";

export interface Asked {
  readonly spelling: Spelling;
  readonly words: readonly string[];
  readonly app: App;
  readonly terminal: Terminal;
}

export async function runOperation(asked: Asked): Promise<number> {
  const { spelling, words, app, terminal } = asked;
  const name = spelling.operation;
  const [operation, view] = [await loadOperation(name), await loadView(name)];
  const fields = fieldsOf(operation, spelling);
  const viewFlags = Object.entries(view.flags ?? {}).map(([flag, help]) => viewFlag(spelling, flag, [help]));
  const inputs = Object.entries(view.inputs ?? {}).map(([flag, help]) => viewFlag(spelling, flag, help));
  const read = readWords(spelling, { ...fields, flags: [...fields.flags, ...inputs, ...viewFlags] }, words);
  if ("problem" in read) return showFailure(asked, await unreadable(spelling, fields, read));
  const given = takeFlags(read.input, viewFlags);
  const input = await caught(view, async () => view.prepare?.(read.input, terminal, app) ?? ok(read.input));
  const answered = input.ok ? await caught(view, () => answerOf(asked, view, input.value)) : input;
  if (!input.ok) return showFailure(asked, input.error, view);
  if (!answered.ok) {
    const { error } = answered;
    const message = view.reword?.(error.message, input.value) ?? error.message;
    if (message !== error.message) return showFailure(asked, { ...error, message }, view);
    return showFailure(asked, inCommandWords(error, operation, spelling, fields), view);
  }
  await showAnswer(asked, answered.value, view, given);
  const after = isRead() ? await view.after?.(answered.value, { terminal, app, input: input.value, given }) : undefined;
  // The answer stands; another one on the same output would be no JSON any more.
  if (after === undefined || after.ok) return 0;
  return showFailure({ ...asked, terminal: withoutJson(terminal) }, after.error);
}

/** A view that rescues failures rescues thrown ones too. */
async function caught<T>(view: View, run: () => Promise<Result<T>>): Promise<Result<T>> {
  if (!view.rescue) return run();
  try {
    return await run();
  } catch (error) {
    return failureOf(error);
  }
}

const withoutJson = (terminal: Terminal): Terminal => Object.create(terminal, { json: { value: false } }) as Terminal;

/** Takes the view's own flags out of the input. */
function takeFlags(input: Input, flags: readonly CliField[]): Given {
  const given = new Set<string>();
  for (const { name } of flags) {
    if (input[name] === true) given.add(name);
    delete input[name];
  }
  return given;
}

async function answerOf({ spelling, app, terminal }: Asked, view: View, input: Input): Promise<Result<unknown>> {
  const live = terminal.json ? undefined : view.live?.(terminal);
  const isPersonThere = terminal.interactive && !terminal.json;
  try {
    return await app.ask(spelling.operation, input, {
      ...(live && { onEvent: (event) => live.onEvent(event) }),
      ...(isPersonThere && {
        confirm: async (question) => (await import("./ask.js")).askYes(question),
        ask: async (key, question) => {
          live?.close();
          return (await import("./ask.js")).askEscalation(key, question);
        },
      }),
    });
  } finally {
    live?.close();
  }
}

async function unreadable(spelling: Spelling, { positional, flags }: CliFields, read: Unreadable): Promise<Failure> {
  const { unknownSubcommand } = await import("./unknown-command.js");
  const subcommand = positional.length === 0 ? unknownSubcommand(spelling.words, read.extra) : undefined;
  if (read.extra !== undefined && subcommand?.ok === false) return subcommand.error;
  const failure: Failure = { kind: "usage", reason: "usage", message: `${spelling.words} ${read.problem}.` };
  if (read.unknown === undefined) return failure;
  const { nearest } = await import("./nearest.js");
  const meant = nearest(
    read.unknown.replace(/^-+/, ""),
    flags.map(({ flag }) => flag),
  );
  return { ...failure, reason: "unknown-flag", ...(meant === undefined ? {} : { hint: `Did you mean --${meant}?` }) };
}

/** An input that was refused, in the words of the command line: flags instead of fields. */
function inCommandWords(failure: Failure, operation: Operation, spelling: Spelling, fields: CliFields): Failure {
  if (failure.reason !== "invalid-input") return failure;
  const issues = (failure.details?.["issues"] ?? []) as readonly Issue[];
  const missing = issues.find(({ problem, path }) => problem === "is missing" && path.length === 1);
  const example = operation.examples[0];
  if (missing && example) {
    const field = [...fields.positional, ...fields.flags].find(({ name }) => name === missing.path[0]);
    const what = field && fields.positional.includes(field) ? field.label : `--${field?.flag ?? ""}`;
    return {
      ...failure,
      message: `${spelling.words} needs ${what}. For example: ${spell({ operation: operation.name, input: example.input })}`,
    };
  }
  const named = issues.map(({ path: [first, ...rest], problem }) => {
    const field =
      fields.flags.find(({ name }) => name === first) ?? fields.positional.find(({ name }) => name === first);
    const what =
      field === undefined
        ? String(first ?? spelling.words)
        : fields.flags.includes(field)
          ? `--${field.flag}`
          : field.label;
    const at = rest.length === 0 || (rest.length === 1 && field?.many) ? "" : ` (${rest.join(".")})`;
    return `${what}${at} ${problem}`;
  });
  return { ...failure, message: `${named.join(", and ")}.` };
}

async function showAnswer(
  { app, terminal }: Pick<Asked, "app" | "terminal">,
  output: unknown,
  view: View,
  given: Given,
): Promise<void> {
  if (terminal.json) {
    write(1, `${JSON.stringify({ ok: true, data: await withCommands(app, output) })}\n`);
    return;
  }
  const text = await view.text(output, terminal.style, given);
  if (text !== "") write(1, `${text}\n`);
  const style = errorStyle(terminal.style);
  const note = view.note?.(output, style, given) ?? "";
  if (note !== "") write(2, `${prose(note)}\n`);
  const steps = await app.offer((await view.next?.(output)) ?? []);
  for (const line of stepLines(steps, style)) write(2, `${line}\n`);
}

/** Broken between words on a screen; a file or a pipe gets it as it is. */
const prose = (text: string): string => (isTerminal(2) ? wrapText(text, process.stderr.columns || 80, "  ") : text);

/** Steps in an answer, with the commands that a program would type. */
async function withCommands(app: App, output: unknown): Promise<unknown> {
  const { next } = (output ?? {}) as { next?: readonly NextStep[] };
  if (!Array.isArray(next)) return output;
  return { ...(output as object), next: (await app.offer(next)).map(toJson) };
}

/** What removes something is never offered as a command to copy. */
const stepLines = (steps: readonly OfferedStep[], style: Style): string[] =>
  steps.map((step) => {
    if (step.destructive) return `  ${step.summary} (${step.operation.replace(".", " ")})`;
    return `  ${spell(step)}${step.summary === "" ? "" : `   ${style.dim(step.summary)}`}`;
  });

/** A step for a program that uses the command line. */
function toJson(step: OfferedStep): object {
  const { operation, input, needs, who, destructive } = step;
  return { operation, input, needs, who, ...(destructive ? { destructive } : { command: spell(step) }) };
}

async function showFailure({ app, terminal }: Asked, failure: Failure, view?: View): Promise<number> {
  const { kind, reason, message, hint, details } = failure;
  if (view?.rescue) {
    write(2, `${message}\n`);
    await showAnswer({ app, terminal }, view.rescue(), view, new Set());
    return 0;
  }
  const next = await app.offer(failure.next ?? []);
  if (terminal.json) {
    const error = { reason, message, hint: hint ?? null, details: details ?? null, next: next.map(toJson) };
    write(1, `${JSON.stringify({ ok: false, error })}\n`);
    return exitCodeOf(kind);
  }
  const isReport = kind === "problems" || view?.reports?.includes(reason);
  if (isReport && details && view?.problems) {
    write(1, `${view.problems(details, terminal.style)}\n`);
  } else if (message !== "") {
    const style = errorStyle(terminal.style);
    const lines = [`${style.red("✗")} ${prose(message)}`, ...(hint === undefined ? [] : [`  ${prose(hint)}`])];
    if (kind === "bug" && typeof details?.["stack"] === "string") lines.push(style.dim(details["stack"]));
    write(2, `${lines.join("\n")}\n`);
  }
  for (const line of stepLines(next, errorStyle(terminal.style))) write(2, `${line}\n`);
  return exitCodeOf(kind);
}
