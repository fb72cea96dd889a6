import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { must } from "../../../test/plan.js";
import type { Context } from "../../plan/base/context.js";
import { add } from "../../plan/node/add.js";
import { connect } from "../dialects/sqlite/driver.js";
import type { SqliteOptions } from "../dialects/sqlite/sqlite.js";
import { StoreFault } from "../fault.js";
import type { Store } from "../store.js";
import { createStore } from "./create.js";
import { openStore } from "./open.js";
import { type RestoreRequest, restoreStore } from "./restore.js";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const INTENT = { actor: "human:ada", verb: "restore", now: () => NOW, commit: null };

interface Place extends SqliteOptions {
  readonly folder: string;
  readonly backup: string;
}

/**
 * A plan of three operations, and a backup of its first two. It is a copy that nothing has opened yet: a closed connection may
 * hold its file until the process ends.
 */
async function makePlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-restore-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "plan.db");
  const origin = { path: join(folder, "origin.db"), durability: "normal", engine: "auto" } as const;
  const backup = join(folder, "saved.db");
  const { store } = await createStore(origin);
  await addTo(store, "MISSION", "mission", null);
  await addTo(store, "INIT-1", "initiative", "MISSION");
  await store.backUp(backup);
  await addTo(store, "INIT-2", "initiative", "MISSION");
  await store.close();
  copyPlan(origin.path, path);
  return { ...origin, path, folder, backup };
}

function copyPlan(from: string, to: string): void {
  for (const part of ["", "-wal", "-end"]) if (existsSync(from + part)) copyFileSync(from + part, to + part);
}

/** What is in the write-ahead log comes into the file when the last connection closes it. */
function bringTogether({ path }: Place): void {
  const database = connect(path, "auto");
  database.exec("select count(*) from operation");
  database.close();
}

async function addTo(store: Store, id: string, tier: "mission" | "initiative", parent: string | null): Promise<void> {
  const context = { store, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
  must(await add(context, [{ input: { id, tier, title: id, ...(parent === null ? {} : { parent }) }, where: id }]));
}

const request = ({ folder, backup }: Place, more: Partial<RestoreRequest> = {}): RestoreRequest => ({
  file: backup,
  aside: join(folder, "aside"),
  known: 0,
  sentence: "restored the plan from saved.db",
  intent: INTENT,
  verify: {},
  ...more,
});

async function look<T>(options: SqliteOptions, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const idsIn = (options: SqliteOptions): Promise<string[]> =>
  look(options, (store) =>
    store.read(async (reader) => {
      const ids: string[] = [];
      for await (const { id } of reader.scan()) ids.push(id);
      return ids;
    }),
  );

const reasonOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof StoreFault ? error.failure.reason : String(error)),
  );

describe("a backup that is restored", () => {
  it("is the plan from then on; the log says so, the chain holds, and what was there is kept whole", async () => {
    const place = await makePlace();
    const restored = must(await restoreStore(place, request(place)));
    expect(restored).toMatchObject({ operations: 2, missing: { from: 3, to: 3 }, head: { op: 3 } });
    expect(await idsIn(place)).toEqual(["MISSION", "INIT-1"]);
    const said = await look(place, (store) => store.read((reader) => reader.operation(3)));
    expect(said).toMatchObject({
      sentence: "restored the plan from saved.db, without operations 3 to 3",
      actor: "human:ada",
    });
    const { log, differences } = await look(place, (store) => store.verify());
    expect({ broken: log.broken, differences }).toEqual({ broken: null, differences: [] });
    expect(await idsIn({ ...place, path: restored.kept as string })).toEqual(["MISSION", "INIT-1", "INIT-2"]);
    expect(statSync(place.path).mode & 0o777).toBe(0o600);
    expect(readdirSync(place.folder).filter((name) => name.includes("restoring"))).toEqual([]);
  });

  it.each<[string, (place: Place) => void]>([
    ["is gone", ({ path }) => rmSync(path)],
    ["is empty", ({ path }) => writeFileSync(path, "")],
    ["is junk", ({ path }) => writeFileSync(path, "junk".repeat(5000))],
    ["lost its write-ahead log", () => undefined],
  ])("comes back where the plan %s", async (_, harm) => {
    const place = await makePlace();
    for (const part of ["-wal", "-shm"]) rmSync(place.path + part, { force: true });
    harm(place);
    must(await restoreStore(place, request(place)));
    expect(await idsIn(place)).toEqual(["MISSION", "INIT-1"]);
  });

  it.each<[string, string, string]>([
    ["its log was changed", "update operation set actor = 'human:eve' where op = 1", "backup-damaged"],
    ["its rows differ from its log", "update node set title = 'Other' where id = 'INIT-1'", "backup-damaged"],
  ])("is refused if %s, and the plan stays", async (_, sql, reason) => {
    const place = await makePlace();
    const database = connect(place.backup, "auto");
    database.exec(sql);
    database.close();
    bringTogether(place);
    const before = readFileSync(place.path);
    const restored = await restoreStore(place, request(place));
    expect(restored.ok ? "restored" : restored.error.reason).toBe(reason);
    expect(readFileSync(place.path).equals(before)).toBe(true);
    expect(existsSync(join(place.folder, "aside"))).toBe(false);
  });

  it.each<[string, (place: Place) => void, string]>([
    ["is no plan", ({ backup }) => writeFileSync(backup, "junk".repeat(5000)), "not-a-plan"],
    ["is empty", ({ backup }) => writeFileSync(backup, ""), "not-a-plan"],
    ["is not there", ({ backup }) => rmSync(backup), "no-file"],
  ])("is refused if the file %s", async (_, harm, reason) => {
    const place = await makePlace();
    harm(place);
    expect(await reasonOf(restoreStore(place, request(place)))).toBe(reason);
    expect(await idsIn(place)).toHaveLength(3);
  });

  it("is refused while another process or program has the plan open", async () => {
    const place = await makePlace();
    const store = await openStore(place);
    onTestFinished(() => store.close());
    await store.read((reader) => reader.lastOperation());
    expect(await reasonOf(restoreStore(place, request(place)))).toBe("in-use");
    await addTo(store, "INIT-3", "initiative", "MISSION");
    expect(await idsIn(place)).toHaveLength(4);
  });

  it("loses nothing of who comes while it runs: they wait, and go on with the restored plan", async () => {
    const place = await makePlace();
    const restoring = restoreStore(place, request(place));
    const working = look(place, (store) => addTo(store, "INIT-9", "initiative", "MISSION"));
    const another = reasonOf(restoreStore(place, request(place)));
    const { kept } = must(await restoring);
    await working;
    expect(await another).toBe("in-use");
    expect(await idsIn(place)).toEqual(["MISSION", "INIT-1", "INIT-9"]);
    expect(await idsIn({ ...place, path: kept as string })).toEqual(["MISSION", "INIT-1", "INIT-2"]);
    const { log, differences } = await look(place, (store) => store.verify());
    expect({ broken: log.broken, differences }).toEqual({ broken: null, differences: [] });
  });
});

