import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { must, mustFail } from "../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../test/shop.js";
import { land } from "./land.js";
import { advanceMain } from "./land-advance.js";
import { beginLanding, endLanding, landingRef } from "./land-attempt.js";
import { type Merging, mergeIntoMain } from "./land-merge.js";
import { readLandingPlan } from "./land-plan.js";
import { finishLandings } from "./land-recover.js";
import { type Live, move } from "./moves.js";
import { reconcile } from "./reconcile.js";
import type { Services } from "./services.js";

const FEATURE = "planwright/feature/FEAT-A";
const LAND = "FEAT-A-LAND";

interface Broken {
  readonly shop: Shop;
  /** The program that was killed, and the one that comes after it. */
  readonly before: Services;
  readonly after: Services;
  readonly live: Live;
  readonly merging: Merging;
}

/** A landing that came as far as its intent. */
async function begin(): Promise<Broken> {
  const shop = await openShop([fileTask("one")]);
  await shop.workThrough();
  const before: Services = { ...shop.services, context: shop.plan, process: "test/dead" };
  const after: Services = { ...before, process: "test/next", isAlive: (driver) => driver !== "test/dead" };
  const plan = must(await readLandingPlan(before, "FEAT-A"));
  const merging = must(await mergeIntoMain(before, plan)) as Merging;
  const live = must(await beginLanding(before, plan.land, { base: merging.from, tip: merging.tip }));
  return { shop, before, after, live, merging };
}

async function intend({ shop, before, live, merging }: Broken): Promise<void> {
  const { from: base, tip, commit: merged } = merging;
  await move(before, live, { to: "prepared" });
  await move(before, live, { to: "checking" });
  shop.git("update-ref", landingRef(live.key), merged);
  await move(before, live, { to: "integrating", patch: { base, tip, merged } });
}

/** As a program leaves it that was killed while it moved the checkout. */
function leaveHalf({ shop, live, merging: { from, commit } }: Broken, files: boolean): void {
  writeFileSync(join(shop.repository.path, ".git/index.lock"), `planwright: ${live.key}\n${from} ${commit}\n`);
  if (files) writeFileSync(join(shop.repository.path, "one.txt"), "one\n");
}

const nothingIsLeft = (shop: Shop): void => {
  expect(shop.git("status", "--porcelain")).toBe("");
  expect(shop.git("for-each-ref", "refs/planwright")).toBe("");
  expect(existsSync(join(shop.repository.path, ".git/index.lock"))).toBe(false);
};

it.each<[string, (broken: Broken) => Promise<void> | void]>([
  ["after its claim", () => {}],
  ["after its intent", intend],
  [
    "with the checkout locked",
    async (broken) => {
      await intend(broken);
      leaveHalf(broken, false);
    },
  ],
  [
    "with the files of the checkout there and main not",
    async (broken) => {
      await intend(broken);
      leaveHalf(broken, true);
    },
  ],
])("a landing that was killed %s is taken back, and lands with the next call", async (_, deed) => {
  const broken = await begin();
  const { shop, after, merging, live } = broken;
  await deed(broken);
  expect(await finishLandings(after)).toEqual([live.key]);
  nothingIsLeft(shop);
  expect([shop.git("rev-parse", "main"), shop.git("rev-parse", FEATURE)]).toEqual([merging.from, merging.tip]);
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "lost" });
  expect((await shop.plan.view(LAND)).status).toBe("ready");
  expect(must(await land(after, "FEAT-A"))).toMatchObject({ outcome: "landed" });
  nothingIsLeft(shop);
});

it.each<[string, (broken: Broken) => void]>([
  [
    "with the files of the checkout still to come",
    (broken) => {
      leaveHalf(broken, false);
      const { shop, live, merging } = broken;
      shop.git("update-ref", "refs/heads/main", merging.commit);
      shop.git("update-ref", "-d", landingRef(live.key));
    },
  ],
  [
    "before anything was written down about it",
    ({ shop, live, merging }) => {
      shop.git("reset", "-q", "--hard", merging.commit);
      shop.git("update-ref", "-d", landingRef(live.key));
    },
  ],
])("a landing that was killed after main moved, %s, is finished", async (_, deed) => {
  const broken = await begin();
  const { shop, after, merging } = broken;
  await intend(broken);
  deed(broken);
  // The engine's own pass does it too.
  await reconcile(after, new Set());
  nothingIsLeft(shop);
  expect(shop.git("rev-parse", "main")).toBe(merging.commit);
  expect(shop.git("for-each-ref", "refs/heads/planwright/feature")).toBe("");
  const view = await shop.plan.view(LAND);
  expect([view.status, view.report?.commit, view.acceptance?.by]).toEqual(["done", merging.commit, "human:ada"]);
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "accepted" });
  expect(mustFail(await land(after, "FEAT-A")).reason).toBe("nothing-to-land");
});

