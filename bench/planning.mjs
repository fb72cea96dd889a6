// What planning itself costs, apart from waiting for agents: processor time of a whole run for a plan of a hundred tasks,
// of the lint of ten thousand, and how much of a plan one worker has to read.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { makePlan } from "./generate.mjs";
import { cpuSeconds, median, round } from "./measure.mjs";
import { BIN, ENVIRONMENT, LIBRARY, planwright, scratch } from "./product.mjs";

const AGENT = resolve(import.meta.dirname, "../test/agents/scripted-agent.mjs");
const SECTIONS = 10;
const PER_SECTION = 10;

/** A hundred requirements in ten sections, each with its words, its file and its check. */
function specText() {
  const requirement = (section, n) => {
    const id = (section - 1) * PER_SECTION + n;
    const before = n === 1 ? "" : ` Depends on REQ-${id - 1}.`;
    return [
      `- REQ-${id}: The module \`src/area-${section}/part-${n}.ts\` takes a request of kind ${n}, checks each of its fields, and`,
      `  answers with what area ${section} knows about it, or with an error that names the field that is wrong.${before}`,
      `  Check: \`npm test -- area-${section}/part-${n}\``,
    ].join("\n");
  };
  const sections = Array.from({ length: SECTIONS }, (_, i) => [
    `## Area ${i + 1}`,
    "",
    `Everything about area ${i + 1} is in one folder, and nothing else writes there.`,
    "",
    ...Array.from({ length: PER_SECTION }, (__, n) => requirement(i + 1, n + 1)),
    "",
  ]);
  return ["# A service with ten areas", "", "It answers requests about ten areas.", "", ...sections.flat()].join("\n");
}

const DENSE_LINES = 5_200;

/** Of all shapes that people write: nested lists, tables with a status, named paragraphs, criteria, what is out of scope. */
function denseSpecText() {
  const lines = ["# A large system", "", "It does a lot.", ""];
  for (let area = 1; lines.length < DENSE_LINES; area++) {
    lines.push(`## Area ${area}`, "", `The service must answer within ${area} ms. It should log each call.`, "");
    for (let n = 1; n <= 10; n++) {
      const id = area * 100 + n;
      lines.push(
        `- **REQ-${id}**: The system shall read records of kind ${id} from \`src/area-${area}/part-${n}.ts\`.`,
      );
      lines.push(`  - It must refuse a record ${id} without an owner.`);
    }
    lines.push("", `### Stories ${area}`, "", "| ID | Story | Priority | Status |", "|--|--|--|--|");
    for (let n = 1; n <= 6; n++) {
      const status = n === 6 ? "Done" : "Open";
      lines.push(
        `| US-${area * 100 + n} | As a user, I want to change record ${area}-${n} so that it is right | P${n % 3} | ${status} |`,
      );
    }
    lines.push("", `### Files ${area}`, "", `**Export ${area}.** One file is written. Nothing else is changed.`, "");
    lines.push(
      `**Import ${area}.** One file is read at a time. It must be closed again.`,
      "",
      "#### Acceptance criteria",
      "",
    );
    for (let n = 1; n <= 4; n++) lines.push(`${n}. Given record ${area}-${n}, when it is read, then it is shown`);
    lines.push("", `### Out of scope ${area}`, "", `- Sync of area ${area}`, `- Mail of area ${area}`, "");
  }
  return lines.join("\n");
}

function workspace(name, text = specText()) {
  const root = mkdtempSync(join(scratch, `${name}-`));
  const git = (...args) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  mkdirSync(join(root, "docs"));
  writeFileSync(join(root, "docs/spec.md"), text);
  writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { test: "node --test" } }));
  git("init", "--quiet");
  planwright(root, ["init", "--mission", "A service"]);
  return root;
}

/** Like `cpuSeconds`, without its children: what the agent uses is the agent's. */
function ownCpuSeconds(root, args) {
  const counter = join(scratch, "count-cpu.cjs");
  const file = join(root, "cpu.json");
  writeFileSync(
    counter,
    'const file = process.env.BENCH_CPU; delete process.env.BENCH_CPU; if (file) process.on("exit", () => require("node:fs").writeFileSync(file, JSON.stringify(process.cpuUsage())));',
  );
  const child = spawnSync(process.execPath, ["--require", counter, BIN, ...args], {
    cwd: root,
    env: { ...ENVIRONMENT, BENCH_CPU: file },
    encoding: "utf8",
  });
  if (child.status !== 0) throw new Error(`planwright ${args.join(" ")}: ${child.stderr}`);
  const { user, system } = JSON.parse(readFileSync(file, "utf8"));
  return (user + system) / 1e6;
}

