// Real processes that are killed without warning while they write: whatever was said to be done is there,
// and nothing is half done.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everything, StorePlan } from "../../../../test/store-plan.js";
import { buildWriter, killAfter, type WriterScript } from "../../../../test/writer-process.js";
import { createStore } from "../../open/create.js";
import { openStore } from "../../open/open.js";
import { openSqlite, type SqliteOptions } from "./sqlite.js";

/** `npm run test:full` kills ten thousand. */
const FULL = process.env["PLANWRIGHT_TEST_FULL"] === "1";
const KILLS = FULL ? 10_000 : 20;

/** So many writers at once. */
const WRITERS = FULL ? 8 : 2;

/** A plan is looked at whole after each group of kills, so it must not grow for ever. */
const KILLS_PER_PLAN = 40;

const folder = mkdtempSync(join(tmpdir(), "planwright-crash-"));
const optionsOf = (plan: number): SqliteOptions => ({
  path: join(folder, `plan-${plan}.db`),
  durability: "normal",
  engine: "auto",
});

let script: WriterScript;
beforeAll(async () => {
  script = await buildWriter();
});
afterAll(() => {
  script.remove();
  rmSync(folder, { recursive: true, force: true });
});

// oxlint-disable-next-line vitest/expect-expect -- it looks at the whole plan after each group of kills.
it(`survives ${KILLS} kills of its writers`, { timeout: 120_000 + KILLS * 1_000 }, async () => {
  let options = optionsOf(0);
  for (let killed = 0; killed < KILLS; killed += WRITERS) {
    if (killed % KILLS_PER_PLAN === 0) {
      options = optionsOf(killed);
      const { store } = await createStore(options);
      await new StorePlan(store).add({ id: "M", tier: "mission" }, { id: "F", tier: "feature", parent: "M" });
      await store.close();
    }
    const writers = Array.from({ length: WRITERS }, (_, n) => script.start(options.path, `W${killed + n + 1}`));
    const reported = await Promise.all(writers.map((writer) => killAfter(writer, 1 + Math.floor(Math.random() * 20))));
    await expectWhole(options, reported.flat());
  }
});

async function expectWhole(options: SqliteOptions, reported: readonly number[]): Promise<void> {
  const store = await openStore(options);
  const { differences, log } = await store.verify();
  expect({ differences, broken: log.broken, cut: store.cut }).toEqual({ differences: [], broken: null, cut: null });
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
