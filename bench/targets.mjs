// What the product promises about its speed, and whether a run has shown it. What was not measured, or was
// missed, is said as plainly as what was met.

import { LEAST } from "./hot-commands.mjs";
import { round } from "./measure.mjs";

const HOT = new Set(["next --peek", "show", "why", "next", "add", "complete"]);
/** These have to start fast; the others also write, or are measured in a git repository. */
const SOON = new Set(["next --peek", "show", "why", "add"]);
const SOON_LIMIT = 1.35;
/** Or so many milliseconds beyond Node with SQLite and one select, whichever is more. */
const BEYOND_LEAST_MS = 5;

const atMost = (name, limit, measured) => ({ name, target: `≤ ${limit}`, measured, met: measured <= limit });
const atLeast = (name, limit, measured) => ({ name, target: `≥ ${limit}`, measured, met: measured >= limit });

/** A floor that holds now, and the goal that it was before it was eased. */
const atLeastWithGoal = (name, floor, goal, measured) => [
  atLeast(name, floor, measured),
  atLeast(`goal: ${name}`, goal, measured),
];

function hotTargets({ times, memory }) {
  const { floor, bySize, growth } = times;
  const judged = bySize.find(({ tasks }) => tasks === 100_000) ?? bySize.at(-1);
  const isHot = ({ name }) => HOT.has(name);
  const least = judged.commands.find(({ name }) => name === LEAST);
  const limit = Math.max(SOON_LIMIT, round((least.ms + BEYOND_LEAST_MS) / floor.ms));
  return [
    ...judged.commands
      .filter(({ name }) => SOON.has(name))
      .map(({ name, ratio, beyondMs }) =>
        atMost(`${name} at ${judged.tasks} tasks, × node -e 0 (${beyondMs} ms beyond it)`, limit, ratio),
      ),
    ...growth.commands
      .filter(isHot)
      .map(({ name, ratio }) => atMost(`${name} at ${growth.to} tasks, × at ${growth.from}`, 1.2, ratio)),
    ...memory.commands
      .filter(isHot)
      .map(({ name, extraMb }) => atMost(`${name} at ${memory.tasks} tasks, MB over node -e 0`, 20, extraMb)),
  ];
}

function peerTargets(peers) {
  return peers.flatMap(({ name, tenfold, sizes }) => {
    const largest = sizes.at(-1);
    if (!largest) return [];
    return ["next", "done", "create"]
      .filter((op) => largest[op]?.timesSlower !== undefined)
      .map((op) =>
        atLeast(`${name}: ${op} at ${largest.tasks} tasks, × planwright`, tenfold ? 10 : 1, largest[op].timesSlower),
      );
  });
}

/** The product promises a number for claiming and handing in; with acceptance and dependencies it is reported alone. */
const CLAIMS_PER_SECOND = { "claim and complete": [1200, 2000] };

const raceTargets = (name, { evenness, claimedTwice, left }) => [
  atLeast(`8 processes, ${name}: fewest / most per worker`, 0.3, evenness),
  atMost(`8 processes, ${name}: tasks claimed twice or left`, 0, claimedTwice + left),
];

function claimTargets(claims) {
  return Object.entries(claims).flatMap(([name, raced]) => [
    ...(name in CLAIMS_PER_SECOND
      ? atLeastWithGoal(`8 processes, ${name}: tasks per second`, ...CLAIMS_PER_SECOND[name], raced.perSecond)
      : []),
    ...raceTargets(name, raced),
  ]);
}

const IN_GIT = { approve: 1.6, next: 1.8 };

function inGitTargets({ commands, completeBeyondTrees, race, carried }) {
  return [
    ...commands
      .filter(({ name }) => name in IN_GIT)
      .map(({ name, ratio, beyondMs }) =>
        atMost(`${name} of one task in git, × node -e 0 (${beyondMs} ms beyond it)`, IN_GIT[name], ratio),
      ),
    atMost(
      `complete in git, red → green, beyond its clean trees, × node -e 0 (${completeBeyondTrees.ms} ms)`,
      6,
      completeBeyondTrees.ratio,
    ),
    atLeast("8 processes in git, claim and complete: tasks per second", 300, race.perSecond),
    ...raceTargets("claim and complete in git", race),
    ...carried.map(({ sandbox, megabytes, later }) =>
      atMost(`an attempt with ${megabytes} MB of carried packages, sandbox ${sandbox}, seconds`, 2, later),
    ),
  ];
}

/** × `node -e 0` at 100,000 tasks. */
const WHOLE_PLAN = {
  status: 6,
  waiting: 4,
  news: 3,
  "list ready": 3,
  "list file": 3,
  search: 3,
  stats: 6,
  waves: 6,
  graph: 12,
  forecast: 12,
  "a past moment": 15,
};

