import { expect, it, onTestFinished } from "vitest";
import { StorePlan } from "../../../test/store-plan.js";
import { type ChangeOptions, changesFromNow } from "../../plan/history/watch-changes.js";
import { createStore } from "../../store/open/create.js";
import { watch } from "./status.js";

async function newPlan(): Promise<StorePlan> {
  const { store } = await createStore({ path: ":memory:", durability: "normal", engine: "auto" });
  onTestFinished(() => store.close());
  const plan = new StorePlan(store);
  await plan.add({ id: "M", tier: "mission" });
  return plan;
}

const watched = ({ store }: StorePlan) => ({ changes: (options: ChangeOptions) => changesFromNow(store, options) });

it("draws again when the plan has changed, until it is interrupted", async () => {
  const plan = await newPlan();
  const drawn: string[] = [];
  const ending = new AbortController();
  await watch(watched(plan), ending.signal, async () => {
    drawn.push((await plan.node("M")).title);
    if (drawn.length < 3) await plan.set("M", { title: `Frame ${drawn.length}` });
    else ending.abort();
    return true;
  });
  expect(drawn).toEqual(["The mission M", "Frame 1", "Frame 2"]);
});

it("draws once for many changes", async () => {
  const plan = await newPlan();
  let frames = 0;
  await watch(watched(plan), new AbortController().signal, async () => {
    if (frames > 0) return false;
    frames++;
    for (let i = 0; i < 20; i++) await plan.set("M", { title: `Change ${i}` });
    return true;
  });
  expect((await plan.node("M")).title).toBe("Change 19");
});

it("ends when there is nothing to draw any more", async () => {
  const plan = await newPlan();
  let frames = 0;
  await watch(watched(plan), new AbortController().signal, async () => {
    await plan.set("M", { title: `Frame ${++frames}` });
    return frames < 3;
  });
  expect(frames).toBe(3);
});
