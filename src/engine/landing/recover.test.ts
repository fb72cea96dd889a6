import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import {
  advance,
  type BrokenLanding,
  beginBroken,
  intend,
  leaveHalf,
  nothingIsLeft,
  stubGit,
} from "../../../test/broken-landing.js";
import { addAll, must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { approve } from "../../plan/node/approve.js";
import { checksFolder, slotFolder } from "../attempt/attempt-places.js";
import { enterState } from "../attempt/attempt-state.js";
import { beginAttempt } from "../attempt/begin-attempt.js";
import { reconcile } from "../recovery/reconcile.js";
import type { EngineServices } from "../services.js";
import { prepareWorktree } from "../worktree/attempt-worktree.js";
import { landFeature } from "./land.js";
import type { Advanced } from "./land-attempt.js";
import { endLanding, landingRef } from "./land-attempt.js";
import { finishLandings } from "./recover.js";

const FEATURE = "planwright/feature/FEAT-A";
const LAND = "FEAT-A-LAND";

/** Something else happens when a program looks at the landing for the first time. */
function whenSeen(
  { after, live }: BrokenLanding,
  deed: (see: () => Promise<unknown>) => Promise<unknown>,
): EngineServices {
  const { store } = after.context;
  let looked = false;
  const read: typeof store.read = async (work) => {
    const seen = await store.read(work);
    if (looked || (seen as { key?: string } | undefined)?.key !== live.key) return seen;
    looked = true;
    return (await deed(() => store.read(work))) as typeof seen;
  };
  return withRead(after, read);
}

function withRead(
  { context, ...services }: EngineServices,
  read: EngineServices["context"]["store"]["read"],
): EngineServices {
  const { store } = context;
  const whole = { ...store, commit: store.commit.bind(store), read };
  return { ...services, context: { ...context, store: whole } };
}

it.each<[string, (broken: BrokenLanding) => Promise<void> | void]>([
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
  const broken = await beginBroken();
  const { shop, after, merging, live } = broken;
  await deed(broken);
  expect((await finishLandings(after)).settled).toEqual([live.key]);
  nothingIsLeft(shop);
  expect([shop.git("rev-parse", "main"), shop.git("rev-parse", FEATURE)]).toEqual([merging.from, merging.tip]);
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "lost" });
  expect((await shop.plan.view(LAND)).status).toBe("ready");
  expect(must(await landFeature(after, "FEAT-A"))).toMatchObject({ outcome: "landed" });
  nothingIsLeft(shop);
});

it.each<[string, (broken: BrokenLanding) => void]>([
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
  const broken = await beginBroken();
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
  expect(mustFail(await landFeature(after, "FEAT-A")).reason).toBe("nothing-to-land");
});

it("a landing that moved main since it was looked at is finished", async () => {
  const broken = await beginBroken();
  const { shop, merging, live } = broken;
  const services = whenSeen(broken, async (see) => {
    const seen = await see();
    await intend(broken);
    expect(await advance(broken)).toBe("done");
    return seen;
  });
  expect((await finishLandings(services)).settled).toEqual([live.key]);
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "accepted", merged: merging.commit });
  expect((await shop.plan.view(LAND)).report?.commit).toBe(merging.commit);
  nothingIsLeft(shop);
});

it("a landing that has written down its intent just before it was looked at cannot move main any more", async () => {
  const broken = await beginBroken();
  const { shop, merging, live } = broken;
  const looking = whenSeen(broken, async (see) => {
    await intend(broken);
    return see();
  });
  const { store } = looking.context;
  const tries: Advanced[] = [];
  const services = withRead(looking, async (work) => {
    const seen = await store.read(work);
    if ((seen as { id?: string } | undefined)?.id === LAND) tries.push(await advance(broken));
    return seen;
  });
  expect((await finishLandings(services)).settled).toEqual([live.key]);
  expect(tries).toEqual([{ problem: expect.any(String) }]);
  expect(shop.git("rev-parse", "main")).toBe(merging.from);
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "lost" });
});

it("a landing that moves main in the very last moment is finished", async () => {
  const broken = await beginBroken();
  const { shop, after, merging, live } = broken;
  await intend(broken);
  const late = `*"delete ${landingRef(live.key)}"*) real update-ref refs/heads/main ${merging.commit};;`;
  const withInput = `input=$(cat); case "$input" in ${late} esac; echo "$input" | real "$@"; exit`;
  stubGit(shop, `case " $* " in *" update-ref "*) ${withInput};; esac`);
  expect((await finishLandings(after)).settled).toEqual([live.key]);
  vi.unstubAllEnvs();
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "accepted", merged: merging.commit });
  expect((await shop.plan.view(LAND)).status).toBe("done");
});

it("a landing that another program has finished meanwhile is left to it, and so is what came after", async () => {
  const broken = await beginBroken();
  const { shop, after, merging, live } = broken;
  await intend(broken);
  expect(await advance(broken)).toBe("done");
  const services = whenSeen(broken, async (see) => {
    expect((await finishLandings({ ...after, process: "test/third" })).settled).toEqual([live.key]);
    shop.git("branch", FEATURE, merging.tip);
    return see();
  });
  expect((await finishLandings(services)).settled).toEqual([]);
  expect(shop.git("rev-parse", FEATURE)).toBe(merging.tip);
});

