import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { StorePlan } from "../../../../test/store-plan.js";
import { createStore } from "../../open/create.js";
import { openStore } from "../../open/open.js";
import { describeStore } from "../../suite/store.suite.js";
import type { SqliteOptions } from "./sqlite.js";

const folder = mkdtempSync(join(tmpdir(), "planwright-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const options = (path: string): SqliteOptions => ({ path, durability: "normal", engine: "auto" });
const newFile = (): SqliteOptions => options(join(folder, `${++files}`, "plan.db"));

describeStore("in memory", async () => (await createStore(options(":memory:"))).store);
describeStore("in a file", async () => (await createStore(newFile())).store);

describe("a file without anything in it", () => {
  it("is no plan, and stays as it is", async () => {
    const file = newFile();
    mkdirSync(dirname(file.path));
    writeFileSync(file.path, "");
    await expect(openStore(file)).rejects.toMatchObject({ failure: { reason: "no-workspace" } });
    expect(readdirSync(dirname(file.path))).toEqual(["plan.db"]);
    expect(statSync(file.path).size).toBe(0);
  });

  it("becomes one when it is asked for", async () => {
    const file = newFile();
    mkdirSync(dirname(file.path));
    writeFileSync(file.path, "");
    const { store, created } = await createStore(file);
    expect(created).toBe(true);
    await store.close();
  });
});

describe("a file that several open at once", () => {
  it("shows each what the others wrote", async () => {
    const file = newFile();
    const one = new StorePlan((await createStore(file)).store);
    const two = new StorePlan(await openStore(file));
    await one.add({ id: "M", tier: "mission" });
    await one.set("M", { body: "from one" });
    expect((await two.node("M")).body).toBe("from one");
    await two.set("M", { title: "From two" });
    expect((await one.node("M")).title).toBe("From two");
    expect((await one.store.verify()).differences).toEqual([]);
    await one.store.close();
    await two.store.close();
  });

  it("lets a reader keep its moment while another writes", async () => {
    const file = newFile();
    const one = new StorePlan((await createStore(file)).store);
    const two = new StorePlan(await openStore(file));
    await one.add({ id: "M", tier: "mission" });
    await two.store.read(async (reader) => {
      const before = await reader.byId("M");
      await one.set("M", { body: "meanwhile" });
      expect(await reader.byId("M")).toEqual(before);
    });
    expect((await two.node("M")).body).toBe("meanwhile");
    await one.store.close();
    await two.store.close();
  });

  it("lets an operation be rehearsed while another one is under way", async () => {
    const file = newFile();
    const one = new StorePlan((await createStore(file)).store);
    const two = await openStore(file);
    await one.add({ id: "M", tier: "mission" });
    await one.commit(async (writer) => {
      const seen = await two.rehearse(Date.now, async (other) => ({ ok: true, value: await other.allocate(1) }));
      expect(seen).toEqual({ ok: true, value: await writer.allocate(1) });
      return [];
    });
    await two.close();
    await one.store.close();
  });

  it("waits its turn: writers of two connections never lose a change", async () => {
    const file = newFile();
    const one = new StorePlan((await createStore(file)).store);
    const two = new StorePlan(await openStore(file));
    await one.add({ id: "M", tier: "mission" });
    const count = (plan: StorePlan) => plan.set("M", (node) => ({ replans: node.replans + 1 }));
    for (let i = 0; i < 20; i++) await Promise.all([count(one), i % 2 ? Promise.resolve() : count(one)]);
    for (let i = 0; i < 20; i++) await count(two);
    expect((await one.node("M")).replans).toBe(50);
    await one.store.close();
    await two.store.close();
  });
});
