// How the command line shows what an operation answers. A view formats; it decides nothing.

import type { App } from "../../app/app.js";
import type { CatalogueName, OutputOf } from "../../app/catalogue.js";
import type { AppEvent } from "../../app/session.js";
import type { NextStep } from "../../graph/next-step.js";
import type { Result } from "../../graph/result.js";
import type { Style } from "./command.js";
import type { Input } from "./read-words.js";

/** The terminal, or whatever stands in its place. */
export interface Terminal {
  readonly style: Style;
  /** A person is at the keyboard. */
  readonly interactive: boolean;
  /** The answer is wanted as JSON. */
  readonly json: boolean;
  readonly cwd: string;
  print(text: string): void;
  progress(text: string): void;
  readStdin(): Promise<Uint8Array>;
  /** Of the environment. */
  variable(name: string): string | undefined;
  /** Aborted by Ctrl-C, from the first call on. */
  interrupted(): AbortSignal;
}

export interface View<Output = unknown> {
  /** Completes the input with what only a terminal has: a file, standard input, an answer to a question. */
  prepare?(input: Input, terminal: Terminal, app: App): Promise<Result<Input>>;
  /** While the operation runs. */
  onEvent?(event: AppEvent, terminal: Terminal): void;
  /** The answer, on standard output. */
  text(output: Output, style: Style): string;
  /** What else a person should know, on standard error. */
  note?(output: Output, style: Style): string;
  /** What to do next, on standard error. */
  next?(output: Output): readonly NextStep[];
  /** The report of an operation that found problems: the details of its failure. */
  problems?(details: Readonly<Record<string, unknown>>, style: Style): string;
  /** What follows once all of it is printed, and only then. */
  after?(output: Output, terminal: Terminal, app: App): Promise<Result<unknown>>;
}

export type ViewOf<Name extends CatalogueName> = View<OutputOf<Name>>;