/** They go through the whole plan, so they may take longer with it, and as much memory as a terminal of a person has to spare. */
const CHECKS = new Set(["lint", "verify", "doctor"]);
const CHECK_MB = 512;

function wholePlanTargets({ judged, inGit, indexed, growth }) {
  const ratios = ({ tasks, commands }, where) =>
    commands
      .filter(({ name }) => name in WHOLE_PLAN)
      .map(({ name, ratio, beyondMs }) =>
        atMost(`${name} at ${tasks} tasks${where}, × node -e 0 (${beyondMs} ms beyond it)`, WHOLE_PLAN[name], ratio),
      );
  const checks = judged.commands.filter(({ name }) => CHECKS.has(name));
  return [
    ...ratios(judged, ""),
    ...ratios(inGit, " in git"),
    ...growth
      .filter(({ name }) => CHECKS.has(name))
      .map(({ name, perNode }) =>
        atMost(`${name} at ${judged.tasks} tasks, time per node × a tenth of them`, 1.5, perNode),
      ),
    ...checks.map(({ name, ms, extraMb }) =>
      atMost(`${name} at ${judged.tasks} tasks (${round(ms / 1000)} s), MB over node -e 0`, CHECK_MB, extraMb),
    ),
    ...indexed.commands
      .filter(({ name }) => name in WHOLE_PLAN && WHOLE_PLAN[name] <= 3)
      .map(({ name, ratio }) => atMost(`${name} at ${indexed.tasks} tasks, × node -e 0`, WHOLE_PLAN[name], ratio)),
    ...indexed.commands
      .filter(({ name }) => ["status", "waiting", "news"].includes(name))
      .map(({ name, ms }) => atMost(`${name} at ${indexed.tasks} tasks, seconds`, 2, round(ms / 1000))),
  ];
}

/** One approval of the whole plan. */
const approvalTargets = (plans) =>
  plans
    .filter(({ tasks }) => tasks >= 100_000)
    .flatMap(({ tasks, approveSeconds, approveMb }) => [
      ...(tasks === 100_000 ? [atMost(`approve ${tasks} tasks at once, seconds`, 4, approveSeconds)] : []),
      atMost(`approve ${tasks} tasks at once, MB`, tasks === 100_000 ? 512 : 1536, approveMb),
    ]);

function planningTargets({
  tasks,
  outlineCpuSeconds,
  agentCpuSeconds,
  denseLines,
  denseCpuSeconds,
  lintTasks,
  lintCpuSeconds,
  bundle,
}) {
  return [
    atMost(`plan ${tasks} tasks with the outline planner, seconds of CPU`, 1, outlineCpuSeconds),
    atMost(`plan ${tasks} tasks with an agent, seconds of CPU without the agent's`, 1, agentCpuSeconds),
    ...(denseCpuSeconds === undefined
      ? []
      : [
          atMost(
            `plan a dense spec of ${denseLines} lines with the outline planner, seconds of CPU`,
            4,
            denseCpuSeconds,
          ),
        ]),
    atMost(`lint ${lintTasks} tasks, seconds of CPU`, 2, lintCpuSeconds),
    atMost(`largest bundle, % of the tokens of a plan of ${tasks} tasks`, 20, bundle.percent),
  ];
}

function attemptTargets({ tasks, workers, withoutProof, withDefaults }) {
  const rows = ({ beyondCommandsCpuMs, throughput }, how) => [
    atMost(
      `one attempt of a trivial task ${how}, ms of CPU in the engine beyond its commands`,
      40,
      beyondCommandsCpuMs,
    ),
    ...atLeastWithGoal(
      `${tasks} tasks on ${workers} workers ${how}, throughput / that of a bare loop`,
      0.6,
      0.7,
      throughput,
    ),
  ];
  return [
    ...rows(withoutProof, "without proof"),
    atMost("goal: one attempt of a trivial task without proof, ms of CPU", 30, withoutProof.beyondCommandsCpuMs),
    ...rows(withDefaults, "with default settings"),
  ];
}

function largePlanTargets({ thaw, news, lint, approve, watch }) {
  return [
    atMost(`thaw ${thaw.nodes} nodes, seconds of CPU`, 5, thaw.thawCpuSeconds),
    atMost(`news of ${news.rows} rows, seconds of CPU`, 1, news.cpuSeconds),
    atMost(`lint ${lint.tasks} tasks, seconds of CPU`, 20, lint.cpuSeconds),
    atMost(`longest write while ${approve.tasks} tasks are approved, seconds`, 2, approve.longestWriteSeconds),
    atMost(`status --watch of ${watch.tasks} tasks, 2 writes a second, % of a processor`, 10, watch.cpuPercent),
  ];
}

function proofTargets({ off, note }) {
  return [
    atMost("proof off, runs of its checks per attempt", 1, off.checkRuns),
    atMost("proof note, runs of its checks per attempt", 2, note.checkRuns),
  ];
}

