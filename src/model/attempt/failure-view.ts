// How a failed check looks, everywhere the same: what failed, the first error, and the last lines, each on a line of its own.

import type { CheckResult } from "../node/node.js";
import { hasFailed } from "./proof-strength.js";

/** Colours, links and other orders to a terminal. */
// oxlint-disable-next-line no-control-regex
const CODES = /\u001B\](?:[^\u0007\u001B]*)(?:\u0007|\u001B\\)|\u001B\[[0-?]*[ -/]*[@-~]|\u001B[@-Z\\-_]|\r(?=\n)/g;

export const withoutTerminalCodes = (output: string): string => output.replace(CODES, "");

/** A line that tells of success. What it names is not to blame. */
const PASSING = [
  /^\s*(?:[✓✔√]|PASS(?:ED)?|ok|--- PASS:)(?:\s|$)/,
  /\s(?:PASSED|\.\.\. ok|\.\.\. PASSED)(?:\s+\[\s*\d+%\])?$/,
  // pytest: a dot for each test of a file.
  /^\S+\.py\s+[.sxX]+(?:\s+\[\s*\d+%\])?$/,
];

export const isPassing = (line: string): boolean => PASSING.some((form) => form.test(line));

/** Words and marks with which tools begin an error. */
const ERROR =
  /\b(?:\w*error|err!|fail(?:ed|ure|ures)?|fatal|panic(?:ked)?|\w*exception|traceback|unhandled|uncaught|cannot|could not|not found|unexpected)\b|\bnot ok\b|^\s*[✗✘✖×]\s|^E\s/i;

/** What a summary says of errors that did not happen. */
const NONE = /\b(?:0|no) (?:errors?|failures?|failed|unhandled)\b|\b(?:errors?|failures?|failed|fail):? 0\b/i;

const isError = (line: string): boolean => ERROR.test(line) && !NONE.test(line) && !isPassing(line);

/** A whole stack trace is longer than what anybody reads first. */
const FIRST_LINES = 3;
const LAST_LINES = 5;
const LINE_LENGTH = 300;

const shorten = (line: string): string => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line);

const gap = (lines: number): string[] => (lines === 0 ? [] : [`… ${lines} more ${lines === 1 ? "line" : "lines"} …`]);

const linesOf = (output: string): string[] =>
  withoutTerminalCodes(output)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");

/** The first error and the last lines of an output. What is left out between them is counted. */
export function excerptOf(output: string): string[] {
  const lines = linesOf(output);
  const tail = Math.max(0, lines.length - LAST_LINES);
  const found = lines.findIndex(isError);
  const first = found < 0 ? tail : Math.min(found, tail);
  const rest = Math.min(first + FIRST_LINES, tail);
  const isShort = lines.length <= FIRST_LINES + LAST_LINES + 2;
  const shown = isShort
    ? lines
    : [...gap(first), ...lines.slice(first, rest), ...gap(tail - rest), ...lines.slice(tail)];
  return shown.map(shorten);
}

export const failedSentence = ({ run, outcome }: Pick<CheckResult, "run" | "outcome">): string =>
  `The check \`${run}\` failed: ${outcome}.`;

/** One sentence for where only one fits, with the first error if the output names one. */
export function failureGist(check: Pick<CheckResult, "run" | "outcome" | "output">): string {
  const error = linesOf(check.output).find(isError)?.trim();
  return error === undefined ? failedSentence(check) : `${failedSentence(check)} ${shorten(error)}`;
}

/** Every check that failed: its sentence, and below it the excerpt. */
export const failureLines = (checks: readonly CheckResult[]): string[] =>
  checks
    .filter(hasFailed)
    .flatMap((check) => [failedSentence(check), ...excerptOf(check.output).map((line) => `  ${line}`)]);

/** Below a sentence that names the check: one failure alone is its excerpt. */
export function failureDetails(checks: readonly CheckResult[]): string[] {
  const failed = checks.filter(hasFailed);
  return failed.length === 1 ? failed.flatMap(({ output }) => excerptOf(output)) : failureLines(failed);
}

/** Words about failed checks with their outputs, cut down to the first failure's gist. */
export function shortWrong(wrong: string, checks: readonly CheckResult[]): string {
  const first = checks.find(hasFailed);
  const at = first === undefined ? -1 : wrong.indexOf(failedSentence(first));
  return first === undefined || at < 0 ? wrong : wrong.slice(0, at) + failureGist(first);
}
