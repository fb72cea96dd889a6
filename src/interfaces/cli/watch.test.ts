import { expect, it, onTestFinished } from "vitest";
import { StorePlan } from "../../../test/store-plan.js";
import { createStore } from "../../store/create.js";
import { watch } from "./watch.js";

async function newPlan(): Promise<StorePlan> {
  const { store } = await createStore({ path: ":memory:", durability: "normal", engine: "auto" });
  onTestFinished(() => store.close());
  const plan = new StorePlan(store);
  await plan.add({ id: "M", tier: "mission" });
  return plan;
}

it.each(["SIGINT", "SIGTERM"] as const)("draws again when the plan has changed, until %s", async (signal) => {
  const plan = await newPlan();
  const drawn: string[] = [];
  await watch(plan, async () => {
    drawn.push((await plan.node("M")).title);
    if (drawn.length < 3) await plan.set("M", { title: `Frame ${drawn.length}` });
    else process.emit(signal);
    return true;
  });
  expect(drawn).toEqual(["The mission M", "Frame 1", "Frame 2"]);
  expect(process.listenerCount(signal)).toBe(0);
});

it("draws once for many changes", async () => {
  const plan = await newPlan();
  let frames = 0;
  await watch(plan, async () => {
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
  await watch(plan, async () => {
    await plan.set("M", { title: `Frame ${++frames}` });
    return frames < 3;
  });
  expect(frames).toBe(3);
});
