// Starts short commands through a small shell. To start a process, a program is copied first, and for one with much
// memory that takes milliseconds in which it can do nothing else; a shell is copied at once.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { adoptGroup, descendantsOf, killEach } from "./group.js";
import { LineCutter } from "./lines.js";
import { noteRunning } from "./orphans.js";
import type { RunResult } from "./run.js";

export interface Short {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Besides what the shell was started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | undefined;
  readonly timeoutMs: number;
}

/** It goes on until those that it has started have ended, so that whoever ends it ends them. */
const SCRIPT = 'while IFS= read -r line; do eval "$line"; done; wait';

interface Waiting {
  pid: number | undefined;
  done(code: number | null): void;
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const isOneLine = (words: readonly string[]): boolean => words.every((word) => !/[\n\0]/.test(word));

export class Starter {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #waiting = new Map<number, Waiting>();
  #shell: ChildProcessByStdio<Writable, Readable, null> | undefined;
  #count = 0;

  /** `within`: where the output of its commands lies until it was read. */
  constructor(within: string, env: NodeJS.ProcessEnv) {
    mkdirSync(within, { recursive: true });
    removeAbandoned(within);
    this.#folder = mkdtempSync(join(within, `${process.pid}-`));
    this.#env = env;
    process.once("exit", () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** Undefined if it cannot be said in one line. */
  run({ command, args, cwd, env, input, timeoutMs }: Short): Promise<RunResult> | undefined {
    const settings = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}; `);
    const words = [command, ...args];
    if (!isOneLine([...words, ...settings, cwd])) return undefined;
    const started = performance.now();
    const id = ++this.#count;
    const file = (name: string): string => join(this.#folder, `${id}.${name}`);
    if (input !== undefined) writeFileSync(file("in"), input);
    const from = input === undefined ? "/dev/null" : quoted(file("in"));
    const told = `cd ${quoted(cwd)} && ${settings.join("")}exec ${words.map(quoted).join(" ")}`;
    const line = `( (${told}) < ${from} > ${quoted(file("out"))} 2> ${quoted(file("err"))}; echo ${id} $? ) & echo ${id} p$!\n`;
    return this.#ask(id, line, timeoutMs).then(({ code, endedBy }) => {
      const [stdout, stderr] = [this.#take(file("out")), this.#take(file("err"))];
      if (input !== undefined) rmSync(file("in"), { force: true });
      const durationMs = Math.round(performance.now() - started);
      // The shell tells of a signal by a number above 128; git itself ends with 128 or 129.
      const exitCode = code !== null && code > 129 ? null : code;
      return { endedBy, exitCode, signal: null, output: stdout + stderr, stdout, durationMs };
    });
  }

  #take(path: string): string {
    try {
      const text = readFileSync(path, "utf8");
      rmSync(path, { force: true });
      return text;
    } catch {
      return "";
    }
  }

  #ask(id: number, line: string, timeoutMs: number): Promise<{ code: number | null; endedBy: RunResult["endedBy"] }> {
    return new Promise((done) => {
      let endedBy: RunResult["endedBy"] = "itself";
      const timer = setTimeout(() => {
        endedBy = "timeout";
        killEach(descendantsOf(this.#waiting.get(id)?.pid));
      }, timeoutMs);
      const shell = this.#running();
      this.#waiting.set(id, {
        pid: undefined,
        done: (code) => {
          clearTimeout(timer);
          this.#waiting.delete(id);
          if (this.#waiting.size === 0) hold(shell, false);
          done({ code, endedBy });
        },
      });
      hold(shell, true);
      shell.stdin.write(line);
    });
  }

  #running(): ChildProcessByStdio<Writable, Readable, null> {
    if (this.#shell) return this.#shell;
    const shell = spawn("/bin/sh", ["-c", SCRIPT], {
      env: this.#env,
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const letGo = adoptGroup(shell.pid);
    const takeNoteAway = noteRunning(undefined, shell.pid);
    const lines = new LineCutter();
    shell.stdout.setEncoding("utf8").on("data", (text: string) => {
      for (const line of lines.cut(text)) this.#hear(line);
    });
    shell.stdin.on("error", () => {});
    let gone = false;
    const end = (): void => {
      if (gone) return;
      gone = true;
      letGo();
      takeNoteAway();
      this.#shell = undefined;
      for (const waiting of this.#waiting.values()) waiting.done(null);
    };
    shell.on("error", end).on("close", end);
    this.#shell = shell;
    return shell;
  }

  /** `7 p123`: the seventh is process 123. `7 0`: it has ended with 0. */
  #hear(line: string): void {
    const [, id, isPid, number] = /^(\d+) (p?)(\d+)$/.exec(line) ?? [];
    const waiting = this.#waiting.get(Number(id));
    if (!waiting) return;
    if (isPid === "p") waiting.pid = Number(number);
    else waiting.done(Number(number));
  }
}

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

/** While nothing is waited for, the program may end. */
function hold(shell: ChildProcessByStdio<Writable, Readable, null>, on: boolean): void {
  for (const handle of [shell, shell.stdin, shell.stdout] as { ref?(): void; unref?(): void }[]) {
    if (on) handle.ref?.();
    else handle.unref?.();
  }
}
