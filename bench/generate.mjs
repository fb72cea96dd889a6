// Makes plans of any size: features of a hundred tasks below one mission, each task with one to three
// dependencies on the hundred tasks before it. The plan goes in the way a user's would: `add --from` with
// JSON lines, then `approve` by a person.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { peakOf } from "./measure.mjs";
import { BIN, ENVIRONMENT, LIBRARY, makeStore, planwright } from "./product.mjs";

export const TASKS_PER_FEATURE = 100;
/** The lines of one `add`: what a process holds in memory. One `approve` takes the whole plan. */
const TASKS_PER_ADD = 100_000;

export const taskId = (n) => `TASK-${String(n).padStart(5, "0")}`;
export const featureId = (n) => `FEAT-${String(n).padStart(3, "0")}`;

/** The same plan every time: a small linear congruential generator. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/**
 * The numbers of the tasks that each task waits for, in order. `across`: also in earlier features, where a
 * dependency is met only once that feature has landed; without it every feature can be worked through by itself.
 */
export function* dependencies(count, { across = false, dependencies: wanted = true } = {}) {
  const roll = dice(42);
  for (let n = 1; n <= count; n++) {
    const first = across ? 1 : n - ((n - 1) % TASKS_PER_FEATURE);
    const reach = Math.min(100, n - first);
    const many = wanted && reach > 0 ? 1 + roll(3) : 0;
    const chosen = new Set(Array.from({ length: many }, () => n - 1 - roll(reach)));
    yield [n, [...chosen]];
  }
}

/** What a task of the plan looks like; with `checks`, what proves it. */
const taskLine = (n, on, checks) => ({
  id: taskId(n),
  tier: "task",
  title: `Task ${n} of the generated plan`,
  body: `Part ${n} of the work. It has a few words of explanation, as a real one would.`,
  parent: featureId(Math.ceil(n / TASKS_PER_FEATURE)),
  dependsOn: on.map(taskId),
  files: [`src/module-${Math.ceil(n / TASKS_PER_FEATURE)}/part-${n}.ts`],
  ...(checks.length > 0 ? { checks } : {}),
});

/** The plan as chunks of JSON lines; features come with their first task. */
export function* planLines(count, { checks = [], ...shape } = {}) {
  let lines = [JSON.stringify({ id: "MISSION", tier: "mission", title: "The generated mission" })];
  for (const [n, on] of dependencies(count, shape)) {
    if (n % TASKS_PER_FEATURE === 1) {
      const number = Math.ceil(n / TASKS_PER_FEATURE);
      lines.push(
        JSON.stringify({
          id: featureId(number),
          tier: "feature",
          title: `Feature ${number} of the generated plan`,
          parent: "MISSION",
        }),
      );
    }
    lines.push(JSON.stringify(taskLine(n, on, checks)));
    if (n % TASKS_PER_ADD === 0 || n === count) {
      yield lines;
      lines = [];
    }
  }
}

/** A workspace with such a plan, approved unless told otherwise. Says what each step took. */
export async function makePlan(folder, count, { approve = true, ...options } = {}) {
  mkdirSync(folder, { recursive: true });
  const root = mkdtempSync(join(folder, `plan-${count}-`));
  await makeStore(root);
  const file = join(root, "plan.jsonl");
  const started = performance.now();
  for (const lines of planLines(count, options)) {
    writeFileSync(file, `${lines.join("\n")}\n`);
    planwright(root, ["add", "--from", file]);
  }
  const added = performance.now();
  rmSync(file);
  const approving = { file: process.execPath, args: [BIN, "approve", "MISSION", "--yes"], cwd: root };
  const approveMb = approve ? peakOf(approving) : 0;
  return { root, count, addMs: added - started, approveMs: performance.now() - added, approveMb };
}

/** Works through the first so many tasks, as a worker and a person would, but in one process. */
export async function finish(root, count) {
  const { openWorkspace } = await import(LIBRARY);
  const worker = await openWorkspace(root, { actor: "agent:bench", env: ENVIRONMENT });
  const person = worker.as("human:bench");
  for (let done = 0; done < count; done++) {
    const claimed = await worker.call("next", {});
    if (!claimed.ok) throw new Error(claimed.error.message);
    const { task, token } = claimed.value;
    for (const step of [
      await worker.call("complete", { reference: task.id, token }),
      await person.call("accept", { references: [task.id], reason: "generated" }),
    ]) {
      if (!step.ok) throw new Error(step.error.message);
    }
  }
  await worker.close();
}
