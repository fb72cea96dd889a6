// A second process that writes to a plan until it is killed (fixtures/writer.ts).

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

export interface WriterScript {
  start(path: string, name: string): ChildProcess;
  remove(): void;
}

/** Built inside the repository, where the SQLite engine is found. */
export async function buildWriter(): Promise<WriterScript> {
  const cache = join(ROOT, "node_modules/.cache");
  const script = join(cache, `planwright-writer-${process.pid}-${Math.random().toString(36).slice(2)}.mjs`);
  mkdirSync(cache, { recursive: true });
  await build({
    entryPoints: [join(ROOT, "test/fixtures/writer.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    loader: { ".sql": "text" },
    logLevel: "error",
  });
  return {
    start: (path, name) => {
      const writer = spawn(process.execPath, [script, path, name]);
      writer.stderr.pipe(process.stderr);
      return writer;
    },
    remove: () => rmSync(script, { force: true }),
  };
}

/** Kills the writer after some of its reports; the numbers of the operations that it had reported. */
export function killAfter(writer: ChildProcess, reports: number): Promise<number[]> {
  const reported: number[] = [];
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: writer.stdout as NodeJS.ReadableStream });
    lines.on("line", (line) => {
      reported.push(Number(line));
      if (reported.length === reports) setTimeout(() => writer.kill("SIGKILL"), Math.random() * 10);
    });
    writer.once("error", reject);
    writer.once("close", (code, signal) =>
      signal === "SIGKILL" ? resolve(reported) : reject(new Error(`The writer ended by itself with ${code}.`)),
    );
  });
}