it("two programs that finish a landing leave alone who works in its worktree by then", async () => {
  const broken = await beginBroken();
  const { shop, after, live } = broken;
  await addAll(shop.plan, [{ id: "FEAT-B", tier: "feature", title: "B" }, fileTask("two", { parent: "FEAT-B" })]);
  must(await approve(shop.plan, { references: ["T-two"] }));
  const file = join(slotFolder(after, 1), "two.txt");
  const services = whenSeen(broken, async (see) => {
    const seen = await see();
    const third: EngineServices = { ...shop.services, process: "test/third", isAlive: after.isAlive };
    expect((await finishLandings(third)).settled).toEqual([live.key]);
    const task = await shop.plan.store.read((reader) => reader.byId("T-two"));
    const begun = await beginAttempt(third, task?.nr ?? 0, { as: { kind: "shell", name: "shell", model: null } });
    if (begun.ok) await prepareWorktree(third, begun.value, new AbortController().signal);
    writeFileSync(file, "of the third\n");
    return seen;
  });
  expect((await finishLandings(services)).settled).toEqual([]);
  expect(existsSync(file)).toBe(true);
});

it.each([
  ["go if it was killed", false, { slot: null }],
  ["stay while its program lives", true, { slot: 1 }],
])("the worktrees of a landing that is taken back %s", async (_, isAlive, left) => {
  const broken = await beginBroken();
  const { shop, before, after, live } = broken;
  const folder = slotFolder(after, 1);
  await enterState(before, live, { to: "prepared", patch: { worktree: folder } });
  const places = [folder, checksFolder(after, 1)];
  for (const path of places) if (!existsSync(path)) shop.git("worktree", "add", "-q", "--detach", path);
  shop.plan.pass(24 * 60 * 60_000);
  expect((await finishLandings({ ...after, isAlive: () => isAlive })).settled).toEqual([live.key]);
  expect((await shop.attempts()).at(-1)).toMatchObject({ state: "lost", ...left });
  expect(places.map((path) => existsSync(path))).toEqual([isAlive, isAlive]);
  expect(shop.git("worktree", "list").match(/slot-1/g) ?? []).toHaveLength(isAlive ? 2 : 0);
});

it.each(["from", "commit"] as const)(
  "a checkout that an ended landing left half moved becomes what main is (%s)",
  async (is) => {
    const broken = await beginBroken();
    const { shop, before, after, merging, live } = broken;
    await intend(broken);
    leaveHalf(broken, true);
    shop.git("update-ref", "refs/heads/main", merging[is]);
    await endLanding(before, live.key, { state: "released", note: "git was killed", patch: { merged: null } });
    await reconcile({ ...after, isAlive: () => true }, new Set());
    nothingIsLeft(shop);
    expect(must(await landFeature(after, "FEAT-A"))).toMatchObject({
      outcome: is === "commit" ? "already-landed" : "landed",
    });
    nothingIsLeft(shop);
  },
);

it("a checkout that cannot be put right is said, and left for the next time", async () => {
  const broken = await beginBroken();
  const { shop, before, after, merging, live } = broken;
  await intend(broken);
  const note = join(shop.repository.path, ".git/planwright-landing-half");
  writeFileSync(note, `planwright: ${live.key}\n${"0".repeat(40)} ${merging.commit}\n`);
  await endLanding(before, live.key, { state: "released", note: "git was killed" });
  expect((await finishLandings(after)).settled).toEqual([]);
  expect(shop.events.at(-1)).toEqual({ type: "notice", text: expect.stringContaining(`the landing ${live.key} left`) });
  expect(existsSync(note)).toBe(true);
});

it("a program that was only paused cannot move main once its landing counts as lost", async () => {
  const broken = await beginBroken();
  const { shop, after, merging } = broken;
  await intend(broken);
  await finishLandings(after);
  expect(await advance(broken)).toHaveProperty("problem");
  expect(shop.git("rev-parse", "main")).toBe(merging.from);
  nothingIsLeft(shop);
});

it("a landing that goes on is left alone", async () => {
  const broken = await beginBroken();
  await intend(broken);
  expect((await finishLandings({ ...broken.after, isAlive: () => true })).settled).toEqual([]);
  expect((await reconcile({ ...broken.after, isAlive: () => true }, new Set())).settled).toEqual([]);
  expect(broken.shop.git("rev-parse", landingRef(broken.live.key))).toBe(broken.merging.commit);
});

it("main does not move while git cannot tell who has it checked out", async () => {
  const shop = await openShop([fileTask("one")]);
  await shop.workThrough();
  const before = shop.git("rev-parse", "main");
  stubGit(shop, 'case " $* " in *" worktree list "*) exit 128;; esac');
  const services = { ...shop.services, context: shop.plan };
  expect(mustFail(await landFeature(services, "FEAT-A"))).toMatchObject({ reason: "not-landed" });
  vi.unstubAllEnvs();
  expect([shop.git("rev-parse", "main"), shop.git("status", "--porcelain")]).toEqual([before, ""]);
  expect(must(await landFeature(services, "FEAT-A"))).toMatchObject({ outcome: "landed" });
});
