import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { write } from "../../../test/git-repository.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { resetLogHead } from "../../machine/git/housekeeping/log-head.js";
import { keptRef, STRAY_REFS } from "../../machine/git/refs.js";
import { Chores } from "../tick/chores.js";
import { type CollectInput, collectGarbage, DAY_MS, timeOfStamp } from "./collect-garbage.js";

/** As older programs made them. */
const strayRef = (key: string, number: number, commit: string): string =>
  `${STRAY_REFS}/${key}/${number}-${commit.slice(0, 12)}`;

const STAMP = (at: number): string => new Date(at).toISOString().replace(/[:.]/g, "-");

const inputOf = (shop: Shop, rest: Partial<CollectInput> = {}): CollectInput => ({
  context: shop.plan,
  settings: { transcriptDays: 90, leftoverDays: 60, repository: "auto" },
  worktrees: shop.services.policy.worktrees,
  tmp: join(shop.repository.around, "tmp"),
  isAlive: () => false,
  keepDays: 30,
  ...rest,
});

type Collected = Extract<Awaited<ReturnType<typeof collectGarbage>>, { ok: true }>["value"];

const collect = async (shop: Shop, rest: Partial<CollectInput> = {}): Promise<Collected> =>
  must(await collectGarbage(inputOf(shop, rest)));

/** Writes a file that is so many days old, as is the folder around it. */
function leave(shop: Shop, path: string, days: number): string {
  write(dirname(path), { [path.slice(dirname(path).length + 1)]: "x".repeat(1000) });
  const at = (shop.plan.now() - days * DAY_MS) / 1000;
  utimesSync(path, at, at);
  utimesSync(dirname(path), at, at);
  return path;
}

/** Paths relative to the folder around the repository. */
const names = (shop: Shop, { removed }: Collected): string[] =>
  removed.map(({ kind, name }) => `${kind}: ${name.replace(`${shop.repository.around}/`, "")}`).sort();

/** T-one is done, T-two is open. */
async function opened(): Promise<{ shop: Shop; own: (...path: string[]) => string; around: (path: string) => string }> {
  const shop = await openShop([fileTask("one"), fileTask("two")]);
  const engine = shop.engine({ workers: 1 });
  must(await engine.tick());
  await engine.oneEnded();
  rmSync(join(shop.repository.path, ".planwright"), { recursive: true, force: true });
  return {
    shop,
    own: (...path) => join(shop.repository.path, ".planwright", ...path),
    around: (path) => join(shop.repository.around, path),
  };
}

describe("transcripts", () => {
  it("go when they are old, unless the attempt or run goes on or its work is kept", async () => {
    const { shop, own } = await opened();
    await leaveAttempt(shop.plan, "T-two", { state: "working", endedAt: null });
    const kept = await leaveAttempt(shop.plan, "T-two", { kept: keptRef("ATT-00003") });
    const over = await leaveAttempt(shop.plan, "T-two");
    expect([kept, over]).toEqual(["ATT-00003", "ATT-00004"]);
    for (const key of ["ATT-00001", "ATT-00002", kept]) leave(shop, own("transcripts", `${key}.jsonl`), 91);
    leave(shop, own("transcripts", "ATT-00001.review.jsonl"), 91);
    leave(shop, own("transcripts", `${over}.jsonl`), 89);
    leave(shop, own("transcripts", "RUN-009", "CALL-00001.jsonl"), 91);
    leave(shop, own("transcripts", "RUN-010", "CALL-00001.jsonl"), 91);
    leave(shop, own("transcripts", "RUN-010", "CALL-00002.jsonl"), 1);
    leave(shop, own("transcripts", "mine.txt"), 1000);
    const found = await collect(shop, { dryRun: true });
    expect([found.bytes, found.dryRun, existsSync(own("transcripts", "ATT-00001.jsonl"))]).toEqual([4000, true, true]);
    const removed = await collect(shop);
    expect(names(shop, removed)).toEqual([
      "transcript: repo/.planwright/transcripts/ATT-00001.jsonl",
      "transcript: repo/.planwright/transcripts/ATT-00001.review.jsonl",
      "transcript: repo/.planwright/transcripts/RUN-009/CALL-00001.jsonl",
      "transcript: repo/.planwright/transcripts/RUN-010/CALL-00001.jsonl",
    ]);
    expect(readdirSync(own("transcripts")).sort()).toEqual([
      "ATT-00002.jsonl",
      "ATT-00003.jsonl",
      "ATT-00004.jsonl",
      "RUN-010",
      "mine.txt",
    ]);
    expect((await collect(shop)).removed).toEqual([]);
  });

  it("behind a link are not ours", async () => {
    const { shop, own, around } = await opened();
    const other = leave(shop, join(around("elsewhere"), "ATT-00001.jsonl"), 1000);
    mkdirSync(own(), { recursive: true });
    symlinkSync(around("elsewhere"), own("transcripts"));
    expect((await collect(shop)).removed).toEqual([]);
    expect(existsSync(other)).toBe(true);
  });
});

