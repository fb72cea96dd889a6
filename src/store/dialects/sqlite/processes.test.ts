// Several plans in one process, and several processes on one plan.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followed } from "../../../../test/followed.js";
import { StorePlan } from "../../../../test/store-plan.js";
import { buildWriter, killAfter, type WriterScript } from "../../../../test/writer-process.js";
import { createStore } from "../../open/create.js";
import { openStore } from "../../open/open.js";
import type { SqliteOptions } from "./sqlite.js";
import { openSqlite } from "./sqlite.js";

const folder = mkdtempSync(join(tmpdir(), "planwright-processes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = (): SqliteOptions => ({
  path: join(folder, `${++files}`, "plan.db"),
  durability: "normal",
  engine: "auto",
});

const newPlan = async (file: SqliteOptions): Promise<StorePlan> => {
  const plan = new StorePlan((await createStore(file)).store);
  await plan.add({ id: "M", tier: "mission" }, { id: "F", tier: "feature", parent: "M" });
  return plan;
};

/** Another connection takes the write lock, and holds it until the result is called. */
async function holdLock(file: SqliteOptions): Promise<() => Promise<void>> {
  const other = await openSqlite(file);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let held: () => void = () => undefined;
  const holding = new Promise<void>((resolve) => {
    held = resolve;
  });
  const writing = other.write(async () => {
    held();
    await released;
    return { keep: false, value: undefined };
  });
  await holding;
  return async () => {
    release();
    await writing;
    await other.close();
  };
}

describe("several plans in one process", () => {
  it("keep their commits, reads and followers apart", async () => {
    const [one, two] = [await newPlan(newFile()), await newPlan(newFile())];
    const begin = await one.store.read((reader) => reader.lastOperation());
    const following = [followed(one.store, begin, 10), followed(two.store, begin, 10)];
    const titles: string[][] = [[], []];
    for (let i = 0; i < 10; i++) {
      await Promise.all([one.set("M", { title: `one ${i}` }), two.set("M", { title: `two ${i}` })]);
      for (const [at, plan] of [one, two].entries()) titles[at]?.push((await plan.node("M")).title);
    }
    const expected = Array.from({ length: 10 }, (_, i) => begin + 1 + i);
    expect(await Promise.all(following)).toEqual([expected, expected]);
    expect(titles).toEqual(["one", "two"].map((name) => Array.from({ length: 10 }, (_, i) => `${name} ${i}`)));
    for (const plan of [one, two]) {
      expect((await plan.store.verify()).differences).toEqual([]);
      await plan.store.close();
    }
  });

  it("do not wait for each other's locks, and a locked plan stops neither timers nor reads", async () => {
    const file = newFile();
    const [locked, free] = [await newPlan(file), await newPlan(newFile())];
    const release = await holdLock(file);
    let written = false;
    const waiting = locked.set("M", { title: "after the lock" }).then(() => {
      written = true;
    });
    let ticks = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (++ticks === 5) {
          clearInterval(timer);
          resolve();
        }
      }, 5);
    });
    await free.set("M", { title: "meanwhile" });
    expect((await free.node("M")).title).toBe("meanwhile");
    expect((await locked.node("M")).title).toBe("The mission M");
    expect(written).toBe(false);
    await release();
    await waiting;
    expect((await locked.node("M")).title).toBe("after the lock");
    await locked.store.close();
    await free.store.close();
  });

  it("let timers run during a large commit", async () => {
    const plan = await newPlan(newFile());
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await plan.add(...Array.from({ length: 5_000 }, (_, i) => ({ id: `T-${i}`, parent: "F" })));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
    await plan.store.close();
  });

  it("commit in the order in which they were asked, even after waiting for a lock", async () => {
    const file = newFile();
    const plan = await newPlan(file);
    const release = await holdLock(file);
    const commits = Array.from({ length: 5 }, (_, i) => plan.set("M", { title: `${i}` }));
    await release();
    const ops = await Promise.all(commits);
    expect(ops).toEqual([...ops].sort((a, b) => a - b));
    expect((await plan.node("M")).title).toBe("4");
    await plan.store.close();
  });
});

describe("several processes on one plan", { timeout: 60_000 }, () => {
  let script: WriterScript;
  beforeAll(async () => {
    script = await buildWriter();
  });
  afterAll(() => script.remove());

  it("shows a follower what another connection commits", async () => {
    const file = newFile();
    const plan = await newPlan(file);
    const other = new StorePlan(await openStore(file));
    const begin = await plan.store.read((reader) => reader.lastOperation());
    const following = followed(plan.store, begin, 3);
    await other.set("M", { title: "a" });
    await plan.set("M", { title: "b" });
    await other.set("M", { title: "c" });
    expect(await following).toEqual([begin + 1, begin + 2, begin + 3]);
    await plan.store.close();
    await other.store.close();
  });

  it("gives a follower all that a killed process had reported, in order and once", async () => {
    const file = newFile();
    const plan = await newPlan(file);
    const begin = await plan.store.read((reader) => reader.lastOperation());
    const seen: number[] = [];
    const following = (async () => {
      for await (const { op, verb } of plan.store.follow(begin)) {
        seen.push(op);
        if (verb === "last") return;
      }
    })();
    const reported: number[] = [];
    for (let round = 1; round <= 3; round++) {
      const [theirs] = await Promise.all([
        killAfter(script.start(file.path, `W${round}`), 8),
        plan.set("M", { title: `own ${round}` }),
      ]);
      reported.push(...theirs);
    }
    const last = await plan.attempt(
      async (writer) => await plan.births(writer, [{ id: "L", parent: "F" }]),
      undefined,
      {
        verb: "last",
      },
    );
    await following;
    expect(last).toMatchObject({ ok: true, value: { op: seen.at(-1) } });
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, i) => begin + 1 + i));
    expect(seen).toEqual(expect.arrayContaining(reported));
    await plan.store.close();
  });
});
