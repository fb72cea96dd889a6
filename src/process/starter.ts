// Starts short commands, such as git's, through small shells: as many as there are commands at once.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { descendantsOf, killEach } from "./group.js";
import { canBeSaid, Lane, type LaneResult, quoted } from "./lane.js";
import type { RunResult } from "./run.js";

export interface Short {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Besides what the shells were started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
}

/** What a shell can hand over without a process beside it. */
const SMALL = 4_000;
const END = "PLANWRIGHT_END_OF_INPUT";

export class Starter {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #free: Lane[] = [];
  #count = 0;

  /** `within`: where what its commands read lies until they have. */
  constructor(within: string, env: NodeJS.ProcessEnv) {
    mkdirSync(within, { recursive: true });
    removeAbandoned(within);
    this.#folder = mkdtempSync(join(within, `${process.pid}-`));
    this.#env = env;
    process.once("exit", () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** Undefined if it cannot be said to a shell. */
  run({ command, args, cwd, env, input, timeoutMs }: Short): Promise<RunResult> | undefined {
    const words = [command, ...args];
    if (!canBeSaid([...words, ...Object.values(env), cwd])) return undefined;
    const settings = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}; `);
    const told = `cd ${quoted(cwd)} && ${settings.join("")}exec ${words.map(quoted).join(" ")}`;
    return this.#ask(`( ${told} )`, input, timeoutMs);
  }

  async #ask(told: string, input: string | undefined, timeoutMs: number): Promise<RunResult> {
    const started = performance.now();
    const file = input === undefined || isHandy(input) ? undefined : join(this.#folder, `${++this.#count}.in`);
    if (input !== undefined && file !== undefined) writeFileSync(file, input);
    const lane = this.#free.pop() ?? new Lane(this.#env);
    let endedBy: RunResult["endedBy"] = "itself";
    const timer = setTimeout(() => {
      endedBy = "timeout";
      killEach(descendantsOf(lane.pid));
    }, timeoutMs);
    const result = await lane.run(`${told} ${inputOf(input, file)}`);
    clearTimeout(timer);
    if (!lane.isGone) this.#free.push(lane);
    if (file !== undefined) rmSync(file, { force: true });
    return { endedBy, ...said(result), durationMs: Math.round(performance.now() - started) };
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
const said = ({ code, stdout, stderr }: LaneResult): Omit<RunResult, "endedBy" | "durationMs"> => ({
  exitCode: code !== null && code > 129 ? null : code,
  signal: null,
  output: stdout + stderr,
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
