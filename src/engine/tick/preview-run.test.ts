import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import type { Node } from "../../model/node/node.js";
import { setLevel } from "../../plan/level/level.js";
import { previewRun, runTasks } from "./run-session.js";

describe("a dry run", () => {
  it("lists who would do what, in order, and claims nothing", async () => {
    const shop = await openShop([
      fileTask("one", { files: ["src/"] }),
      fileTask("two", { files: ["src/a.ts"] }),
      fileTask("three"),
      fileTask("four", { dependsOn: ["T-one"] }),
    ]);
    const { workerFor } = shop.services;
    Object.assign(shop.services, {
      workerFor: async (task: Node) =>
        task.id === "T-three" ? { agent: "ghost", problem: "unknown-agent" } : workerFor(task),
    });
    const before = await shop.plan.store.read((reader) => reader.lastOperation());
    const shell = { kind: "shell", name: "shell", model: null };
    expect(must(await previewRun(shop.services, { asker: "run" }))).toEqual({
      planned: [
        { task: "T-one", title: "Make one", worker: shell, after: [] },
        { task: "T-two", title: "Make two", worker: shell, after: ["T-one"] },
      ],
      held: [expect.objectContaining({ task: "T-three", reason: "no-worker" })],
      more: false,
    });
    expect(must(await previewRun(shop.services, { asker: "named-run", task: "T-two" })).planned).toHaveLength(1);
    expect(must(await previewRun(shop.services, { asker: "run", within: "FEAT-A" })).planned).toHaveLength(2);
    expect(await previewRun(shop.services, { asker: "run", within: "T-9" })).toMatchObject({ ok: false });
    expect(await shop.plan.store.read((reader) => reader.lastOperation())).toBe(before);
  });
});

describe("a run that an agent started", () => {
  const run = async (shop: Awaited<ReturnType<typeof openShop>>, task?: string) =>
    runTasks(shop.services, {
      ...(task === undefined ? {} : { task }),
      workers: 1,
      obeysLevels: true,
      signal: new AbortController().signal,
      onEvent: () => undefined,
    });

  it("cannot go further than the level allows", async () => {
    const shop = await openShop([fileTask("one")]);
    expect(must(await run(shop))).toMatchObject({ ended: [], held: [{ task: "T-one", reason: "level" }] });
    expect(await run(shop, "T-one")).toMatchObject({ ok: false, error: { reason: "level" } });
    expect(await shop.attempts()).toEqual([]);
    must(await setLevel(shop.plan, { level: "on" }));
    expect(must(await run(shop)).ended).toMatchObject([{ task: "T-one", state: "accepted" }]);
  });
});
