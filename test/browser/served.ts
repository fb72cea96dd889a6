// A workspace with the built program serving its board.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { BIN, Rig } from "../rig.js";

/** What the program prints: where the page is, and the code that opens it once. */
export interface Opening {
  readonly address: string;
  readonly code: string;
}

export class Served extends Rig {
  #child: ChildProcess | undefined;
  #port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the server and answers with what it prints; a second time, on the same port. */
  async serve(...flags: readonly string[]): Promise<Opening> {
    const args = [BIN, "board", "--no-open", "--json", "--port", String(this.#port), ...flags];
    const child = spawn(process.execPath, args, {
      cwd: this.root,
      env: this.environment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const opening = await new Promise<Opening>((resolve, reject) => {
      let printed = "";
      child.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        const line = printed.split("\n").find((each) => each.includes('"address"'));
        if (line !== undefined) resolve((JSON.parse(line) as { data: Opening }).data);
      });
      child.on("exit", (code) => reject(new Error(`planwright board exited with ${code}: ${printed}`)));
    });
    this.#port = Number(new URL(opening.address).port);
    return opening;
  }

  /** For another browser, as from another terminal. */
  another(): Opening {
    return this.ok(["board", "--code"]) as Opening;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  override remove(): void {
    this.#child?.kill("SIGKILL");
    super.remove();
  }
}
