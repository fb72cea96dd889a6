// What agents call in a loop, as whole processes, on plans of growing size: time against `node -e 0`, time on
// the largest plan against the smallest, and memory on the largest.

import { dirname, join } from "node:path";
import { taskId } from "./generate.mjs";
import { compare, peakMemory, round } from "./measure.mjs";
import { BIN } from "./product.mjs";

/** The least that a command takes that looks into a plan. */
export const LEAST = "Node, SQLite, one select";
const LEAST_FILE = join(import.meta.dirname, "least.cjs");

/** In the order in which they run: `complete` hands in what `next` took, and `accept` lets the plan go on. */
function commandsOn({ root, count }) {
  const command = (name, args, rest = {}) => ({
    name,
    file: process.execPath,
    args: typeof args === "function" ? () => [BIN, ...args()] : [BIN, ...args],
    cwd: root,
    ...rest,
  });
  const waiting = taskId(Math.min(count, 50));
  let claimed;
  const after = (stdout) => {
    claimed = JSON.parse(stdout).data;
  };
  return [
    {
      name: LEAST,
      file: process.execPath,
      args: [LEAST_FILE, dirname(BIN), join(root, ".planwright/plan.db")],
      cwd: root,
    },
    command("next --peek", ["next", "--peek"]),
    command("show", ["show", waiting]),
    command("why", ["why", waiting]),
    command("next", ["next", "--json"], { after }),
    command("add", ["add", "One more task", "--parent", "FEAT-001", "--on", waiting]),
    command("complete", () => ["complete", claimed.task.id, "--token", claimed.token]),
    command("accept", () => ["accept", claimed.task.id, "--reason", "measured"]),
  ];
}

/** All sizes run in the same rounds, so that ratios between sizes hold as well as those to the floor. */
function measureSizes(sized, rounds) {
  const { floor, commands } = compare(
    sized.flatMap(({ plan, commands }) => commands.map((c) => ({ ...c, name: `${c.name} at ${plan.count}` }))),
    { rounds },
  );
  const bySize = sized.map(({ plan, commands: own }, i) => ({
    tasks: plan.count,
    commands: own.map(({ name }, j) => ({ ...commands[i * own.length + j], name })),
  }));
  const [smallest, largest] = [bySize[0], bySize.at(-1)];
  const growth = smallest.commands.map(({ name, ms }, i) => ({ name, ratio: round(largest.commands[i].ms / ms, 3) }));
  return { floor, bySize, growth: { from: smallest.tasks, to: largest.tasks, commands: growth } };
}

export function measureHotCommands(plans, { rounds = 25 } = {}) {
  const sized = plans.map((plan) => ({ plan, commands: commandsOn(plan) }));
  const largest = sized.at(-1);
  return { times: measureSizes(sized, rounds), memory: { tasks: largest.plan.count, ...peakMemory(largest.commands) } };
}
