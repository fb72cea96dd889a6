// What claims, hand-ins and approvals take in a real git repository, as whole processes, and how many claims and hand-ins eight processes
// get through there.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { race } from "./claims.mjs";
import { compare, median, round } from "./measure.mjs";
import { BIN, ENVIRONMENT, planwright, scratch } from "./product.mjs";

const IDENTITY = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a" };
const FEATURES = 16;
const FILES = 200;

function makeRepository() {
  const root = mkdtempSync(join(scratch, "in-git-"));
  const git = (...args) => execFileSync("git", args, { cwd: root, env: { ...ENVIRONMENT, ...IDENTITY } });
  git("init", "--quiet", "--initial-branch", "main");
  for (let i = 0; i < FILES; i++) {
    const folder = join(root, "src", `m${i % 20}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}.ts`), "export const x = 1;\n".repeat(50));
  }
  writeFileSync(join(root, "planwright.json"), JSON.stringify({ execution: { sandbox: "off", review: false } }));
  git("add", ".");
  git("commit", "--quiet", "--message", "begin");
  return root;
}

function makePlan(root, tasks) {
  planwright(root, ["init", "--mission", "In git"]);
  planwright(root, ["config", "trust", "--yes"]);
  const features = Array.from({ length: FEATURES }, (_, i) => ({
    id: `FEAT-${i + 1}`,
    tier: "feature",
    title: `Feature ${i + 1}`,
    parent: "MISSION",
  }));
  const file = join(scratch, "in-git.jsonl");
  writeFileSync(file, [...features, ...tasks].map((line) => JSON.stringify(line)).join("\n"));
  planwright(root, ["add", "--from", file]);
  rmSync(file);
}

/** What proving takes by itself: the check in a clean worktree of the work and in one of what was there before. */
const CLEAN_TREES = `
for at in 1 2; do
  git worktree add --quiet --detach "$TREES/t" HEAD && (cd "$TREES/t" && /bin/sh -c "test -f out/none" || true) &&
  git -C "$TREES/t" status --porcelain && git worktree remove --force "$TREES/t"
done`;

const taskOf = (n) => ({
  id: `T-${n}`,
  tier: "task",
  title: `Task ${n}`,
  parent: `FEAT-${1 + (n % FEATURES)}`,
  files: [`out/${n}.txt`],
  checks: [{ run: `test -f out/${n}.txt` }],
});

function commandsIn(root) {
  const command = (name, args, rest = {}) => ({
    name,
    file: process.execPath,
    args: () => [BIN, ...args()],
    cwd: root,
    env: IDENTITY,
    ...rest,
  });
  let n = 0;
  let token;
  const claimed = (stdout) => {
    ({ token } = JSON.parse(stdout).data);
    writeFileSync(join(root, `out/${n}.txt`), "done\n");
  };
  const trees = mkdtempSync(join(scratch, "trees-"));
  return [
    command("approve", () => ["approve", `T-${++n}`, "--yes"]),
    command("next", () => ["next", `T-${n}`, "--json"], { after: claimed }),
    command("complete", () => ["complete", `T-${n}`, "--token", token], {
      after: () => rmSync(join(root, `out/${n}.txt`)),
    }),
    { name: "clean trees", file: "/bin/sh", args: ["-c", CLEAN_TREES], cwd: root, env: { ...IDENTITY, TREES: trees } },
  ];
}

function measureCommands({ tasks, rounds }) {
  const root = makeRepository();
  mkdirSync(join(root, "out"));
  makePlan(
    root,
    Array.from({ length: tasks }, (_, i) => taskOf(i + 1)),
  );
  const { floor, commands } = compare(commandsIn(root), { rounds });
  rmSync(root, { recursive: true, force: true });
  const by = Object.fromEntries(commands.map((each) => [each.name, each]));
  const { complete, "clean trees": trees } = by;
  const beyond = complete.ms - trees.ms;
  return { tasks, floor, commands, completeBeyondTrees: { ms: round(beyond), ratio: round(beyond / floor.ms, 2) } };
}

async function measureRace(count) {
  const root = makeRepository();
  const withoutChecks = (n) => ({ ...taskOf(n), checks: [], files: [] });
  makePlan(
    root,
    Array.from({ length: count }, (_, i) => withoutChecks(i + 1)),
  );
  planwright(root, ["approve", "MISSION", "--yes"]);
  const raced = await race(root, count);
  rmSync(root, { recursive: true, force: true });
  return raced;
}

const PACKAGES = 12_000;
const PACKAGE_BYTES = 12_000;

/** Seconds of an attempt where 145 MB of packages are carried into its worktree: the second one, after they were copied once. */
function measureCarried(sandbox) {
  const root = makeRepository();
  const git = (...args) => execFileSync("git", args, { cwd: root, env: { ...ENVIRONMENT, ...IDENTITY } });
  writeFileSync(join(root, ".gitignore"), "node_modules/\n.planwright/\n");
  writeFileSync(join(root, "planwright.json"), JSON.stringify({ execution: { sandbox, review: false } }));
  git("add", ".");
  git("commit", "--quiet", "--message", "packages");
  for (let i = 0; i < PACKAGES; i++) {
    const folder = join(root, "node_modules", `p${Math.floor(i / 20)}`);
    if (i % 20 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${i}.js`), "x".repeat(PACKAGE_BYTES));
  }
  const run = (n) => ["```sh run", `mkdir -p out && echo ${n} > out/${n}.txt`, "```"].join("\n");
  makePlan(
    root,
    [1, 2, 3].map((n) => ({ ...taskOf(n), body: run(n) })),
  );
  const times = [];
  for (const n of [1, 2, 3]) {
    planwright(root, ["approve", `T-${n}`, "--yes"]);
    const words = [BIN, "run", `T-${n}`, "--unsandboxed", "--json"];
    const started = performance.now();
    const child = spawnSync(process.execPath, words, { cwd: root, env: ENVIRONMENT, encoding: "utf8" });
    if (!child.stdout.includes('"state":"accepted"')) throw new Error(`T-${n}: ${child.stdout}${child.stderr}`);
    times.push((performance.now() - started) / 1000);
  }
  rmSync(root, { recursive: true, force: true });
  return {
    sandbox,
    megabytes: round((PACKAGES * PACKAGE_BYTES) / 1e6, 0),
    first: round(times[0]),
    later: round(median(times.slice(1))),
  };
}

export async function measureInGit({ tasks, rounds, racers }) {
  return {
    ...measureCommands({ tasks, rounds }),
    race: await measureRace(racers),
    carried: ["auto", "off"].map(measureCarried),
  };
}