describe("leftovers", () => {
  it("go when they are old: bundles of finished tasks, replaced plans, backups of upgrades, logs, temporary folders", async () => {
    const { shop, own, around } = await opened();
    const old = shop.plan.now() - 61 * DAY_MS;
    const young = shop.plan.now() - 59 * DAY_MS;
    for (const id of ["T-one", "T-two"]) leave(shop, own("bundles", id, "bundle.md"), 61);
    leave(shop, own("bundles", "T-two", "bundle.json.4711.new"), 61);
    leave(shop, own("bundles", "others", "bundle.md"), 1000);
    for (const at of [old, young]) leave(shop, own("replaced", STAMP(at), "plan.db"), 0);
    leave(shop, own("replaced", "mine", "plan.db"), 1000);
    for (const at of [old - 2 * DAY_MS, old - DAY_MS]) leave(shop, own("backups", `plan-schema-3-${STAMP(at)}.db`), 0);
    leave(shop, own("backups", "before-release.db"), 1000);
    for (const name of ["slot-7.setup.log", "slot-8.setup.log", "slot-9.watch.json", "notes.log"]) {
      leave(shop, around(`worktrees/${name}`), name.includes("9") ? 59 : 61);
    }
    mkdirSync(around("worktrees/slot-8"), { recursive: true });
    leave(shop, around("worktrees/gone-box-7-slot-5/a.txt"), 2);
    leave(shop, around("worktrees/gone-box-7-slot-6/a.txt"), 0);
    leave(shop, around("worktrees/gone-fishing/a.txt"), 1000);
    leave(shop, around("tmp/planwright-edit-Abc123/T-one.md"), 61);
    leave(shop, around("tmp/planwright-plan-Abc123/RUN-1.md"), 59);
    leave(shop, around("tmp/planwright-edit-Xyz123/program.js"), 1000);
    leave(shop, around("tmp/planwright-git-Abc123/T-one.md"), 1000);
    const removed = await collect(shop);
    expect(names(shop, removed)).toEqual([
      "bundle: repo/.planwright/bundles/T-one",
      "bundle: repo/.planwright/bundles/T-two/bundle.json.4711.new",
      `replaced plan: repo/.planwright/replaced/${STAMP(old)}`,
      "temporary folder: tmp/planwright-edit-Abc123",
      `upgrade backup: repo/.planwright/backups/plan-schema-3-${STAMP(old - 2 * DAY_MS)}.db`,
      "worktree leftover: worktrees/gone-box-7-slot-5",
      "worktree leftover: worktrees/slot-7.setup.log",
    ]);
    expect(removed).toMatchObject({ bytes: 7000, problems: [], dryRun: false });
    expect((await collect(shop)).removed).toEqual([]);
    expect(readdirSync(own("bundles")).sort()).toEqual(["T-two", "others"]);
    expect(readdirSync(own("replaced")).sort()).toEqual([STAMP(young), "mine"]);
    expect(readdirSync(own("backups"))).toHaveLength(2);
    expect(readdirSync(around("tmp"))).toHaveLength(3);
    const left = ["gone-box-7-slot-6", "gone-fishing", "notes.log", "slot-8", "slot-8.setup.log", "slot-9.watch.json"];
    expect(readdirSync(around("worktrees")).filter((name) => !/^slot-[01]\b/.test(name))).toEqual(left);
  });

  it("that a killed program had begun to remove go with the next", async () => {
    const { shop, own } = await opened();
    const old = shop.plan.now() - 61 * DAY_MS;
    leave(shop, own("bundles", "T-one", "bundle.json"), 61);
    mkdirSync(own("replaced", STAMP(old)), { recursive: true });
    mkdirSync(own("transcripts", "RUN-009"), { recursive: true });
    const stopped = new AbortController();
    stopped.abort();
    expect(await collect(shop, { signal: stopped.signal })).toMatchObject({ removed: [], repository: null });
    expect(names(shop, await collect(shop))).toEqual([
      "bundle: repo/.planwright/bundles/T-one",
      `replaced plan: repo/.planwright/replaced/${STAMP(old)}`,
      "transcript: repo/.planwright/transcripts/RUN-009",
    ]);
    expect(["bundles", "replaced", "transcripts"].flatMap((name) => readdirSync(own(name)))).toEqual([]);
  });
});