function sharedFileTargets({ few, many, growth }) {
  return [
    atMost(`${many.tasks} tasks with one file, ms of CPU per task × with ${few.tasks}`, 1.3, growth),
    atMost(`${many.tasks} tasks with one file, conflicts and questions`, 0, many.conflicts + many.questions),
  ];
}

function doorTargets({ tasks, hooks, router }) {
  return [
    ...hooks.map(({ name, beyondNodeMs }) =>
      atMost(`${name} at ${tasks} tasks, ms beyond the start of Node`, 100, beyondNodeMs),
    ),
    atMost(`the router at ${tasks} tasks, ms for one sentence`, 1, router.ms),
  ];
}

/** By the clock: on a busy machine these are missed before the others. */
function boardTargets({ tasks, operations, large, ...page }) {
  const at = `at ${tasks} tasks`;
  const inLarge = `at ${large.tasks} tasks`;
  return [
    atMost(`first rows of the tree ${at}, cold, ms`, 2000, page.firstPaintMs),
    atMost("script of the first load, KB gzip", 150, page.scriptKb),
    atMost(`Now ${at}, cold, ms`, 1000, page.nowMs),
    atMost(`Now ${inLarge}, cold, ms`, 2000, large.nowMs),
    atMost(`between views ${at}, median ms`, 300, page.betweenViewsMs),
    atMost(`between views ${inLarge}, median ms`, 500, large.betweenViewsMs),
    atMost(`one status change ${at}, ms until its row is patched`, 16, page.rowPatchMs),
    atMost(`one status change ${at}, rows patched`, 1, page.rowsPatched),
    atMost(`longest task ${at}, ms`, 100, page.longestTaskMs),
    atMost(`panning the graph ${at}, 95 % of frames, ms`, 25, page.panFrameP95Ms),
    atMost(`any past moment ${at} and ${operations} operations, 95 %, ms`, 300, page.pastP95Ms),
    atMost(`rows in the page ${inLarge}`, 80, large.mostRows),
    atMost(`first rows of the tree ${inLarge}, ms`, 3000, large.firstPaintMs),
    atMost(`end of the tree ${inLarge}, ms`, 1000, large.endMs),
    atMost(`filter ${inLarge}, ms`, 3000, large.filterMs),
    atMost(`search ${inLarge}, ms`, 1000, large.searchMs),
    atMost(`status ${inLarge}, seconds of CPU`, 0.8, large.statusCpuSeconds),
    atMost(`stats ${inLarge}, seconds of CPU`, 0.8, large.statsCpuSeconds),
    atMost(`waves ${inLarge}, seconds of CPU`, 2.2, large.wavesCpuSeconds),
  ];
}

function soakTargets({ minutes, attempts, mostPageMb, pageGrowth, serverGrowth, driverGrowth }) {
  const during = `${minutes} minutes of ${attempts} attempts`;
  return [
    atMost(`${during}, MB of the page`, 150, mostPageMb),
    ...[
      ["the page", pageGrowth],
      ["the server", serverGrowth],
      ["the program that runs them", driverGrowth],
    ]
      // Of a single minute nothing can be said.
      .filter(([, growth]) => Number.isFinite(growth))
      .map(([whose, growth]) => atMost(`${during}, memory of ${whose}, last third × the third before`, 1.1, growth)),
  ];
}

/** Every target that this run has measured. */
export const judge = ({
  hotCommands,
  statusOneFeature,
  plans,
  wholePlan,
  bulkAdd,
  claims,
  inGit,
  signatures,
  planning,
  attempts,
  proof,
  sharedFile,
  largePlans,
  doors,
  board,
  boardSoak,
  peers,
}) => [
  ...(hotCommands ? hotTargets(hotCommands) : []),
  ...(statusOneFeature ? [atMost("status of one feature, largest plan × smallest", 1.2, statusOneFeature.ratio)] : []),
  ...(plans ? approvalTargets(plans) : []),
  ...(wholePlan ? wholePlanTargets(wholePlan) : []),
  ...(bulkAdd ? atLeastWithGoal("add from a file, tasks per second", 12_000, 20_000, bulkAdd.tasksPerSecond) : []),
  ...(claims ? claimTargets(claims) : []),
  ...(inGit ? inGitTargets(inGit) : []),
  ...(signatures ? [atMost("check who approved a task, ms of CPU", 1, signatures.thenMs)] : []),
  ...(planning ? planningTargets(planning) : []),
  ...(attempts ? attemptTargets(attempts) : []),
  ...(proof ? proofTargets(proof) : []),
  ...(sharedFile ? sharedFileTargets(sharedFile) : []),
  ...(largePlans ? largePlanTargets(largePlans) : []),
  ...(doors ? doorTargets(doors) : []),
  ...(board ? boardTargets(board) : []),
  ...(boardSoak ? soakTargets(boardSoak) : []),
  ...(peers ? peerTargets(peers) : []),
];
