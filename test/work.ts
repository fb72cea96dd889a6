// Approved plans and finished tasks for tests of decisions.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeInput } from "../src/model/node/content.js";
import { start } from "../src/plan/claim/start.js";
import { approve } from "../src/plan/node/approve.js";
import { complete } from "../src/verbs/task/hand-in.js";
import { makePlan, must, type TestPlan, task } from "./plan.js";

/** Like `makePlan`, approved as a whole, in a folder that exists. */
export async function makeApprovedPlan(nodes: readonly NodeInput[]): Promise<TestPlan> {
  const plan = inFolder(await makePlan(nodes));
  must(await approve(plan, { references: ["MISSION"] }));
  return plan;
}

const folders: string[] = [];
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Where notes of claims are kept: no other test, and no other run of the tests, sees them. */
function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-work-")));
  folders.push(folder);
  return folder;
}

/** The plan in a folder that exists. */
export const inFolder = (plan: TestPlan, folder = makeFolder()): TestPlan => ({
  ...plan,
  root: folder,
  cwd: folder,
  as: (actor) => inFolder(plan.as(actor), folder),
});

/** A task whose check passes. */
export const passing = (id: string, rest: Partial<NodeInput> = {}): NodeInput =>
  task(id, { checks: [{ run: "true" }], ...rest });

/** Claims them and hands them in. */
export async function finish(plan: TestPlan, ...ids: readonly string[]): Promise<void> {
  for (const reference of ids) {
    const { token } = must(await start(plan, { reference }));
    must(await complete(plan, { reference, token }));
  }
}

/** `T-1 done, T-2 ready`: how these nodes stand. */
export async function standing(plan: TestPlan, ...ids: readonly string[]): Promise<string> {
  const words: string[] = [];
  for (const id of ids) words.push(`${id} ${(await plan.view(id)).status}`);
  return words.join(", ");
}
