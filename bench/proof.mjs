// What red-before-green costs: how often the checks of a task run for one attempt, and how long an attempt takes, with and
// without it.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePlan, makeRepository, timed } from "./attempts.mjs";
import { round } from "./measure.mjs";
import { BIN } from "./product.mjs";

/** The check of each task leaves a line for each time that it ran, and takes a tenth of a second. */
const taskIn = (log) => (n) => ({
  id: `T-${n}`,
  title: `T-${n}`,
  parent: "FEAT-1",
  files: [`out/${n}.txt`],
  body: ["```sh run", `mkdir -p out && echo ${n} > out/${n}.txt`, "```"].join("\n"),
  checks: [{ run: `echo x >> ${log}; sleep 0.1; test -f out/${n}.txt` }],
});

async function withProof(proof, count) {
  const root = makeRepository({ proof });
  const log = `${root}.checks`;
  try {
    makePlan(root, count, taskIn(log));
    // One after the other: a merge would run checks again for reasons of its own.
    const { ms, said } = await timed(root, [BIN, "run", "--batch", "--json"]);
    const accepted = said.split('"state":"accepted"').length - 1;
    if (accepted !== count) throw new Error(`${accepted} of ${count} tasks were accepted: ${said.slice(-2000)}`);
    const runs = readFileSync(log, "utf8").trim().split("\n").length;
    return { checkRuns: round(runs / count), msPerAttempt: round(ms / count, 0) };
  } finally {
    rmSync(join(root), { recursive: true, force: true });
    rmSync(log, { force: true });
  }
}

export async function measureProof({ count }) {
  const off = await withProof("off", count);
  const note = await withProof("note", count);
  return { tasks: count, checkMs: 100, off, note, extraMsPerAttempt: note.msPerAttempt - off.msPerAttempt };
}
