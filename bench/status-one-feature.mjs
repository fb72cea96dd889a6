// `status` of one feature must not read the rest of the plan: the same time and memory however large it is.

import { featureId } from "./generate.mjs";
import { compare, peakMemory, round } from "./measure.mjs";
import { BIN } from "./product.mjs";

export function measureStatus(plans, { rounds = 15 } = {}) {
  const commands = [plans[0], plans.at(-1)].map(({ root, count }) => ({
    name: `status ${featureId(5)} at ${count}`,
    file: process.execPath,
    args: [BIN, "status", featureId(5)],
    cwd: root,
  }));
  const times = compare(commands, { rounds });
  const [small, large] = times.commands;
  return { ...times, ratio: round(large.ms / small.ms, 3), memory: peakMemory(commands) };
}