const artifact = (root, run, kind) => {
  const { artifacts } = JSON.parse(planwright(root, ["plan", "show", run, "--json"])).data;
  return JSON.parse(planwright(root, ["show", artifacts[kind], "--json"])).data.text;
};

/** An agent that is there at once with the very answers of the outline planner, and with praise as a reviewer. */
function workspaceWithAgent(planned) {
  const root = workspace("agent");
  const ratings = {
    consistency: "pass",
    soundness: "pass",
    implementability: "pass",
    completeness: "pass",
    risk: "pass",
  };
  const answers = {
    clarifier: { intent: "A service.", questions: [] },
    "author, stage capabilities": JSON.parse(artifact(planned, "RUN-001", "capability-map")),
    "author, stage files": JSON.parse(artifact(planned, "RUN-001", "file-map")),
    "author, stage tasks": JSON.parse(artifact(planned, "RUN-001", "draft")),
    critic: { findings: [], ratings, assessment: { quality: "It would work." } },
    overviewer: { findings: [], assessment: "Good." },
  };
  const script = join(scratch, "script.json");
  const turns = Object.entries(answers).map(([role, answer]) => ({
    when: `# Your role: ${role}`,
    steps: [{ submit: answer }],
    again: true,
  }));
  writeFileSync(script, JSON.stringify(turns));
  const args = [AGENT, script, join(scratch, "state.json")];
  const settings = { agents: { scripted: { command: process.execPath, args } }, roles: { "*": { agent: "scripted" } } };
  writeFileSync(join(root, "planwright.json"), JSON.stringify(settings));
  planwright(root, ["config", "trust", "--yes"]);
  return root;
}

/** How large the input of each worker is, against the plan document that all of them would have to read. */
async function bundleShare(root) {
  const document = artifact(root, "RUN-001", "plan");
  planwright(root, ["approve", "RUN-001", "--yes"]);
  const { openWorkspace } = await import(LIBRARY);
  const app = await openWorkspace(root, { env: ENVIRONMENT });
  const tokens = [];
  for (let n = 1; n <= SECTIONS * PER_SECTION; n++) {
    const packed = await app.call("bundle.create", { references: [`TASK-${String(n).padStart(5, "0")}`] });
    if (!packed.ok) throw new Error(packed.error.message);
    tokens.push(packed.value.bundles[0].tokens);
  }
  await app.close();
  // The same estimate as for bundles: the document is Latin text, four characters a token.
  const whole = Math.ceil(document.length / 4);
  return { planTokens: whole, largest: Math.max(...tokens), percent: round((100 * Math.max(...tokens)) / whole, 1) };
}

export async function measurePlanning({ rounds = 5 } = {}) {
  const outline = Array.from({ length: rounds }, () => {
    const root = workspace("outline");
    return { root, seconds: cpuSeconds(root, ["plan", "docs/spec.md", "--agent", "outline"]) };
  });
  const [{ root: planned }] = outline;
  const tasks = JSON.parse(planwright(planned, ["plan", "show", "RUN-001", "--json"])).data.counts.tasks;
  const agent = Array.from({ length: rounds }, () =>
    ownCpuSeconds(workspaceWithAgent(planned), ["plan", "docs/spec.md"]),
  );
  const dense = denseSpecText();
  const denseSeconds = Array.from({ length: rounds }, () =>
    cpuSeconds(workspace("dense", dense), ["plan", "docs/spec.md", "--agent", "outline", "--defaults"]),
  );
  const large = await makePlan(scratch, 10_000, { checks: [{ run: "npm test" }] });
  const lint = Array.from({ length: rounds }, () => cpuSeconds(large.root, ["lint"], { allowed: [0, 1] }));
  return {
    tasks,
    outlineCpuSeconds: round(median(outline.map(({ seconds }) => seconds))),
    agentCpuSeconds: round(median(agent)),
    denseLines: dense.split("\n").length,
    denseCpuSeconds: round(median(denseSeconds)),
    lintTasks: large.count,
    lintCpuSeconds: round(median(lint)),
    bundle: await bundleShare(planned),
  };
}
