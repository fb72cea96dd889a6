import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { write } from "../../../test/git-repository.js";
import { addAll, must, mustFail } from "../../../test/plan.js";
import { type Doing, fileTask, openShop, type Shop } from "../../../test/shop.js";
import type { Failure } from "../../model/result.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { listConflicts } from "../../verbs/conflict/list.js";
import { beginAttempt } from "../attempt/begin-attempt.js";
import { landFinished, type NotLanded } from "../landing/land-ready.js";
import { runTasks } from "./run-session.js";

const refusedRun = async (shop: Shop, task: string): Promise<Failure> =>
  mustFail(
    await runTasks(shop.services, {
      task,
      workers: 1,
      obeysLevels: false,
      signal: new AbortController().signal,
      onEvent: () => undefined,
    }),
  );

describe("a run of one task that cannot begin says why", () => {
  it("when it is in no feature", async () => {
    const shop = await openShop([fileTask("one")]);
    await addAll(shop.plan, [fileTask("out", { parent: "MISSION" })]);
    must(await approve(shop.plan, { references: ["T-out"] }));
    expect(await refusedRun(shop, "T-out")).toMatchObject({
      reason: "no-feature",
      message: "T-out is in no feature, so its work has no branch to go to.",
    });
    expect([await shop.attempts(), (await shop.plan.view("T-out")).status]).toEqual([[], "ready"]);
  });

  it("when somebody is at work on the same files, and who", async () => {
    const shop = await openShop([fileTask("one", { files: ["src/a.ts"] }), fileTask("two", { files: ["src/"] })]);
    must(await start(shop.plan, { reference: "T-one" }));
    const error = await refusedRun(shop, "T-two");
    expect([error.reason, error.message, error.details?.["because"]]).toEqual([
      "conflict",
      expect.stringContaining("T-one"),
      ["T-one"],
    ]);
    expect(await shop.attempts()).toEqual([]);
  });
});

it("a conflict is not kept back until a worker ends", async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((done) => {
    release = done;
  });
  const doing: Doing = async ({ cwd, task }) => {
    write(cwd, { "README.md": `${task.id}\n` });
    await released;
    return {};
  };
  const shop = await openShop([fileTask("one"), fileTask("two")], { doing, policy: { tickSeconds: 0.05 } });
  const controller = new AbortController();
  const options = { workers: 2, obeysLevels: false, signal: controller.signal, onEvent: () => undefined };
  const ran = runTasks(shop.services, options);
  const found = async (): Promise<number> => {
    // Branches are merged now and then, by the plan's clock.
    shop.plan.pass(60_000);
    return must(await listConflicts(shop.plan, {})).length;
  };
  await expect.poll(found).toBe(1);
  const busy = (await shop.attempts()).map(({ endedAt }) => endedAt);
  release();
  controller.abort();
  await ran;
  expect(busy).toEqual([null, null]);
});

it("a run of one task takes over from a run that was killed", async () => {
  const shop = await openShop([fileTask("one")]);
  const task = await shop.plan.store.read((reader) => reader.byId("T-one"));
  if (!task) throw new Error("T-one is missing");
  const as = { kind: "shell", name: "shell", model: null } as const;
  must(await beginAttempt({ ...shop.services, process: "test/dead" }, task.nr, { as }));
  const ran = await runTasks(
    { ...shop.services, isAlive: (driver) => driver !== "test/dead" },
    { task: "T-one", workers: 1, obeysLevels: false, signal: new AbortController().signal, onEvent: () => undefined },
  );
  expect(must(ran).ended).toMatchObject([
    { attempt: "ATT-00001", state: "lost" },
    { attempt: "ATT-00002", state: "accepted" },
  ]);
});

it("what became ready while the engine turned is begun, although nothing runs any more when it has", async () => {
  let tmp = "";
  const shop = await openShop([fileTask("one"), fileTask("two"), fileTask("three", { dependsOn: ["T-one"] })], {
    doing: ({ cwd, task, env }) => {
      writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "done\n");
      tmp = env["PLANWRIGHT_TMP"] as string;
      return {};
    },
  });
  const { workerFor } = shop.services;
  const services: Shop["services"] = {
    ...shop.services,
    // The engine turns until the first has ended.
    workerFor: async (task) => {
      if (task.id !== "T-two") return workerFor(task);
      await expect.poll(() => [tmp === "", existsSync(tmp)]).toEqual([false, false]);
      for (let turns = 0; turns < 100; turns++) await turn();
      return { agent: "nobody", problem: "unknown-agent" };
    },
  };
  const { signal } = new AbortController();
  const worked = must(await runTasks(services, { workers: 2, obeysLevels: false, signal, onEvent: () => undefined }));
  expect(worked.ended.map(({ task, state }) => `${task} ${state}`)).toEqual(["T-one accepted", "T-three accepted"]);
  expect(worked.held).toEqual([
    {
      task: "T-two",
      reason: "no-worker",
      because: ["unknown-agent", "nobody"],
      until: null,
      sentence: 'T-two cannot begin: there is no agent "nobody".',
    },
  ]);
});

describe("a run that may land", () => {
  const twoFeatures = (): Promise<Shop> =>
    openShop([
      fileTask("one"),
      { id: "FEAT-B", tier: "feature", title: "Another", parent: "MISSION" },
      fileTask("two", { parent: "FEAT-B" }),
    ]);

  const runAndLand = async (
    shop: Shop,
    within?: string,
  ): Promise<{ landed: readonly string[]; failed: readonly NotLanded[] }> => {
    must(await approve(shop.plan, { references: ["FEAT-B"] }));
    const failed = new Map<string, NotLanded>();
    const { signal } = new AbortController();
    const asPerson = { ...shop.services, context: shop.plan };
    const { landed } = must(
      await runTasks(shop.services, {
        workers: 1,
        obeysLevels: false,
        signal,
        onEvent: () => undefined,
        ...(within !== undefined && { within }),
        land: () => landFinished(asPerson, within, failed, signal),
      }),
    );
    return { landed, failed: [...failed.values()] };
  };

  it("lands the others when one cannot land, tries that one once, and says why", async () => {
    const shop = await twoFeatures();
    write(shop.repository.path, { "one.txt": "mine\n" });
    expect(await runAndLand(shop)).toEqual({
      landed: ["FEAT-B"],
      failed: [{ feature: "FEAT-A", reason: "dirty-tree", message: expect.stringContaining("one.txt") }],
    });
    expect((await shop.plan.view("FEAT-B")).status).toBe("done");
    expect((await shop.plan.view("T-one")).status).toBe("done");
  });

  it("works and lands only below the node that it was given", async () => {
    const shop = await twoFeatures();
    expect(await runAndLand(shop, "FEAT-B")).toEqual({ landed: ["FEAT-B"], failed: [] });
    expect((await shop.plan.view("T-one")).status).toBe("ready");
  });
});