it("a landing that moved main since it was looked at is finished", async () => {
  const broken = await begin();
  const { shop, after, merging, live } = broken;
  const { store } = shop.plan;
  let looked = false;
  const read: typeof store.read = async (work) => {
    const seen = await store.read(work);
    if (looked) return seen;
    looked = true;
    await intend(broken);
    shop.git("reset", "-q", "--hard", merging.commit);
    shop.git("update-ref", "-d", landingRef(live.key));
    return seen;
  };
  const context = { ...after.context, store: { ...store, commit: store.commit.bind(store), read } };
  expect(await finishLandings({ ...after, context: context as Services["context"] })).toEqual([live.key]);
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "accepted", merged: merging.commit });
  expect((await shop.plan.view(LAND)).report?.commit).toBe(merging.commit);
  nothingIsLeft(shop);
});

it.each(["from", "commit"] as const)(
  "a checkout that an ended landing left half moved becomes what main is (%s)",
  async (is) => {
    const broken = await begin();
    const { shop, before, after, merging, live } = broken;
    await intend(broken);
    leaveHalf(broken, true);
    shop.git("update-ref", "refs/heads/main", merging[is]);
    await endLanding(before, live.key, { state: "released", note: "git was killed", patch: { merged: null } });
    await reconcile({ ...after, isAlive: () => true }, new Set());
    nothingIsLeft(shop);
    expect(must(await land(after, "FEAT-A"))).toMatchObject({ outcome: is === "commit" ? "there" : "landed" });
    nothingIsLeft(shop);
  },
);

it("a checkout that cannot be put right is said, and left for the next time", async () => {
  const broken = await begin();
  const { shop, before, after, merging, live } = broken;
  await intend(broken);
  const note = join(shop.repository.path, ".git/planwright-landing-half");
  writeFileSync(note, `planwright: ${live.key}\n${"0".repeat(40)} ${merging.commit}\n`);
  await endLanding(before, live.key, { state: "released", note: "git was killed" });
  expect(await finishLandings(after)).toEqual([]);
  expect(shop.events.at(-1)).toEqual({ type: "notice", text: expect.stringContaining(`the landing ${live.key} left`) });
  expect(existsSync(note)).toBe(true);
});

it("a program that was only paused cannot move main once its landing counts as lost", async () => {
  const broken = await begin();
  const { shop, after, merging, live } = broken;
  await intend(broken);
  await finishLandings(after);
  expect(await advanceMain(shop.repository.path, live.key, merging)).toHaveProperty("problem");
  expect(shop.git("rev-parse", "main")).toBe(merging.from);
  nothingIsLeft(shop);
});

it("a landing that goes on is left alone", async () => {
  const broken = await begin();
  await intend(broken);
  expect(await finishLandings({ ...broken.after, isAlive: () => true })).toEqual([]);
  expect(await reconcile({ ...broken.after, isAlive: () => true }, new Set())).toEqual([]);
  expect(broken.shop.git("rev-parse", landingRef(broken.live.key))).toBe(broken.merging.commit);
});

it("main does not move while git cannot tell who has it checked out", async () => {
  const shop = await openShop([fileTask("one")]);
  await shop.workThrough();
  const before = shop.git("rev-parse", "main");
  const folder = join(shop.repository.around, "bin");
  mkdirSync(folder);
  const script = `#!/bin/sh\ncase " $* " in *" worktree list "*) exit 128;; esac\nPATH="$REAL_PATH" exec git "$@"\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  vi.stubEnv("REAL_PATH", process.env["PATH"]);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const services = { ...shop.services, context: shop.plan };
  expect(mustFail(await land(services, "FEAT-A"))).toMatchObject({ reason: "not-landed" });
  vi.unstubAllEnvs();
  expect([shop.git("rev-parse", "main"), shop.git("status", "--porcelain")]).toEqual([before, ""]);
  expect(must(await land(services, "FEAT-A"))).toMatchObject({ outcome: "landed" });
});
