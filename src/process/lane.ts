// A small shell that runs one command after another. To start a process, a program is copied first, and for one with much
// memory that takes milliseconds in which it can do nothing else; a shell is copied at once. The shell and what it runs
// are one group, so whoever ends the one ends the other, unless a command is made the leader of its own.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { adoptGroup, signalGroup } from "./group.js";
import { Heard } from "./heard.js";
import { streamsOf } from "./holders.js";
import { noteRunning } from "./orphans.js";
import type { Line } from "./told.js";

export interface LaneResult {
  /** Null if the shell itself is gone. */
  readonly code: number | null;
  /** False only if it is certain that the command did not begin. */
  readonly began: boolean;
  /** With what the shell says itself: that a signal ended the command, for example. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface LaneOptions {
  /** The last so many characters of each stream are kept. */
  readonly keep: number;
  /** Hears that the command begins, and its number if it leads a group of its own. */
  readonly onBegin?: (pid: number | undefined) => void;
}

/**
 * A wish to end is for the command: the shell stays to tell how that ended. A signal that is caught, not ignored, is as
 * usual again in what it starts.
 */
const BEGIN = "trap : TERM\n";

/** The last words of a shell that has ended may still be on their way; others may hold its streams for ever. */
const DRAIN_MS = 1_000;
/** How long a space and the code after it can be. */
const CODE = 4;
/** That a command begins is said before anything else. */
const NEAR = 10_000;

export class Lane {
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #mark = randomUUID();
  readonly #out: Heard;
  readonly #err: Heard;
  /** Whether everything that it said was heard. */
  readonly #gone: Promise<boolean>;
  #isGone = false;
  #isShared = false;
  #streams: readonly string[] | undefined;
  #hearBegin: ((text: string) => void) | undefined;

  /** Undefined where the system cannot start one more process. */
  static start(env: NodeJS.ProcessEnv): Lane | undefined {
    const shell = spawn("/bin/sh", [], { env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    shell.on("error", () => {});
    // Where files have run out, it has no streams either.
    return shell.pid === undefined ? undefined : new Lane(shell);
  }

  private constructor(shell: ChildProcessWithoutNullStreams) {
    this.#shell = shell;
    const letGo = adoptGroup(this.pid);
    const takeNoteAway = noteRunning(undefined, this.pid);
    this.#out = new Heard(shell.stdout, this.#mark);
    this.#err = new Heard(shell.stderr, this.#mark);
    shell.stderr.on("data", (text: string) => this.#hearBegin?.(text));
    shell.stdin.on("error", () => {});
    this.#gone = new Promise((done) => {
      shell.on("exit", () => {
        this.#isGone = true;
        letGo();
        takeNoteAway();
        const late = setTimeout(() => done(false), DRAIN_MS);
        shell.on("close", () => {
          clearTimeout(late);
          done(true);
        });
      });
    });
    shell.stdin.write(BEGIN);
    this.#hold(false);
  }

  get pid(): number | undefined {
    return this.#shell.pid;
  }

  /** The system's names for where it speaks. */
  get streams(): readonly string[] {
    return (this.#streams ??= streamsOf(this.pid));
  }

  /** Whether it can run another command, and nobody else was heard in what it says. */
  get isFit(): boolean {
    return !this.#isGone && !this.#isShared && !this.#out.isForeign && !this.#err.isForeign;
  }

  /** `line`: a command of the shell, which it runs in the foreground. One at a time. */
  async run(line: Line, { keep, onBegin }: LaneOptions): Promise<LaneResult> {
    const heard = Promise.all([this.#out.whole(keep + CODE), this.#err.whole(keep)]);
    let began = false;
    this.#awaitBegin((pid) => {
      began = true;
      onBegin?.(pid);
    });
    this.#hold(true);
    this.#shell.stdin.write(`${line(this.#mark)}\necho " $?${this.#mark}"; echo ${this.#mark} >&2\n`);
    const whole = await Promise.race([heard, this.#gone]);
    this.#hold(false);
    this.#hearBegin = undefined;
    if (typeof whole === "boolean") {
      return { code: null, began: began || !whole, ...this.heard() };
    }
    const [out, stderr] = whole;
    const end = out.lastIndexOf(" ");
    return {
      code: Number(out.slice(end)),
      began,
      stdout: out.slice(Math.max(0, end - keep), end),
      stderr: this.#own(stderr),
    };
  }

  /** What was said of late, for whoever does not wait for the end. */
  heard(): Pick<LaneResult, "stdout" | "stderr"> {
    return { stdout: this.#out.take(), stderr: this.#own(this.#err.take()) };
  }

  /** With everything that is in its group. */
  end(): void {
    signalGroup(this.pid, "SIGKILL");
    const { stdin, stdout, stderr } = this.#shell;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }

  #awaitBegin(onBegin: (pid: number | undefined) => void): void {
    const begin = new RegExp(`${this.#mark} (?:/proc/(\\d+))?\n`);
    let near = "";
    this.#hearBegin = (text) => {
      near = (near + text).slice(-NEAR);
      const found = begin.exec(near);
      if (!found) return;
      this.#hearBegin = undefined;
      onBegin(found[1] === undefined ? undefined : Number(found[1]));
    };
  }

  /** What the command said itself: what comes before its beginning is not its own. */
  #own(stderr: string): string {
    const at = stderr.lastIndexOf(`${this.#mark} `, NEAR);
    if (at < 0) return stderr;
    if (at > 0) this.#isShared = true;
    return stderr.slice(stderr.indexOf("\n", at) + 1);
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
