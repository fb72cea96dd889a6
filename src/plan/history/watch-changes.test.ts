import { expect, it, onTestFinished } from "vitest";
import { StorePlan } from "../../../test/store-plan.js";
import { createStore } from "../../store/open/create.js";
import { watchChanges } from "./watch-changes.js";

async function newPlan(): Promise<StorePlan> {
  const { store } = await createStore({ path: ":memory:", durability: "normal", engine: "auto" });
  onTestFinished(() => store.close().catch(() => undefined));
  const plan = new StorePlan(store);
  await plan.add({ id: "M", tier: "mission" });
  return plan;
}

async function changeTenTimes(plan: StorePlan): Promise<void> {
  for (let i = 0; i < 10; i++) await plan.set("M", { title: `Change ${i}` });
}

const gapMs = (): number => 0;

it("yields once for all that was committed meanwhile, and nothing is missed", async () => {
  const plan = await newPlan();
  const ending = new AbortController();
  const changes = watchChanges(plan.store, 0, { signal: ending.signal, gapMs });
  const seen: string[] = [];
  for await (const _ of changes) {
    seen.push((await plan.node("M")).title);
    if (seen.at(-1) === "Change 9") break;
    if (seen.length === 1) await changeTenTimes(plan);
  }
  expect(seen.length).toBeLessThan(10);
  expect(seen.at(-1)).toBe("Change 9");
});

it("passes over what does not matter", async () => {
  const plan = await newPlan();
  const ending = new AbortController();
  const matters = ({ verb }: { verb: string }): boolean => verb === "wanted";
  const changes = watchChanges(plan.store, 1, { signal: ending.signal, gapMs, matters });
  const next = changes.next();
  await plan.set("M", { title: "Unwanted" });
  await plan.attempt((writer) => plan.births(writer, [{ id: "F", tier: "feature", parent: "M" }]), undefined, {
    verb: "wanted",
  });
  expect((await next).done).toBe(false);
  expect(await plan.store.read((reader) => reader.lastOperation())).toBe(3);
  await changes.return();
});

it("ends with its signal, and when the store is closed", async () => {
  const plan = await newPlan();
  const ending = new AbortController();
  const aborted = watchChanges(plan.store, 1, { signal: ending.signal, gapMs }).next();
  const closed = watchChanges(plan.store, 1, { signal: new AbortController().signal, gapMs }).next();
  ending.abort();
  expect((await aborted).done).toBe(true);
  await plan.store.close();
  expect((await closed).done).toBe(true);
});
