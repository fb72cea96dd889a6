import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import type { EngineServices } from "../services.js";
import { beginByHand } from "./begin-hand-work.js";
import { finishByHand } from "./end-hand-work.js";

const FEATURE = "planwright/feature/FEAT-A";
const { signal } = new AbortController();

type Commit = EngineServices["context"]["store"]["commit"];

function withCommit(
  { context, ...services }: EngineServices,
  process: string,
  commit: (to: Commit) => Commit,
): EngineServices {
  const { store } = context;
  const bound = store.commit.bind(store);
  const whole = { ...store, read: store.read.bind(store), commit: commit(bound) };
  return { ...services, process, context: { ...context, store: whole } };
}

it("is put on the branch once when it is handed in twice at once, and one of them is killed", async () => {
  const shop = await openShop([fileTask("one")]);
  const person: EngineServices = { ...shop.services, context: shop.plan };
  const place = must(await beginByHand(person, { reference: "T-one" }, signal));
  writeFileSync(join(place.worktree, "one.txt"), "one\n");
  const killed = withCommit(person, "test/killed", (commit) => (intent, decide) => {
    if (intent.verb === "complete") throw new Error("killed");
    return commit(intent, decide);
  });
  let operations = 0;
  const slow = withCommit(person, "test/slow", (commit) => async (intent, decide) => {
    // It has checked its work, and is about to write down what it puts on the branch.
    if (++operations === 4) {
      writeFileSync(join(place.worktree, "one.txt"), "one and more\n");
      mustFail(await finishByHand(killed, { reference: "T-one" }, signal));
    }
    return commit(intent, decide);
  });
  const [before] = await shop.attempts();
  expect(mustFail(await finishByHand(slow, { reference: "T-one" }, signal)).reason).toBe("lease-lost");
  expect(before?.driver).not.toBe((await shop.attempts())[0]?.driver);
  mustFail(await finishByHand(person, { reference: "T-one" }, signal));
  const tip = shop.git("rev-parse", FEATURE);
  expect((await shop.attempts())[0]).toMatchObject({ state: "accepted", merged: tip });
  expect((await shop.plan.view("T-one")).report?.commit).toBe(tip);
  expect(shop.git("log", "--format=%s", FEATURE).split("\n")).toEqual(["T-one: Make one", "begin"]);
});
