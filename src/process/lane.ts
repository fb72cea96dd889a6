// A small shell that runs one command after another. To start a process, a program is copied first, and for one with much
// memory that takes milliseconds in which it can do nothing else; a shell is copied at once. The shell and what it runs
// are one group, so whoever ends the one ends the other.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { adoptGroup, signalGroup } from "./group.js";
import { noteRunning } from "./orphans.js";

export interface LaneResult {
  /** Null if the shell itself is gone. */
  readonly code: number | null;
  /** With what the shell says itself: that a signal ended the command, for example. */
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A wish to end is for the command: the shell stays to tell how that ended. A signal that is caught, not ignored, is as
 * usual again in what it starts.
 */
const BEGIN = "trap : TERM\n";

export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Every byte but one can stand in a word. */
export const canBeSaid = (words: readonly string[]): boolean => words.every((word) => !word.includes("\0"));

/** One stream of the shell, up to the mark at the end of each command. */
class Heard {
  readonly #mark: string;
  #text = "";
  #whole: ((text: string) => void) | undefined;

  constructor(stream: Readable, mark: string) {
    this.#mark = `${mark}\n`;
    stream.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
      if (this.#text.endsWith(this.#mark)) this.#whole?.(this.take().slice(0, -this.#mark.length));
    });
  }

  whole(): Promise<string> {
    return new Promise((done) => {
      this.#whole = done;
    });
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

export class Lane {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #mark = randomUUID();
  readonly #out: Heard;
  readonly #err: Heard;
  readonly #gone: Promise<void>;
  #isGone = false;

  constructor(env: NodeJS.ProcessEnv) {
    this.#shell = spawn("/bin/sh", [], { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    const letGo = adoptGroup(this.pid);
    const takeNoteAway = noteRunning(undefined, this.pid);
    this.#out = new Heard(this.#shell.stdout, this.#mark);
    this.#err = new Heard(this.#shell.stderr, this.#mark);
    this.#shell.stdin.on("error", () => {});
    this.#gone = new Promise((done) => {
      const end = (): void => {
        this.#isGone = true;
        letGo();
        takeNoteAway();
        done();
      };
      this.#shell.on("error", end).on("close", end);
    });
    this.#shell.stdin.write(BEGIN);
    this.#hold(false);
  }

  get pid(): number | undefined {
    return this.#shell.pid;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** `line`: a command of the shell, which it runs in the foreground. One at a time. */
  async run(line: string): Promise<LaneResult> {
    const heard = Promise.all([this.#out.whole(), this.#err.whole()]);
    this.#hold(true);
    this.#shell.stdin.write(`${line}\necho " $?${this.#mark}"; echo ${this.#mark} >&2\n`);
    const whole = await Promise.race([heard, this.#gone]);
    this.#hold(false);
    if (!whole) return { code: null, stdout: this.#out.take(), stderr: this.#err.take() };
    const [out, stderr] = whole;
    const end = out.lastIndexOf(" ");
    return { code: Number(out.slice(end)), stdout: out.slice(0, end), stderr };
  }

  /** With everything that is in its group. */
  end(): void {
    signalGroup(this.pid, "SIGKILL");
  }

  /** While nothing is waited for, the program may end. */
  #hold(on: boolean): void {
    const { stdin, stdout, stderr } = this.#shell;
    for (const handle of [this.#shell, stdin, stdout, stderr] as { ref?(): void; unref?(): void }[]) {
      if (on) handle.ref?.();
      else handle.unref?.();
    }
  }
}
