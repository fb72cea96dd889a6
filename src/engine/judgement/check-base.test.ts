import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { addAll, must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { edit } from "../../verbs/node/edit.js";
import { type AllowUnapproved, checkBase } from "./check-base.js";
import { findResult } from "./known-results.js";

const { signal } = new AbortController();

/** The command leaves a line for each time that it ran. */
async function open(): Promise<{
  shop: Shop;
  ran: () => number;
  base: (actor?: string, mayRun?: AllowUnapproved) => Promise<unknown>;
}> {
  const shop = await openShop(
    [
      fileTask("one", {
        checks: [{ run: "echo x >> $PLANWRIGHT_COUNT; test -f one.txt" }, { run: "test -f README.md" }],
      }),
      fileTask("two", { checks: [{ run: "test -f README.md" }, { run: "test -f notes.txt" }] }),
    ],
    { policy: { env: ["PLANWRIGHT_COUNT"] } },
  );
  await addAll(shop.plan, [fileTask("three")]);
  const count = join(shop.repository.around, "count");
  const services = { ...shop.services, env: { ...process.env, PLANWRIGHT_COUNT: count } };
  return {
    shop,
    ran: () => readFileSync(count, "utf8").length / 2,
    base: async (actor = "human:ada", mayRun) =>
      must(await checkBase({ ...services, context: shop.plan.as(actor) }, "FEAT-A", signal, mayRun)),
  };
}

it("says which checks pass before any work, on a clean tree of the commit", async () => {
  const { shop, base } = await open();
  // Nobody committed it, so no check may see it.
  writeFileSync(join(shop.plan.root, "notes.txt"), "mine\n");
  const commit = shop.git("rev-parse", "main");
  expect(await base("human:ada", async () => true)).toEqual({
    checks: [
      {
        task: "T-one",
        run: expect.stringContaining("one.txt"),
        commit,
        passed: false,
        outcome: "exit 1, expected exit 0",
      },
      { task: "T-one", run: "test -f README.md", commit, passed: true, outcome: "exit 0" },
      { task: "T-two", run: "test -f README.md", commit, passed: true, outcome: "exit 0" },
      { task: "T-two", run: "test -f notes.txt", commit, passed: false, outcome: "exit 1, expected exit 0" },
      { task: "T-three", run: "test -f three.txt", commit, passed: false, outcome: "exit 1, expected exit 0" },
    ],
    skipped: [],
  });
  const folder = shop.services.policy.worktrees;
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
  expect(shop.git("worktree", "list").split("\n")).toHaveLength(1);
});

it("never runs the commands of an unapproved task for an agent", async () => {
  const { base } = await open();
  const mayRun = vi.fn<AllowUnapproved>(async () => true);
  expect(await base("agent:coder", mayRun)).toMatchObject({ skipped: ["T-three"] });
  expect(mayRun).not.toHaveBeenCalled();
});

it("shows a person the commands that nobody approved as they are, and runs them only after a yes", async () => {
  const { shop, base, ran } = await open();
  const changed = [{ run: "echo x >> $PLANWRIGHT_COUNT; false" }];
  must(await edit(shop.plan, { reference: "T-one", checks: changed }));
  const mayRun = vi.fn<AllowUnapproved>(async () => false);
  const skipped = ["T-one", "T-three"];
  for (const answer of [await base(), await base("human:ada", mayRun)]) {
    expect(answer).toMatchObject({ skipped, checks: [{ task: "T-two" }, { task: "T-two" }] });
  }
  expect(mayRun.mock.calls).toMatchObject([[[{ id: "T-one", checks: changed }, { id: "T-three" }]]]);
  expect(ran).toThrow("ENOENT");
  expect(await base("human:ada", async () => true)).toMatchObject({ skipped: [] });
  expect(ran()).toBe(1);
});

it("runs beside another in the same program, each in a tree of its own", async () => {
  const shop = await openShop([
    fileTask("one", {
      checks: [{ run: "until [ -f $PLANWRIGHT_WORKSPACE/go ]; do sleep 0.02; done; test -f README.md" }],
    }),
    fileTask("two", { checks: [{ run: "touch $PLANWRIGHT_WORKSPACE/go; test -f README.md" }] }),
  ]);
  const base = async (reference: string): Promise<unknown> => checkBase(shop.services, reference, signal);
  const first = base("T-one");
  expect(await base("T-two")).toMatchObject({ ok: true, value: { checks: [{ task: "T-two", passed: true }] } });
  expect(await first).toMatchObject({ ok: true, value: { checks: [{ task: "T-one", passed: true }] } });
  expect(readdirSync(join(shop.plan.root, ".planwright/cache"))).toEqual([]);
});

it("keeps nothing of a run whose tree was removed under it", async () => {
  const check = { run: 'rm -rf "$PLANWRIGHT_WORKTREE"; false' };
  const shop = await openShop([fileTask("one", { checks: [check] })]);
  expect(await checkBase(shop.services, "T-one", signal)).toMatchObject({
    ok: false,
    error: { reason: "no-worktree", message: expect.stringContaining("was removed while commands ran in it") },
  });
  const tree = shop.git("rev-parse", "main^{tree}");
  expect(findResult(shop.plan.root, tree, check)).toBeUndefined();
});

it("keeps the results for the proof of the work, and runs nothing twice", async () => {
  const { base, ran } = await open();
  const first = await base();
  expect(ran()).toBe(1);
  expect(await base()).toEqual(first);
  expect(ran()).toBe(1);
});
