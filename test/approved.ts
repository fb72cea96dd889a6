// Approved plans whose tasks pass or fail, and one worker who works through them.

import { approve } from "../src/plan/node/approve.js";
import { complete } from "../src/verbs/task/hand-in.js";
import { next } from "../src/verbs/task/next.js";
import { makePlan, must, type TestPlan } from "./plan.js";
import { inFolder } from "./work.js";

export const passes = { checks: [{ run: "true" }] };
export const fails = { checks: [{ run: "echo wrong >&2; exit 3" }] };

export async function approved(...nodes: Parameters<typeof makePlan>[0] & object): Promise<TestPlan> {
  const plan = await makePlan(nodes);
  must(await approve(plan, { references: ["MISSION"] }));
  return inFolder(plan);
}

/** Claims the next task and hands it in. */
export async function work(plan: TestPlan): Promise<string> {
  const [given] = must(await next(plan, {}));
  const { id } = given?.task ?? { id: "" };
  must(await complete(plan, { reference: id, token: given?.token ?? "" }));
  return id;
}
