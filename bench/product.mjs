// The program under test: a copy of `dist`, so that a build in the middle of a run changes nothing.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PACKAGE = resolve(import.meta.dirname, "..");

/** Everything that a run makes, removed at its end. */
export const scratch = mkdtempSync(join(process.env["PLANWRIGHT_BENCH_DIR"] ?? tmpdir(), "planwright-bench-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const dist = join(scratch, "package", "dist");
if (!existsSync(join(PACKAGE, "dist/planwright.cjs"))) throw new Error("There is no build: run `npm run build` first.");
cpSync(join(PACKAGE, "dist"), dist, { recursive: true });
symlinkSync(join(PACKAGE, "node_modules"), join(scratch, "package", "node_modules"));

export const BIN = join(dist, "planwright.cjs");
export const LIBRARY = join(dist, "index.mjs");

/** A person, and nothing of what the machine's settings might add. */
export const ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  XDG_STATE_HOME: join(scratch, "state"),
  NO_COLOR: "1",
  PLANWRIGHT_ACTOR: "human:bench",
  PLANWRIGHT_SECRET: "be".repeat(32),
  PLANWRIGHT_CONFIG: join(scratch, "config"),
};

/** Runs a command that must succeed; its output. */
export function planwright(root, args) {
  const child = spawnSync(process.execPath, [BIN, ...args], {
    cwd: root,
    env: ENVIRONMENT,
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (child.status !== 0) throw new Error(`planwright ${args.join(" ").slice(0, 200)}: ${child.stdout}${child.stderr}`);
  return child.stdout;
}

/** An empty store, with nothing in it but its schema. */
export async function makeStore(root) {
  const { App } = await import(LIBRARY);
  const app = new App({ folder: root, env: ENVIRONMENT });
  await app.folder().create(async () => ({ ok: true, value: {} }));
  await app.close();
}
