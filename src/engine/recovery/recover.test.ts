// Programs that look at the same attempt at once: what one has seen, another has changed before it does anything about it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import { beginAttempt } from "../attempt/begin-attempt.js";
import type { EngineEvent, EngineServices } from "../services.js";
import { Engine } from "../tick/engine.js";
import { prepareWorktree } from "../worktree/attempt-worktree.js";
import { reconcile, recover } from "./reconcile.js";

const SHELL = { as: { kind: "shell", name: "shell", model: null } } as const;
const KEY = "ATT-00001";

/** After the first look that finds something `like` this, something happens before whoever looked goes on. */
function interrupted(
  services: EngineServices,
  like: (seen: unknown) => boolean,
  deed: () => Promise<unknown>,
): EngineServices {
  const { context } = services;
  const { store } = context;
  let happened = false;
  const read: typeof store.read = async (work) => {
    const seen = await store.read(work);
    if (happened || !like(seen)) return seen;
    happened = true;
    await deed();
    return seen;
  };
  const whole = { ...store, commit: store.commit.bind(store), read };
  return { ...services, context: { ...context, store: whole } };
}

const isList = Array.isArray;
const isItem = (seen: unknown): boolean => (seen as { key?: string } | undefined)?.key === KEY;

/** A worker that writes its file and then waits to be woken. */
async function openAsleep(checks?: []): Promise<{ shop: Shop; wake: () => void }> {
  let wake = (): void => undefined;
  const asleep = new Promise<void>((go) => {
    wake = go;
  });
  const shop = await openShop([fileTask("one", checks ? { checks } : {})], {
    doing: async ({ cwd }) => {
      writeFileSync(join(cwd, "one.txt"), "one\n");
      await asleep;
      return {};
    },
  });
  return { shop, wake };
}

async function isWorking(shop: Shop): Promise<void> {
  await expect.poll(async () => (await shop.attempts())[0]?.state).toBe("working");
}

async function begun(services: EngineServices, id: string): Promise<LiveAttempt> {
  const node = await services.context.store.read((reader) => reader.byId(id));
  return must(await beginAttempt(services, node?.nr ?? 0, SHELL));
}

async function atWork(services: EngineServices, live: LiveAttempt): Promise<string> {
  const tree = await prepareWorktree(services, live, new AbortController().signal);
  await enterState(services, live, { to: "prepared" });
  await enterState(services, live, { to: "working" });
  return tree.worktree;
}

it.each([
  ["listed", isList],
  ["looked at", isItem],
])("one that ended by itself after it was %s is not declared lost, and nobody is told so", async (_, like) => {
  const { shop, wake } = await openAsleep([]);
  const engine = shop.engine();
  must(await engine.tick());
  await isWorking(shop);
  const said: EngineEvent[] = [];
  const other = interrupted({ ...shop.services, process: "test/2" }, like, async () => {
    wake();
    await engine.oneEnded();
  });
  // Its claim is gone once it has ended, and so is its program for whoever looks only at that.
  const { settled } = await reconcile(
    { ...other, isAlive: () => false, onEvent: (event) => said.push(event) },
    new Set(),
  );
  expect([settled, said]).toEqual([[], []]);
  expect((await shop.attempts())[0]?.state).toBe("pending");
});

it("one that has ended is left alone, though its branch came back and its worktree is another's", async () => {
  const shop = await openShop([fileTask("one"), fileTask("two")]);
  const dead: EngineServices = { ...shop.services, process: "test/dead" };
  const next: EngineServices = { ...shop.services, process: "test/2", isAlive: (driver) => driver !== "test/dead" };
  await atWork(dead, await begun(dead, "T-one"));
  expect((await reconcile(next, new Set())).settled).toEqual([KEY]);
  shop.git("branch", `planwright/attempt/${KEY}`, "main");
  writeFileSync(join(await atWork(next, await begun(next, "T-two")), "two.txt"), "two\n");
  expect(await recover({ ...next, process: "test/3" }, KEY)).toBe(false);
  expect(shop.git("for-each-ref", "refs/planwright/kept")).toBe("");
});

it("one that was only claimed when it was looked at has its uncommitted changes kept", async () => {
  const shop = await openShop([fileTask("one")]);
  const slow: EngineServices = { ...shop.services, process: "test/slow" };
  const live = await begun(slow, "T-one");
  const other = interrupted({ ...shop.services, process: "test/2" }, isItem, async () => {
    writeFileSync(join(await atWork(slow, live), "one.txt"), "precious\n");
  });
  expect(await recover(other, live.key)).toBe(true);
  const [attempt] = await shop.attempts();
  expect(attempt?.state).toBe("lost");
  expect(shop.git("show", `${attempt?.kept}:one.txt`)).toBe("precious");
});

it("one that had no branch when it was looked at, and has its work on the feature's since, is accepted", async () => {
  const shop = await openShop([fileTask("one")]);
  const slow: EngineServices = { ...shop.services, process: "test/slow" };
  const live = await begun(slow, "T-one");
  const { context } = shop.services;
  const merged = shop.git("rev-parse", "main");
  let isLate = false;
  const commit: typeof context.store.commit = async (...args) => {
    if (!isLate) {
      isLate = true;
      await atWork(slow, live);
      shop.git("update-ref", "-d", `refs/heads/planwright/attempt/${KEY}`);
      for (const to of ["checking", "integrating"] as const) await enterState(slow, live, { to, patch: { merged } });
    }
    return context.store.commit(...args);
  };
  const store = { ...context.store, read: context.store.read.bind(context.store), commit };
  expect(await recover({ ...shop.services, process: "test/2", context: { ...context, store } }, KEY)).toBe(true);
  expect((await shop.attempts())[0]).toMatchObject({ state: "accepted", merged });
});

it("one that others declare lost while its own program looks at it gives its worktree back", async () => {
  const { shop, wake } = await openAsleep();
  let isArmed = false;
  const driver = interrupted(
    shop.services,
    (seen) => isArmed && isItem(seen),
    async () => {
      shop.plan.pass(1000 * 60_000);
      await reconcile({ ...shop.services, process: "test/2" }, new Set());
    },
  );
  const engine = new Engine(driver, { obeysLevels: false, workers: 1 });
  must(await engine.tick());
  await isWorking(shop);
  must(await freeze(shop.plan, { references: ["T-one"], reason: "wait" }));
  isArmed = true;
  wake();
  await engine.oneEnded();
  expect((await shop.attempts())[0]).toMatchObject({ state: "lost", slot: null });
});
