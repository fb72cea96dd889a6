import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LAND, never } from "../../../test/finished-feature.js";
import { addAll, must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import type { Failure, Result } from "../../model/result.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { approve } from "../../plan/node/approve.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { beginAttempt } from "../attempt/begin-attempt.js";
import type { EngineServices } from "../services.js";
import { prepareWorktree } from "../worktree/attempt-worktree.js";

import { type Landing, landFeature } from "./land.js";
import { endLanding } from "./land-attempt.js";

const LANDING = "ATT-00002";
interface Slow {
  readonly shop: Shop;
  /** Finds the claim gone, and waits until the landing is over. */
  readonly leave: () => Promise<Failure>;
}

/** A landing whose check goes on until it is stopped, and a task of another feature. */
async function slowLanding(driver: string): Promise<Slow> {
  const run = 'test ! -f "$PLANWRIGHT_WORKSPACE/.planwright/slow" || exec tail -f /dev/null';
  const shop = await openShop([fileTask("one", { checks: [{ run }] })]);
  await shop.workThrough();
  writeFileSync(join(shop.repository.path, ".planwright/slow"), "");
  await addAll(shop.plan, [{ id: "FEAT-B", tier: "feature", title: "B" }, fileTask("two", { parent: "FEAT-B" })]);
  must(await approve(shop.plan, { references: ["T-two"] }));
  let landing: Promise<Result<Landing>> | undefined;
  await new Promise<void>((begun) => {
    const onEvent: EngineServices["onEvent"] = ({ type }) => type === "line" && begun();
    landing = landFeature({ ...shop.services, context: shop.plan, process: driver, onEvent }, "FEAT-A");
  });
  const leave = async (): Promise<Failure> => mustFail(await (landing as Promise<Result<Landing>>));
  return { shop, leave };
}

const landingOf = async (shop: Shop): Promise<Attempt | undefined> =>
  (await shop.attempts()).find(({ taskId }) => taskId === LAND);

/** Somebody works in a worktree, and has committed nothing yet. */
async function workOnTwo(shop: Shop, services: EngineServices): Promise<{ slot: number | null; file: string }> {
  const task = await shop.plan.store.read((reader) => reader.byId("T-two"));
  const live = must(await beginAttempt(services, task?.nr ?? 0, { as: { kind: "shell", name: "shell", model: null } }));
  const { worktree } = await prepareWorktree(services, live, never);
  const file = join(worktree, "two.txt");
  writeFileSync(file, "of the other\n");
  return { slot: live.attempt.slot, file };
}

it.each([
  ["keeps its slot while its program lives", "test/lander", { kept: 1, next: 2 }],
  ["has none if its program is on another machine", "elsewhere/1", { kept: null, next: 1 }],
])("a slow landing that others declared lost %s, and clears nobody else's worktree", async (_, driver, slots) => {
  const { shop, leave } = await slowLanding(driver);
  const other: EngineServices = { ...shop.services, process: "test/other" };
  must(await endLanding(other, LANDING, { state: "lost", note: "its lease ended" }));
  expect(await landingOf(shop)).toMatchObject({ state: "lost", slot: slots.kept });
  const two = await workOnTwo(shop, other);
  expect(two.slot).toBe(slots.next);
  expect(await leave()).toMatchObject({ message: `FEAT-A did not land: ${LANDING} no longer holds ${LAND}.` });
  expect(existsSync(two.file)).toBe(true);
  expect(shop.git("worktree", "list").match(/slot-\d/g)).toEqual([`slot-${slots.next}`]);
  expect(await landingOf(shop)).toMatchObject({ state: "lost", slot: null });
});

it("a landing whose claim was taken away stops its checks, ends, and asks nobody about them", async () => {
  const { shop, leave } = await slowLanding("test/lander");
  must(await freeze(shop.plan, { references: [LAND] }));
  expect(await leave()).toMatchObject({ reason: "not-landed" });
  expect(await landingOf(shop)).toMatchObject({ state: "lost", slot: null, failure: null });
  expect(must(await listQuestions(shop.plan, {}))).toEqual([]);
  expect(shop.git("worktree", "list")).not.toContain("slot-1");
});