describe("refs", () => {
  const refsOf = (shop: Shop): string[] =>
    shop.git("for-each-ref", "--format=%(refname)", "refs/planwright").split("\n");

  it("of attempts that ended long ago and of former logs go; kept work has its own time", async () => {
    const { shop } = await opened();
    const main = shop.git("rev-parse", "main");
    const running = await leaveAttempt(shop.plan, "T-two", { state: "working", endedAt: null });
    const kept = await leaveAttempt(shop.plan, "T-two", { kept: keptRef("ATT-00003") });
    const refs = [strayRef("ATT-00001", 1, main), strayRef(running, 1, main), strayRef("mine", 1, main), keptRef(kept)];
    for (const ref of refs) shop.git("update-ref", ref, main);
    const before = refsOf(shop).filter((ref) => !refs.includes(ref));
    shop.git("update-ref", "refs/planwright/former-log/3-abc", main);
    shop.git("update-ref", `refs/planwright/former-log/4-abc-at-${shop.plan.now()}`, main);
    shop.plan.pass(29 * DAY_MS);
    expect((await collect(shop, { keepDays: 30 })).removed).toEqual([]);
    expect(await collect(shop, { keepDays: 30 })).toMatchObject({ expired: [], soon: [{ id: kept }] });
    shop.plan.pass(32 * DAY_MS);
    const removed = await collect(shop, { keepDays: 100 });
    expect(removed.removed.map(({ name }) => name)).toEqual([
      expect.stringMatching(/former-log\/4-abc-at-\d+$/),
      strayRef("ATT-00001", 1, main),
    ]);
    expect(refsOf(shop)).toEqual([...before, ...refs.slice(1), "refs/planwright/former-log/3-abc"].sort());
    expect((await collect(shop)).expired).toEqual([kept]);
    expect(refsOf(shop)).not.toContain(keptRef(kept));
  });

  it("of a former log say since when", async () => {
    const { shop } = await opened();
    const { noteLogHead } = await import("../../machine/git/housekeeping/log-head.js");
    await noteLogHead(shop.repository.path, { op: 7, link: "a".repeat(64) });
    await resetLogHead(shop.repository.path, null, shop.plan.now());
    expect((await collect(shop)).removed).toEqual([]);
    shop.plan.pass(61 * DAY_MS);
    expect((await collect(shop)).removed).toMatchObject([{ kind: "ref", bytes: null }]);
  });
});

it("is for people and the daemon", async () => {
  const { shop, own } = await opened();
  const file = leave(shop, own("transcripts", "ATT-00001.jsonl"), 1000);
  const agent = inputOf(shop, { context: shop.plan.as("agent:bot") });
  expect(mustFail(await collectGarbage(agent)).reason).toBe("needs-person");
  expect(existsSync(file)).toBe(true);
  expect((await collect(shop, { context: shop.plan.as("daemon:box") })).removed).toHaveLength(1);
});

it("is done by the daemon once an hour, and no landing waits for it", async () => {
  const { shop } = await opened();
  let begun = 0;
  let finish: (() => void) | undefined;
  const collectGarbage = async (): Promise<never> => {
    begun += 1;
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    throw new Error("the disk is broken");
  };
  const announcer = { announce: async () => ({ ok: true, value: { news: 0, told: Promise.resolve() } }) as const };
  const chores = new Chores({ ...shop.services, collectGarbage }, announcer, new AbortController().signal);
  await chores.turn();
  await chores.turn();
  shop.plan.pass(2 * 3_600_000);
  await chores.turn();
  expect(begun).toBe(1);
  finish?.();
  await chores.over();
  expect(shop.events).toContainEqual({ type: "notice", text: "removing old files failed: the disk is broken" });
  await chores.turn();
  expect(begun).toBe(2);
  finish?.();
  await chores.over();
});

it.each([
  ["2026-01-31T12-00-00-000Z", Date.UTC(2026, 0, 31, 12)],
  ["2026-13-31T12-00-00-000Z", undefined],
  ["mine", undefined],
])("reads the time in the name %s", (stamp, time) => expect(timeOfStamp(stamp)).toBe(time));
