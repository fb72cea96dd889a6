// What looks at the whole plan, as whole processes: time against `node -e 0` and peak memory, on a plan in a plain folder and then in
// the same folder as a git repository; and how both grow with the plan.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { taskId } from "./generate.mjs";
import { compare, peakMemory, round } from "./measure.mjs";
import { BIN, ENVIRONMENT, planwright } from "./product.mjs";

/** What is read by index, so it has to stay fast on the largest plan too. */
const INDEXED = {
  status: ["status"],
  waiting: ["waiting"],
  news: ["news", "--peek"],
  "list ready": ["list", "--status", "ready"],
  "list file": ["list", "--file", "src/module-7/part-650.ts"],
  search: ["search", "part 650 of"],
};

/** What goes through the whole plan. */
const readsOf = ({ last }) => ({
  stats: ["stats"],
  waves: ["waves"],
  graph: ["graph"],
  forecast: ["forecast"],
  "a past moment": ["--at", String(last), "status"],
});

/** What checks the whole plan, and may find something. */
const CHECKS = { lint: ["lint"], verify: ["verify"], doctor: ["doctor"] };

const commandsFor = (root, words) =>
  Object.entries(words).map(([name, args]) => ({
    name,
    file: process.execPath,
    args: [BIN, ...args],
    // A check that finds something ends with 1.
    allowed: name in CHECKS ? [0, 1] : [0],
    cwd: root,
  }));

/** The operation before the last ten: near to now, as a person looks back. */
const momentOf = (root) => {
  const { data } = JSON.parse(
    execFileSync(process.execPath, [BIN, "log", "--limit", "1", "--json"], {
      cwd: root,
      env: ENVIRONMENT,
      encoding: "utf8",
    }),
  );
  return Math.max(1, (data[0] ?? data.operations[0]).op - 10);
};

function measureOn({ root, count }, rounds) {
  const reads = commandsFor(root, { ...INDEXED, ...readsOf({ last: momentOf(root) }) });
  const checks = commandsFor(root, CHECKS);
  const fast = compare(reads, { rounds, warmUps: 1 });
  const slow = compare(checks, { rounds: Math.max(1, Math.ceil(rounds / 3)), warmUps: 0 });
  const memory = peakMemory([...reads, ...checks], { rounds: 1 });
  const megabytes = new Map(memory.commands.map(({ name, extraMb }) => [name, extraMb]));
  return {
    tasks: count,
    floor: fast.floor,
    commands: [...fast.commands, ...slow.commands].map((each) => ({ ...each, extraMb: megabytes.get(each.name) })),
  };
}

function measureIndexed({ root, count }, rounds) {
  const { floor, commands } = compare(commandsFor(root, INDEXED), { rounds, warmUps: 1 });
  return { tasks: count, floor, commands };
}

function makeRepository(root) {
  const who = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a" };
  const git = (...args) => execFileSync("git", args, { cwd: root, env: { ...ENVIRONMENT, ...who } });
  git("init", "--quiet", "--initial-branch", "main");
  writeFileSync(join(root, "part.ts"), `// ${taskId(1)}\n`);
  git("add", "part.ts");
  git("commit", "--quiet", "--message", "begin");
}

/** `plans`: from small to large. Everything is measured where that is bearable, what an index answers on the largest. */
export function measureWholePlan(plans, { rounds = 7, most = 100_000, report }) {
  const bearable = plans.filter(({ count }) => count <= most);
  const [small, large] = bearable.slice(-2);
  for (const { root } of plans) planwright(root, ["subscribe"]);
  report(`whole-plan: ${small.count} tasks`);
  const before = measureOn(small, rounds);
  report(`whole-plan: ${large.count} tasks`);
  const judged = measureOn(large, rounds);
  const largest = plans.at(-1);
  report(`whole-plan: ${largest.count} tasks, by index`);
  const indexed = largest === large ? judged : measureIndexed(largest, rounds);
  report(`whole-plan: ${large.count} tasks in a git repository`);
  makeRepository(large.root);
  const inGit = measureOn(large, Math.ceil(rounds / 2));
  const growth = judged.commands.map(({ name, beyondMs }, i) => ({
    name,
    // How many times as long for each node.
    perNode: round((beyondMs / before.commands[i].beyondMs) * (small.count / large.count), 2),
  }));
  return { before, judged, inGit, indexed, growth };
}
