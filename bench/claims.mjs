// Eight processes claim and complete through the library until the plan is empty: tasks per second in total,
// how evenly they were shared out, and whether each was claimed exactly once.

import { fork } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { makePlan } from "./generate.mjs";
import { round } from "./measure.mjs";
import { ENVIRONMENT, LIBRARY, scratch } from "./product.mjs";

const WORKERS = 8;

function startWorker(root, number, acceptor) {
  const child = fork(join(import.meta.dirname, "claims-worker.mjs"), [LIBRARY, root, `w${number}`, acceptor], {
    env: ENVIRONMENT,
  });
  // The channel closes after its last message was read; the process may be known to have ended before that.
  const message = () =>
    new Promise((done, fail) => {
      child.once("message", done).once("disconnect", () => fail(new Error(`Worker ${number} ended without a report.`)));
    });
  return { child, message };
}

export async function race(root, count, acceptor = "") {
  const workers = Array.from({ length: WORKERS }, (_, i) => startWorker(root, i + 1, acceptor));
  await Promise.all(workers.map(({ message }) => message()));
  const reports = await Promise.all(
    workers.map(({ child, message }) => {
      child.send("go");
      return message();
    }),
  );
  const shares = reports.map(({ claimed }) => claimed.length);
  const all = reports.flatMap(({ claimed }) => claimed);
  const seconds = (Math.max(...reports.map((r) => r.ended)) - Math.min(...reports.map((r) => r.started))) / 1000;
  return {
    tasks: all.length,
    claimedTwice: all.length - new Set(all).size,
    left: count - all.length,
    seconds: round(seconds),
    perSecond: Math.round(all.length / seconds),
    fewest: Math.min(...shares),
    most: Math.max(...shares),
    evenness: round(Math.min(...shares) / Math.max(...shares)),
  };
}

/** Handing in ends a worker's part. With a person's acceptance after each task, dependents become ready. */
export async function measureClaims({ count = 10_000 } = {}) {
  const results = {};
  for (const [name, options, acceptor] of [
    ["claim and complete", { dependencies: false }, ""],
    ["claim, complete and accept, with dependencies", {}, "reviewer"],
  ]) {
    const { root } = await makePlan(scratch, count, options);
    results[name] = await race(root, count, acceptor);
    rmSync(root, { recursive: true, force: true });
  }
  return results;
}
