// Reads of several moments at the same time, and states that cannot be used.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newPlan } from "../../../test/random-walk.js";
import { openBeside } from "../dialects/sqlite/plan-beside.js";
import { KeptStates } from "./kept-states.js";
import { PastMoments } from "./past-store.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-past-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("opens at most two databases for eight reads at once", async () => {
  const path = join(folder, "plan.db");
  const { store } = await newPlan(path);
  let opened = 0;
  const moments = new PastMoments({
    open: (file) => {
      opened++;
      return openBeside(path, file);
    },
    states: null,
    distances: { near: 0, changesApart: 6 },
  });
  const last = await store.read((reader) => reader.lastOperation());
  const seen = await Promise.all(Array.from({ length: 8 }, () => moments.read(last, (r) => r.lastOperation())));
  expect(seen).toEqual(Array.from({ length: 8 }, () => last));
  expect(opened).toBeLessThanOrEqual(2);
  await moments.close();
  await expect(moments.read(last, async () => 1)).rejects.toThrow("closed");
  await store.close();
});

it("drops a state that has other columns, and reads from the plan", async () => {
  const path = join(folder, "plan.db");
  const { store } = await newPlan(path);
  const states = new KeptStates(`${path}-past`);
  const moments = new PastMoments({
    open: (file) => openBeside(path, file),
    states,
    distances: { near: 0, changesApart: 1 },
  });
  const plan = await openBeside(path);
  const row = await plan.get("select op, link from live.operation order by op desc limit 1");
  await plan.close();
  const [op, link] = [Number(row?.["op"]), String(row?.["link"])];
  const older = async (file: string): Promise<void> => {
    const db = await openBeside(path, file);
    await db.run("create table main.node (nr integer primary key)");
    await db.close();
  };
  await states.keep(op, link, older, 9);
  const [state] = states.list();
  expect(state).toBeDefined();
  expect(await moments.read(op, (reader) => reader.lastOperation())).toBe(op);
  expect(existsSync((state as { file: string }).file)).toBe(false);
  await moments.close();
  await store.close();
});
