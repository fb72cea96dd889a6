// What it costs that many ready tasks name one file: they wait for each other, and the cost of each must not grow with their
// number.

import { rmSync } from "node:fs";
import { makePlan, makeRepository, timed } from "./attempts.mjs";
import { round } from "./measure.mjs";
import { BIN, planwright } from "./product.mjs";

const sharing = (n) => ({
  id: `T-${n}`,
  title: `T-${n}`,
  parent: "FEAT-1",
  files: ["shared.txt"],
  body: ["```sh run", `echo ${n} >> shared.txt`, "```"].join("\n"),
  checks: [{ run: `grep -qx ${n} shared.txt` }],
});

async function withTasks(count) {
  const root = makeRepository();
  try {
    makePlan(root, count, sharing);
    const { cpuMs, said } = await timed(root, [BIN, "run", "--parallel", "4", "--json"]);
    const accepted = said.split('"state":"accepted"').length - 1;
    if (accepted !== count) throw new Error(`${accepted} of ${count} tasks were accepted: ${said.slice(-2000)}`);
    const listed = (...words) => JSON.parse(planwright(root, [...words, "--json"])).data.length;
    return { tasks: count, cpuMs, conflicts: listed("conflicts"), questions: listed("question", "list") };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Starting and ending is taken off with the help of the smallest plan. */
export async function measureSharedFile({ sizes: [small, large] }) {
  const least = await withTasks(1);
  const perTask = ({ tasks, cpuMs, ...rest }) => ({
    tasks,
    ...rest,
    cpuMsPerTask: round((cpuMs - least.cpuMs) / (tasks - 1), 1),
  });
  const few = perTask(await withTasks(small));
  const many = perTask(await withTasks(large));
  return { few, many, growth: round(many.cpuMsPerTask / few.cpuMsPerTask) };
}
