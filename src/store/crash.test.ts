// Real processes that are killed without warning while they write: whatever was said to be done is there,
// and nothing is half done.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everything, StorePlan } from "../../test/store-plan.js";
import { createStore } from "./create.js";
import { openStore } from "./open.js";
import { openSqlite, type SqliteOptions } from "./sqlite.js";

const ROOT = join(import.meta.dirname, "../..");
const KILLS = 20;

/** Inside the repository, where the SQLite engine is found. */
const cache = join(ROOT, "node_modules/.cache");
const script = join(cache, `planwright-crash-${process.pid}.mjs`);
const folder = mkdtempSync(join(tmpdir(), "planwright-crash-"));
const options: SqliteOptions = { path: join(folder, "plan.db"), durability: "normal", engine: "auto" };

beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  await build({
    entryPoints: [join(ROOT, "test/fixtures/writer.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
});
afterAll(() => {
  rmSync(script, { force: true });
  rmSync(folder, { recursive: true, force: true });
});

/** Kills the writer after some of its reports; the numbers of the operations that it had reported. */
function killAfter(writer: ChildProcess, reports: number): Promise<number[]> {
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

// oxlint-disable-next-line vitest/expect-expect -- it looks at the whole plan after each pair of kills.
it(`survives ${KILLS} kills of its writers`, { timeout: 120_000 }, async () => {
  const { store } = await createStore(options);
  await new StorePlan(store).add({ id: "M", tier: "mission" }, { id: "F", tier: "feature", parent: "M" });
  await store.close();
  for (let killed = 0; killed < KILLS; killed += 2) {
    const pair = [1, 2].map((n) => spawn(process.execPath, [script, options.path, `W${killed + n}`]));
    for (const writer of pair) writer.stderr?.pipe(process.stderr);
    const reported = await Promise.all(pair.map((writer) => killAfter(writer, 1 + Math.floor(Math.random() * 20))));
    await expectWhole(reported.flat());
  }
});

async function expectWhole(reported: readonly number[]): Promise<void> {
  const store = await openStore(options);
  const { differences } = await store.verify();
  expect(differences).toEqual([]);
  const { nodes, operations } = await store.read(async (reader) => ({
    nodes: await everything(reader),
    operations: await reader.operations({ limit: 1_000_000 }),
  }));
  // Numbers without a gap, and among them everything that a writer had reported.
  expect(operations.map(({ op }) => op).reverse()).toEqual(operations.map((_, i) => i + 1));
  expect(Math.max(...reported)).toBeLessThanOrEqual(operations.length);
  // Every story came with its three tasks, or not at all.
  const stories = nodes.filter((node) => node.tier === "story");
  expect(stories.filter((story) => story.live !== 3)).toEqual([]);
  await store.close();
  const db = openSqlite(options);
  expect(await db.get("pragma integrity_check")).toEqual({ integrity_check: "ok" });
  expect(await db.all("pragma foreign_key_check")).toEqual([]);
  await db.close();
}
