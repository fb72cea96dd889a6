// What it takes to check at a claim that a person approved the task: the first one in a process that has just opened the plan, as
// `next` does, and each one after that.

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { makePlan, taskId } from "./generate.mjs";
import { round } from "./measure.mjs";
import { ENVIRONMENT, LIBRARY, scratch } from "./product.mjs";

const CHECKED = 500;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** In a process of its own: the milliseconds of processor time of each check, in turn. */
async function checkSignatures(root) {
  const { openWorkspace } = await import(LIBRARY);
  const app = await openWorkspace(root, { actor: "agent:bench", env: process.env });
  const { store } = await app.open();
  const times = [];
  await store.read(async (reader) => {
    for (let i = 1; i <= CHECKED; i++) {
      const task = await reader.byId(taskId(i));
      const before = process.cpuUsage();
      const doubt = await reader.people.doubt(task);
      const { user, system } = process.cpuUsage(before);
      times.push((user + system) / 1000);
      if (doubt !== null) throw new Error(`${task.id} was not approved: ${doubt}`);
    }
  });
  await app.close();
  return times;
}

/** `firstMs`: with what a process loads for it, once. */
export async function measureSignatures({ count = 10_000, rounds = 15 } = {}) {
  const { root } = await makePlan(scratch, count, { dependencies: false });
  const runs = Array.from({ length: rounds }, () =>
    JSON.parse(execFileSync(process.execPath, [import.meta.filename, root], { env: ENVIRONMENT, encoding: "utf8" })),
  );
  rmSync(root, { recursive: true, force: true });
  return {
    approvedTogether: count,
    firstMs: round(median(runs.map(([first]) => first)), 3),
    thenMs: round(median(runs.flatMap(([, ...rest]) => rest)), 3),
  };
}

const [, started, checked] = process.argv;
if (started === import.meta.filename && checked) console.log(JSON.stringify(await checkSignatures(checked)));
