// Prints what an operation answered, or why it did not: data on standard output, everything else on standard error.

import { exitCodeOf, type Failure } from "../../model/result.js";
import type { App, OfferedStep } from "../../verbs/app.js";
import { answerEnvelope, failureEnvelope } from "../../verbs/envelope.js";
import { isTerminal, write } from "../../verbs/kit/output.js";
import { spell } from "../../verbs/kit/spell.js";
import { errorStyle, type Style } from "../../verbs/kit/style.js";
import { type GivenFlags, joinLines, type Terminal, type View } from "../../verbs/kit/view.js";
import { harmless, withinLine } from "../../verbs/kit/wording.js";
import { wrapText } from "../../verbs/text/fit.js";
import { safeOutput } from "../../verbs/text/safe-output.js";

interface Where {
  readonly app: App;
  readonly terminal: Terminal;
}

export async function showAnswer(answer: unknown, view: View, given: GivenFlags, { app, terminal }: Where) {
  if (terminal.json) {
    write(1, `${JSON.stringify(answerEnvelope(app, answer))}\n`);
    return;
  }
  const output = safeOutput(answer);
  const text = joinLines(
    (await view.text?.(output, terminal.style, given)) ?? harmless(JSON.stringify(output, null, 2)),
  );
  if (text !== "") write(1, `${text}\n`);
  const style = errorStyle(terminal.style);
  const note = joinLines(view.note?.(output, style, given) ?? "");
  if (note !== "") write(2, `${prose(note)}\n`);
  const steps = app.offer((await view.next?.(output)) ?? []);
  for (const line of stepLines(steps, style)) write(2, `${line}\n`);
}

/** Broken between words on a screen; a file or a pipe gets it as it is. */
const prose = (text: string): string => (isTerminal(2) ? wrapText(text, process.stderr.columns || 80, "  ") : text);

/** What removes something is never offered as a command to copy. */
const stepLines = (steps: readonly OfferedStep[], style: Style): string[] =>
  steps.map((step) => {
    if (step.destructive) return `  ${step.summary} (${step.operation.replace(".", " ")})`;
    return `  ${withinLine(spell(step))}${step.summary === "" ? "" : `   ${style.dim(step.summary)}`}`;
  });

export async function showFailure(failure: Failure, { app, terminal }: Where, view?: View): Promise<number> {
  const { kind, reason, message, details } = failure;
  if (view?.rescue) {
    write(2, `${withinLine(message)}\n`);
    await showAnswer(view.rescue(failure, app), view, new Set(), { app, terminal });
    return 0;
  }
  if (terminal.json) {
    write(1, `${JSON.stringify(failureEnvelope(app, failure))}\n`);
    return exitCodeOf(kind);
  }
  const style = errorStyle(terminal.style);
  const isReport = kind === "problems" || view?.reports?.includes(reason);
  if (isReport && details && view?.problems) {
    write(1, `${joinLines(view.problems(safeOutput(details) as object, terminal.style))}\n`);
  } else if (message !== "") {
    const lines = [`${style.red("✗")} ${prose(withinLine(message))}`];
    if (kind === "bug" && typeof details?.["stack"] === "string") lines.push(style.dim(details["stack"]));
    write(2, `${lines.join("\n")}\n`);
  }
  for (const line of stepLines(app.offer(failure.next ?? []), style)) write(2, `${line}\n`);
  return exitCodeOf(kind);
}
