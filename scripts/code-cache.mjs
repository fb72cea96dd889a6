// Makes V8's code cache for what agents call in a loop, and for planning, which loads the most: runs those commands
// on a small plan, all in one process, and keeps what V8 compiled. Output goes nowhere; the build starts this.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

const dist = resolve("dist");
const plainRequire = createRequire(join(dist, "planwright.cjs"));
const scripts = new Map();

/** Loads as `src/bin.ts` does: a file's text is one function, and what is loaded later takes much from the first. */
function begin(entry) {
  const loaded = new Map();
  const load = (id) => {
    if (id === "./entry") return load(entry);
    if (!id.startsWith("./")) return plainRequire(id);
    const known = loaded.get(id);
    if (known) return known.exports;
    const file = join(dist, id);
    const script = new Script(readFileSync(file, "utf8"), { filename: file });
    const module = { exports: {} };
    if (!scripts.has(file)) scripts.set(file, script);
    loaded.set(id, module);
    script.runInThisContext()(module.exports, load, module, file, dist);
    return module.exports;
  };
  return load(entry).main;
}

/**
 * The cache says which functions became machine code here, and every process that reads it makes machine code of those at
 * once, though it may call them a single time: 1.5 ms of a short command. So none becomes any. And none is forgotten
 * because it was not called for a while. V8 refuses a cache that was made under other flags than it is read under.
 */
const FLAGS = ["sparkplug", "flush-bytecode"];
const training = () => FLAGS.forEach((flag) => setFlagsFromString(`--no-${flag}`));

training();
const main = begin("./main.cjs");

const PLAN = [
  { id: "MISSION", tier: "mission", title: "A mission" },
  { id: "FEAT-001", tier: "feature", title: "A feature", parent: "MISSION" },
  { id: "TASK-1", title: "First", parent: "FEAT-001", files: ["a.ts"], body: "Some words." },
  { id: "TASK-2", title: "Second", parent: "FEAT-001", dependsOn: ["TASK-1"] },
  // A statement that is asked often is read in another way.
  ...Array.from({ length: 9 }, (_, i) => ({
    id: `TASK-${i + 3}`,
    title: "Another",
    parent: "FEAT-001",
    dependsOn: [`TASK-${i + 2}`],
  })),
];

async function train(root) {
  const { add, approve, createStore } = await import(join(dist, "index.mjs"));
  const path = join(root, ".planwright/plan.db");
  const { store } = await createStore({ path, durability: "normal", engine: "auto" });
  const context = { store, actor: "human:a", settings: {}, root, cwd: root, now: () => 1, head: () => null };
  await add(
    context,
    PLAN.map((input, i) => ({ input, where: `line ${i + 1}` })),
  );
  const approved = await approve(context, { references: ["FEAT-001"] });
  if (!approved.ok) throw new Error(approved.error.message);
  await store.close();
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/HEAD"), `${"0".repeat(40)}\n`);

  const asked = (words) => ({ words, env: { PLANWRIGHT_ACTOR: "human:a" }, cwd: root });
  const run = (...words) => main(asked(words));
  const alone = ["next", "show", "why"].map((command) => begin(`./only-${command}.cjs`));
  const [next, show, why] = alone.map(
    (start) =>
      (...words) =>
        start(asked(words)),
  );
  for (const format of [[], ["--json"]]) {
    await next("next", "--peek", ...format);
    await show("show", "TASK-2", ...format);
    await why("why", "TASK-11", ...format);
    await run("next", "--peek", ...format);
    await run("show", "TASK-2", ...format);
    await run("why", "TASK-11", ...format);
    await run("add", "Third", "--parent", "FEAT-001", "--on", "TASK-2", ...format);
    await run("next", ...format);
    await run("complete", "TASK-1", ...format);
  }
  await run("accept", "TASK-1", "--reason", "seen");
  await next("next");
}

const SPEC = `# A small service

It answers.

## Answers

- REQ-1: The module \`src/ask.ts\` takes a question. Check: \`node --test\`
- REQ-2: The module \`src/answer.ts\` answers it. Depends on REQ-1. Check: \`node --test\`
`;

const PRAISE = {
  critic: {
    findings: [],
    ratings: { consistency: "pass", soundness: "pass", implementability: "pass", completeness: "pass", risk: "pass" },
    assessment: { quality: "It would work." },
  },
  overviewer: { findings: [], assessment: "Good." },
};

/** What the outline planner answered in each role: an agent that says the same gets through. */
async function answersOf(root) {
  const { openWorkspace } = await import(join(dist, "index.mjs"));
  const context = await openWorkspace(root, { actor: "human:a" });
  const answers = { ...PRAISE };
  await context.store.read(async (reader) => {
    for (const { fields } of await reader.items("call", { owner: "RUN-001" })) {
      const role = fields.role === "author" ? `author, stage ${fields.stage}` : fields.role;
      answers[role] = JSON.parse(await reader.document(fields.output));
    }
  });
  await context.close();
  return answers;
}

async function trainPlanning(root) {
  const env = { PLANWRIGHT_ACTOR: "human:a", PATH: process.env["PATH"] };
  const run = async (...words) => {
    const code = await main({ words, env, cwd: root });
    if (code !== 0) throw new Error(`planwright ${words.join(" ")} ended with ${code}.`);
  };
  writeFileSync(join(root, "spec.md"), SPEC);
  await run("plan", "spec.md", "--agent", "outline");
  await run("lint");
  const turns = Object.entries(await answersOf(root)).map(([role, answer]) => ({
    when: `# Your role: ${role}`,
    steps: [{ submit: answer }],
    again: true,
  }));
  writeFileSync(join(root, "script.json"), JSON.stringify(turns));
  const args = [resolve("test/agents/scripted-agent.mjs"), join(root, "script.json"), join(root, "state.json")];
  const agents = { scripted: { command: process.execPath, args } };
  writeFileSync(join(root, "planwright.json"), JSON.stringify({ agents }));
  await run("plan", "spec.md", "--agent", "scripted");
}

const HOT = [
  "main.cjs",
  "only-next.cjs",
  "only-show.cjs",
  "only-why.cjs",
  "interfaces-cli-commands-add.cjs",
  "interfaces-cli-commands-complete.cjs",
  "interfaces-cli-warm.cjs",
  "store-commit.cjs",
];
const root = mkdtempSync(join(tmpdir(), "planwright-build-"));

function keep(name) {
  for (const flag of FLAGS) setFlagsFromString(`--${flag}`);
  writeFileSync(join(dist, `${name}.cache`), scripts.get(join(dist, name)).createCachedData());
  training();
}

try {
  await train(root);
  // Before anything is planned: what only planning needs of these, every command would read.
  for (const name of HOT) keep(name);
  await trainPlanning(root);
  keep("interfaces-cli-cold.cjs");
  keep("app-engines.cjs");
} finally {
  rmSync(root, { recursive: true, force: true });
}
