// Real processes that are killed without warning while they write: whatever was said to be done is there,
// and nothing is half done.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everything, StorePlan } from "../../../../test/store-plan.js";
import { buildWriter, killAfter, type WriterScript } from "../../../../test/writer-process.js";
import { createStore } from "../../create.js";
import { openStore } from "../../open.js";
import { openSqlite, type SqliteOptions } from "./sqlite.js";

const KILLS = 20;

const folder = mkdtempSync(join(tmpdir(), "planwright-crash-"));
const options: SqliteOptions = { path: join(folder, "plan.db"), durability: "normal", engine: "auto" };

let script: WriterScript;
beforeAll(async () => {
  script = await buildWriter();
});
afterAll(() => {
  script.remove();
  rmSync(folder, { recursive: true, force: true });
});

// oxlint-disable-next-line vitest/expect-expect -- it looks at the whole plan after each pair of kills.
it(`survives ${KILLS} kills of its writers`, { timeout: 120_000 }, async () => {
  const { store } = await createStore(options);
  await new StorePlan(store).add({ id: "M", tier: "mission" }, { id: "F", tier: "feature", parent: "M" });
  await store.close();
  for (let killed = 0; killed < KILLS; killed += 2) {
    const pair = [1, 2].map((n) => script.start(options.path, `W${killed + n}`));
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
  const db = await openSqlite(options);
  expect(await db.get("pragma integrity_check")).toEqual({ integrity_check: "ok" });
  expect(await db.all("pragma foreign_key_check")).toEqual([]);
  await db.close();
}
