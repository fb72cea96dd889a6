// A hundred thousand tasks with their dependencies from one file, in one operation, as one process.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planLines } from "./generate.mjs";
import { median, round } from "./measure.mjs";
import { makeStore, planwright, scratch } from "./product.mjs";

export async function measureBulkAdd({ count = 100_000, rounds = 3 } = {}) {
  const file = join(scratch, "bulk.jsonl");
  writeFileSync(file, `${[...planLines(count)].flat().join("\n")}\n`);
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const root = mkdtempSync(join(scratch, "bulk-"));
    await makeStore(root);
    const started = performance.now();
    planwright(root, ["add", "--from", file]);
    times.push(performance.now() - started);
    rmSync(root, { recursive: true, force: true });
  }
  rmSync(file);
  const seconds = median(times) / 1000;
  return { tasks: count, seconds: round(seconds), tasksPerSecond: Math.round(count / seconds) };
}
