// A command is data and one function: its options, its help and its example are declared, and `run`
// turns parsed input into one answer.

import type { Context } from "../../actions/context.js";
import type { Result } from "../../graph/result.js";
import type { PlanningServices } from "../../planning/driver/services.js";

export interface Flag {
  readonly type: "boolean" | "string" | "number";
  readonly help: string;
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  /** What stands for the value in the help: `TEXT`, `REF`. */
  readonly value?: string;
  readonly min?: number;
  readonly max?: number;
  readonly whole?: boolean;
  /** The only values it takes. */
  readonly choices?: readonly string[];
}

export interface Argument {
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  readonly many?: boolean;
  /** It names a node: `--active`, `--story` and `--feature` may stand for it. */
  readonly reference?: boolean;
}

export const GROUPS = ["planning", "making", "deciding", "working", "looking", "tending"] as const;
export type Group = (typeof GROUPS)[number];

export interface Example {
  readonly run: string;
  readonly does: string;
}

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly group: Group;
  /** One line, for the list. */
  readonly summary: string;
  /** A few sentences, for its own help. */
  readonly description?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: Readonly<Record<string, Flag>>;
  readonly examples: readonly Example[];
  run(input: Input, app: App): Promise<Result<Answer>>;
}

/** What was typed, checked against the declaration. */
export interface Input {
  readonly args: readonly string[];
  readonly json: boolean;
  has(flag: string): boolean;
  text(flag: string): string | undefined;
  number(flag: string): number | undefined;
  /** Empty if the flag was not given. */
  list(flag: string): readonly string[];
}

export interface Answer {
  /** For `--json`. */
  readonly data: unknown;
  /** For people, on standard output. */
  text(style: Style): string;
  /** For people, on standard error: what happened besides, what to type next. */
  note?(style: Style): string;
  readonly exit?: number;
  /** What follows once all of it is printed, and only then. */
  shown?(): Promise<Result<unknown>>;
}

/** Colours on a terminal, plain text elsewhere. */
export interface Style {
  readonly columns: number;
  readonly colours: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  cyan(text: string): string;
}

export interface Engines {
  readonly planning: PlanningServices;
}

/** What `main` hands to the commands. */
export interface App {
  /** What plans, composed when first asked for. */
  engines(): Promise<Engines>;
  /** Aborted by Ctrl-C, from the first call on. */
  interrupted(): AbortSignal;
  /** The plan of this workspace, opened when first asked for. */
  open(): Promise<Context>;
  /** The workspace around here, or the one that `create` would make. */
  workspace(): { readonly root: string; readonly exists: boolean };
  /** Makes the store if there is none yet. */
  create(): Promise<{ context: Context; store: string }>;
  upgrade(): Promise<{ from: number; to: number; backup: string | null }>;
  readonly version: string;
  readonly cwd: string;
  /** A person is at the keyboard. */
  readonly interactive: boolean;
  readStdin(): Promise<Uint8Array>;
  /** Of the environment. */
  variable(name: string): string | undefined;
  /** Output before the answer: progress, a watched screen. */
  print(text: string): void;
  progress(text: string): void;
  readonly style: Style;
}
