// What a process leaves in SQLite's write-ahead log when it closes the store.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { StorePlan } from "../../../../test/store-plan.js";
import { createStore } from "../../open/create.js";
import { openStore } from "../../open/open.js";
import type { SqliteOptions } from "./sqlite.js";

function newFile(): SqliteOptions {
  const folder = mkdtempSync(join(tmpdir(), "planwright-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { path: join(folder, "plan.db"), durability: "normal", engine: "auto" };
}

const sizeOfLog = ({ path }: SqliteOptions): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

it("is empty after much was written, although others have the file open", async () => {
  const file = newFile();
  const plan = new StorePlan((await createStore(file)).store);
  const other = new StorePlan(await openStore(file));
  await plan.add({ id: "M", tier: "mission", body: "long ".repeat(400_000) });
  expect(sizeOfLog(file)).toBeGreaterThan(1_000_000);
  await plan.store.close();
  expect(sizeOfLog(file)).toBe(0);
  expect((await other.node("M")).body).toHaveLength(2_000_000);
  await other.store.close();
});

it("may hold the little that a command wrote, and the next one sees it", async () => {
  const file = newFile();
  const plan = new StorePlan((await createStore(file)).store);
  await plan.add({ id: "M", tier: "mission" });
  await plan.store.close();
  const next = new StorePlan(await openStore(file));
  expect((await next.node("M")).id).toBe("M");
  await next.store.close();
});
