// A workspace with the built program serving its board.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { BIN, Rig } from "../rig.js";

export class Served extends Rig {
  #child: ChildProcess | undefined;
  #port = 0;

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts the server and answers with the address that it prints; a second time, on the same port. */
  async serve(...flags: readonly string[]): Promise<string> {
    const args = [BIN, "board", "--no-open", "--json", "--port", String(this.#port), ...flags];
    const child = spawn(process.execPath, args, {
      cwd: this.root,
      env: this.environment(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const address = await new Promise<string>((resolve, reject) => {
      let printed = "";
      child.stdout.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
        const line = printed.split("\n").find((each) => each.includes('"address"'));
        if (line !== undefined) resolve((JSON.parse(line) as { data: { address: string } }).data.address);
      });
      child.on("exit", (code) => reject(new Error(`planwright board exited with ${code}: ${printed}`)));
    });
    this.#port = Number(new URL(address).port);
    return address;
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
