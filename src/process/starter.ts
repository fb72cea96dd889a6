// Starts short commands, such as git's, through small shells: as many as there are commands at once.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Lanes, type ShortResult } from "./lanes.js";
import { type RunResult, run } from "./run.js";
import { canBeTold, lineOf, quoted, type Told } from "./told.js";

export interface Short extends Told {
  readonly input?: string | undefined;
  readonly timeoutMs: number;
  /** The last so many characters of the output are kept. */
  readonly keep: number;
}

/** What a shell can hand over without a process beside it. */
const SMALL = 4_000;
const END = "PLANWRIGHT_END_OF_INPUT";

const folders = new Set<string>();

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

export class Starter {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #lanes: Lanes;
  #count = 0;

  /** `within`: where what its commands read lies until they have. */
  constructor(within: string, env: NodeJS.ProcessEnv) {
    mkdirSync(within, { recursive: true });
    removeAbandoned(within);
    this.#folder = mkdtempSync(join(within, `${process.pid}-`));
    this.#env = env;
    this.#lanes = new Lanes(env);
    if (folders.size === 0) process.once("exit", removeFolders);
    folders.add(this.#folder);
  }

  async run(short: Short): Promise<RunResult> {
    const started = performance.now();
    const said = canBeTold(short) ? await this.#ask(short) : undefined;
    if (said) return { ...resultOf(said, short.keep), durationMs: Math.round(performance.now() - started) };
    const { input, env, ...rest } = short;
    return run({ ...rest, env: { ...this.#env, ...env }, ...(input === undefined ? {} : { input }) });
  }

  /** Undefined if the command did not begin. */
  async #ask(short: Short): Promise<ShortResult | undefined> {
    const { input } = short;
    const file = input === undefined || isHandy(input) ? undefined : join(this.#folder, `${++this.#count}.in`);
    try {
      if (input !== undefined && file !== undefined) writeFileSync(file, input);
      return await this.#lanes.run(lineOf(short, { streams: inputOf(input, file) }), short);
    } catch {
      // Its folder is gone, or full.
      return undefined;
    } finally {
      if (file !== undefined) rmSync(file, { force: true });
    }
  }
}

/** Whether it can stand in the shell's own text as it is: whole lines, and not many. */
const isHandy = (input: string): boolean =>
  input.length < SMALL && input.endsWith("\n") && !input.includes("\0") && !input.includes(END);

function inputOf(input: string | undefined, file: string | undefined): string {
  if (file !== undefined) return `< ${quoted(file)}`;
  return input === undefined ? "< /dev/null" : `<< '${END}'\n${input}${END}`;
}

/** The shell tells of a signal by a number above 128; git itself ends with 128 or 129. */
const resultOf = ({ endedBy, code, stdout, stderr }: ShortResult, keep: number): Omit<RunResult, "durationMs"> => ({
  endedBy,
  exitCode: code !== null && code > 129 ? null : code,
  signal: null,
  // Two long texts together may be more than one can be.
  output: stdout.slice(Math.max(0, stdout.length + stderr.length - keep)) + stderr,
  stdout,
});

/** What programs that were killed have left. */
function removeAbandoned(within: string): void {
  for (const name of readdirSync(within)) {
    try {
      process.kill(Number.parseInt(name, 10), 0);
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === "ESRCH";
      if (isGone) rmSync(join(within, name), { recursive: true, force: true });
    }
  }
}