describe("a plan whose end is missing", () => {
  /** The last operation was only in the write-ahead log. */
  async function cut(): Promise<Place> {
    const place = await makePlace();
    rmSync(`${place.path}-wal`);
    copyFileSync(place.backup, place.path);
    return place;
  }

  it("is noticed when it is opened", async () => {
    expect(await look(await cut(), async ({ cut: missing }) => missing)).toEqual({ found: 2, known: 3 });
    expect(await look(await makePlace(), async ({ cut: missing }) => missing)).toBeNull();
  });

  it("can be continued as it is, and the log says what is missing", async () => {
    const place = await cut();
    const restored = must(await restoreStore(place, request(place, { file: place.path })));
    expect(restored).toMatchObject({ missing: { from: 3, to: 3 }, head: { op: 3 } });
    expect(await look(place, async ({ cut: missing }) => missing)).toBeNull();
    expect(await idsIn(place)).toEqual(["MISSION", "INIT-1"]);
  });
});

describe("rows that something else changed", () => {
  const harm = (path: string, sql: string): void => {
    const database = connect(path, "auto");
    database.exec(`pragma foreign_keys = off; ${sql}`);
    database.close();
  };

  it.each<[string, string]>([
    ["a title", "update node set title = 'Other' where id = 'INIT-1'"],
    ["a count", "update node set live = 7 where id = 'MISSION'"],
    ["a row that is gone", "delete from node where id = 'INIT-1'"],
    [
      "a row that nobody added",
      "insert into node (nr, uuid, id, tier, title, parent, created_at, created_by, updated_at, revision) values (99, 'x', 'X-1', 'initiative', 'X', 1, 0, 'human:eve', 0, 1)",
    ],
  ])("are built again from the log: %s", async (_, sql) => {
    const place = await makePlace();
    harm(place.path, sql);
    expect((await look(place, (store) => store.verify())).differences.length).toBeGreaterThan(0);
    const repaired = must(await look(place, (store) => store.repair({ ...INTENT, verb: "repair" })));
    expect(repaired.op).toBe(4);
    expect(repaired.repaired.length).toBeGreaterThan(0);
    expect(await look(place, (store) => store.verify())).toMatchObject({
      operations: 4,
      differences: [],
      log: { broken: null },
    });
    await look(place, (store) => addTo(store, "INIT-4", "initiative", "MISSION"));
    expect((await look(place, (store) => store.verify())).differences).toEqual([]);
  });

  it("stay as they are if the log itself was changed", async () => {
    const place = await makePlace();
    harm(
      place.path,
      "update operation set actor = 'human:eve' where op = 2; update node set title = 'Other' where id = 'INIT-1'",
    );
    const repaired = await look(place, (store) => store.repair(INTENT));
    expect(repaired).toMatchObject({ ok: false, error: { reason: "log-changed" } });
    expect((await look(place, (store) => store.verify())).differences.length).toBeGreaterThan(1);
  });

  it("are left alone, and nothing is logged, if there is no difference", async () => {
    const place = await makePlace();
    expect(must(await look(place, (store) => store.repair(INTENT)))).toEqual({ repaired: [], op: null });
  });
});
