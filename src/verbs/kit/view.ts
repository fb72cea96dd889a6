// How the command line shows what an operation answers. A view formats; it decides nothing.

import type { NextStep } from "../../model/next-step.js";
import type { Failure, Result } from "../../model/result.js";
import type { Input } from "./read-words.js";
import type { AppEvent } from "./session.js";
import type { Style } from "./style.js";
import type { PlanAsker } from "./verb.js";

export interface Terminal {
  readonly style: Style;
  readonly interactive: boolean;
  readonly json: boolean;
  readonly cwd: string;
  readonly print: (text: string) => void;
  readonly progress: (text: string) => void;
  readonly readStdin: () => Promise<Uint8Array>;
  readonly variable: (name: string) => string | undefined;
  /** Aborted by Ctrl-C, from the first call on. */
  readonly interrupted: () => AbortSignal;
}

export interface LiveDisplay {
  readonly onEvent: (event: AppEvent) => void;
  /** Before something else is printed; events may follow. */
  close(): void;
}

/** Lines to print. What is undefined, null or false prints none. */
export type Lines = readonly (string | undefined | null | false)[];

/** As one text, for standard output or standard error. */
export const joinLines = (shown: string | Lines): string =>
  typeof shown === "string" ? shown : shown.filter((line) => typeof line === "string").join("\n");

export type GivenFlags = ReadonlySet<string>;

export interface View<Output = unknown> {
  /** Flags that change how the answer is shown and nothing else, with their help. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Flags that only a terminal has and that `prepare` turns into input, with their help and, unless they are switches, the name of their value. */
  readonly inputs?: Readonly<Record<string, readonly [help: string, label?: string]>>;
  /** Completes the input with what only a terminal has: a file, standard input, an answer to a question. */
  prepare?(input: Input, terminal: Terminal, app: PlanAsker): Promise<Result<Input>>;
  /** Not used for JSON. */
  readonly live?: (terminal: Terminal) => LiveDisplay;
  /** The answer, on standard output. What only programs ask for has no words of its own: it is printed as JSON. */
  text?(output: Output, style: Style, given: GivenFlags): string | Lines | Promise<string | Lines>;
  /** What else a person should know, on standard error. */
  note?(output: Output, style: Style, given: GivenFlags): string | Lines;
  /** What to do next, on standard error. */
  next?(output: Output): readonly NextStep[] | Promise<readonly NextStep[]>;
  /** The message of a refused input, in the words of the command line, if the usual wording would not do. */
  reword?(message: string, input: Input): string;
  /** The report of an operation that found problems: the details of its failure. */
  problems?(details: object, style: Style): string | Lines;
  /** Failures of another kind whose details are such a report, by their reason. */
  readonly reports?: readonly string[];
  /** The answer to give in place of any failure; the failure itself goes to standard error. */
  rescue?(failure: Failure, app: PlanAsker): Output;
  /** What follows once all of it is printed, and only then. */
  after?(output: Output, asked: After): Promise<Result<unknown>>;
}

export interface After {
  readonly terminal: Terminal;
  readonly app: PlanAsker;
  readonly input: Input;
  readonly given: GivenFlags;
}
