// A real coding agent with Planwright installed into it by `planwright install`, in a home of its own, and a scripted model.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { makeRig, type Rig } from "../rig.js";
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

  /** One run of the agent, with the prompt on its standard input. */
  async run(args: readonly string[], prompt: string): Promise<HostRun> {
    const env = { ...this.#env, XDG_STATE_HOME: this.rig.state };
    const child = spawn(this.#command, [...args], { cwd: this.rig.root, env, stdio: "pipe" });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.end(prompt);
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout, stderr };
  }

  status(id: string): string {
    return (this.rig.ok(["show", id]) as { status: string }).status;
  }
}
