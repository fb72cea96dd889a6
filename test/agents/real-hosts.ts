// A real coding agent with Planwright installed into it by `planwright install`, in a home of its own, and a scripted model.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { makeRig, type Rig } from "../rig.js";
import { SECRET } from "../secret.js";
import { furnish, realAgent } from "./real.js";
import { type ModelRequest, type ScriptedModel, startScriptedModel } from "./scripted-model.js";
import type { Step } from "./wire.js";

export interface HostRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the model knows so far. */
export class Seen {
  readonly #request: Pick<ModelRequest, "turns">;

  constructor(request: Pick<ModelRequest, "turns">) {
    this.#request = request;
  }

  /** Some message or result has these words. */
  has(words: string): boolean {
    return this.#request.turns.some(
      ({ text, results }) => text.includes(words) || results.some((result) => result.includes(words)),
    );
  }
}

/** Someone who reads a screen and types. */
export class Typist {
  readonly #child: ChildProcessWithoutNullStreams;
  #screen = "";
  #read = 0;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    // Where the cursor goes does not matter; a space keeps words apart that stand beside each other.
    // oxlint-disable-next-line no-control-regex -- these are the signs that move it
    const moves = /\u001b(?:\[[\d;?<>=]*[A-Za-z]|\][^\u0007]*\u0007|[()][A-Z0-9]|.)/g;
    child.stdout.on("data", (chunk: Buffer) => (this.#screen += chunk.toString().replace(moves, " ")));
  }

  /** Waits until this is on the screen, after what was waited for before. A key that comes too early is lost, so it is typed again. */
  async sees(words: RegExp, key = ""): Promise<void> {
    for (;;) {
      const found = words.exec(this.#screen.slice(this.#read));
      if (found) {
        this.#read += found.index + found[0].length;
        return;
      }
      if (this.#child.exitCode !== null) throw new Error(`It ended without ${words}:\n${this.#screen.slice(-3000)}`);
      const waiting = new AbortController();
      const { signal } = waiting;
      const happened = [once(this.#child.stdout, "data", { signal }), once(this.#child, "close", { signal })];
      this.types(key);
      await Promise.race(happened);
      waiting.abort();
      await Promise.allSettled(happened);
    }
  }

  types(keys: string): void {
    this.#child.stdin.write(keys);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, "close");
    // What keeps the terminal ends with the agent. The other way round the agent would go on writing for a while.
    const [, pid] = /pid (\d+)/.exec(this.#screen) ?? [];
    if (pid === undefined) this.#child.kill("SIGKILL");
    else process.kill(Number(pid), "SIGKILL");
    await closed;
  }
}

export type HostScript = (seen: Seen, request: Omit<ModelRequest, "step">) => Step;

export class RealHost {
  readonly rig: Rig;
  readonly home: string;
  readonly model: ScriptedModel;
  readonly #command: string;
  readonly #env: Readonly<Record<string, string>>;
  /** May be exchanged between runs. */
  script: HostScript = () => ({ text: "Nothing to do." });

  private constructor(name: string, command: string, rig: Rig, model: ScriptedModel) {
    this.rig = rig;
    this.home = join(rig.root, "home");
    this.model = model;
    this.#command = command;
    mkdirSync(join(this.home, "tmp"), { recursive: true });
    this.#env = furnish(command, realAgent(name).setup, this.home, model.url).env;
  }

  static async open(name: string): Promise<RealHost> {
    const { command = "" } = realAgent(name);
    const rig = makeRig();
    let host: RealHost | undefined;
    const model = await startScriptedModel({ script: (request) => host?.script(new Seen(request), request) });
    onTestFinished(() => model.close());
    host = new RealHost(name, command, rig, model);
    rig.git("init", "-q", "-b", "main");
    rig.write(".gitignore", ".planwright\nhome\n");
    rig.git("add", "-A");
    rig.git("commit", "-qm", "beginning");
    // The agent's environment does not hold the secret that starts the plan: like yours, it is a file beside the settings.
    mkdirSync(rig.config, { recursive: true });
    writeFileSync(join(rig.config, "secret"), `${SECRET}\n`, { mode: 0o600 });
    rig.ok(["init", "--mission", "Ship it"]);
    rig.ok(["add", "Login", "--tier", "feature", "--id", "FEAT-A"]);
    rig.ok(["add", "Write a", "--id", "T-a", "--parent", "FEAT-A", "--file", "a.txt", "--check", "test -f a.txt"]);
    rig.ok(["approve", "FEAT-A"]);
    return host;
  }

  #user(more: Readonly<Record<string, string>> = {}): { env: Record<string, string> } {
    const codex = this.#env["CODEX_HOME"];
    return { env: { HOME: this.home, ...(codex === undefined ? {} : { CODEX_HOME: codex }), ...more } };
  }

  install(...args: readonly string[]): void {
    this.rig.ok(["install", ...args], this.#user());
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true });
    writeFileSync(join(this.home, path), text);
  }

  /** Every file below its home that is there now, with its bytes. */
  files(...folders: readonly string[]): Record<string, string> {
    const found = folders.flatMap((folder) => {
      const top = join(this.home, folder);
      if (!existsSync(top)) return [];
      return readdirSync(top, { recursive: true, encoding: "utf8" }).map((path) => join(top, path));
    });
    return Object.fromEntries(
      found.filter((path) => statSync(path).isFile()).map((path) => [path, readFileSync(path, "latin1")]),
    );
  }

  #environment(): Record<string, string> {
    const { state, config } = this.rig;
    return { ...this.#env, XDG_STATE_HOME: state, PLANWRIGHT_CONFIG: config, USER: "ada" };
  }

  start(args: readonly string[]): ChildProcessWithoutNullStreams {
    return spawn(this.#command, [...args], { cwd: this.rig.root, env: this.#environment(), stdio: "pipe" });
  }

  /** One run of the agent, with the prompt on its standard input. */
  async run(args: readonly string[], prompt: string): Promise<HostRun> {
    const child = this.start(args);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.end(prompt);
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout, stderr };
  }

  /** The agent at a terminal, as a person starts it. Resolves with a hand that types once something is to be seen. */
  atTerminal(args: readonly string[]): Typist {
    const env = { ...this.#environment(), TERM: "xterm-256color", SHELL: "/bin/sh" };
    const command = `echo pid $$; stty cols 160 rows 50; exec '${this.#command}' ${args.map((word) => `'${word}'`).join(" ")}`;
    const child = spawn("script", ["-qefc", command, "/dev/null"], { cwd: this.rig.root, env, stdio: "pipe" });
    const typist = new Typist(child);
    onTestFinished(() => typist.end());
    return typist;
  }

  /** A setting of the person, in the home of the agent. */
  configure(key: string, value: string): void {
    this.rig.ok(["config", "set", key, value], this.#user());
  }

  /** Prompts of a reviewer: none, unless a test asks for reviews. */
  reviews(): string[] {
    const turns = this.model.requests.flatMap((request) => request.turns);
    return turns.map(({ text }) => text).filter((text) => text.includes("# Your role: reviewer"));
  }

  status(id: string): string {
    return (this.rig.ok(["show", id]) as { status: string }).status;
  }
}
