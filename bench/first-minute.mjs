// An agent's first minute: a scripted agent that knows only the tools of an MCP server, or only the block in AGENTS.md, takes one ready
// task, reads about it, writes a file and hands it in. Counted are calls and tokens (o200k), which no machine makes faster or slower.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { install } from "./peers.mjs";
import { BIN, ENVIRONMENT, planwright, scratch } from "./product.mjs";

const tokens = (value) => encode(typeof value === "string" ? value : JSON.stringify(value)).length;

const TASK = {
  title: "Greet the person",
  body: "Write hello.txt. It holds the one word hello. Nothing else changes.",
  file: "hello.txt",
  check: "grep -q hello hello.txt",
};

function makeFolder() {
  const root = mkdtempSync(join(scratch, "minute-"));
  const git = (...words) =>
    spawnSync("git", ["-c", "user.name=bench", "-c", "user.email=bench@localhost", ...words], { cwd: root });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "begin");
  return root;
}

/** Counts what goes to a model and what it has to write. */
function counter(known) {
  const count = { calls: 0, known, asked: 0, answered: 0 };
  return {
    count,
    add: (asked, answered) => {
      count.calls += 1;
      count.asked += tokens(asked);
      count.answered += tokens(answered);
      return answered;
    },
  };
}

async function overMcp({ command, args, root, env }, errand) {
  const transport = new StdioClientTransport({ command, args, cwd: root, env, stderr: "ignore" });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const { count, add } = counter(tokens(tools));
    await errand(async (name, given) => {
      const answered = await client.callTool({ name, arguments: given });
      const text = answered.content.map((part) => part.text ?? "").join("\n");
      if (answered.isError) throw new Error(`${name}: ${text.slice(0, 300)}`);
      return add({ name, arguments: given }, text);
    });
    return { tools: tools.length, ...count };
  } finally {
    await client.close();
  }
}

const work = (root) => writeFileSync(join(root, TASK.file), "hello\n");

function ourPlan() {
  const root = makeFolder();
  planwright(root, ["init"]);
  planwright(root, ["add", "Greeter", "--tier", "feature"]);
  const task = ["--parent", "FEAT-001", "--body", TASK.body, "--file", TASK.file, "--check", TASK.check];
  planwright(root, ["add", TASK.title, ...task]);
  planwright(root, ["approve", "FEAT-001", "--yes"]);
  return root;
}

const AGENT = { ...ENVIRONMENT, PLANWRIGHT_ACTOR: "agent:bench", PLANWRIGHT_SECRET: "" };

function isDone(root) {
  const { status } = JSON.parse(planwright(root, ["show", "TASK-00001", "--json"])).data;
  if (status !== "done") throw new Error(`After the errand the task is ${status}.`);
}

async function oursOverMcp() {
  const root = ourPlan();
  const server = { command: process.execPath, args: [BIN, "mcp"], root, env: AGENT };
  const counted = await overMcp(server, async (call) => {
    const { task, context } = JSON.parse(await call("claim", { action: "next" }));
    await call(context.tool, context.arguments);
    work(root);
    await call("complete", { reference: task.id });
  });
  isDone(root);
  return counted;
}

/** The agent types what the block in AGENTS.md says. */
function oursInAShell() {
  const root = ourPlan();
  const { count, add } = counter(
    tokens(readFileSync(resolve(import.meta.dirname, "../hosts/shared/AGENTS.md"), "utf8")),
  );
  const type = (...words) => {
    const child = spawnSync(process.execPath, [BIN, ...words], { cwd: root, env: AGENT, encoding: "utf8" });
    if (child.status !== 0) throw new Error(`planwright ${words.join(" ")}: ${child.stdout}${child.stderr}`);
    return add(["planwright", ...words].join(" "), `${child.stdout}${child.stderr}`);
  };
  const [, ...printed] = (/planwright complete \S+ --token \S+/.exec(type("next")) ?? [""])[0].split(" ");
  work(root);
  type(...printed);
  isDone(root);
  return { tools: 0, ...count };
}

const bin = (folder, name) => join(folder, "node_modules", ".bin", name);

/** `tools`: the few that it shows unless it is told otherwise, or all. */
const taskMaster = (tools) => ({
  name: `task-master-ai (${tools})`,
  packages: ["task-master-ai@0.43.1"],
  env: () => ({ TASKMASTER_SKIP_AUTO_UPDATE: "1", TASK_MASTER_TOOLS: tools }),
  make(_, root) {
    const task = {
      id: 1,
      title: TASK.title,
      description: TASK.body,
      details: TASK.body,
      testStrategy: TASK.check,
      status: "pending",
      dependencies: [],
      priority: "medium",
      subtasks: [],
    };
    const stamp = "2026-01-01T00:00:00.000Z";
    const file = { master: { tasks: [task], metadata: { created: stamp, updated: stamp, description: "" } } };
    mkdirSync(join(root, ".taskmaster/tasks"), { recursive: true });
    writeFileSync(join(root, ".taskmaster/tasks/tasks.json"), JSON.stringify(file));
  },
  server: (folder) => ({ command: bin(folder, "task-master-mcp"), args: [] }),
  async errand(call, root) {
    const { data } = JSON.parse(await call("next_task", { projectRoot: root }));
    const id = String(data.nextTask.id);
    await call("set_task_status", { id, status: "in-progress", projectRoot: root });
    work(root);
    await call("set_task_status", { id, status: "done", projectRoot: root });
  },
});

/** Others, the same errand as far as each has it. None of them runs a check. */
const PEERS = [
  taskMaster("core"),
  taskMaster("all"),
  {
    name: "backlog.md",
    packages: ["backlog.md@1.52.0"],
    make(folder, root) {
      const run = (...words) =>
        spawnSync(bin(folder, "backlog"), words, { cwd: root, env: { ...ENVIRONMENT, HOME: root } });
      run("init", "bench", "--defaults", "--integration-mode", "none");
      run("task", "create", TASK.title, "-d", TASK.body, "--ac", TASK.check, "--plain");
    },
    server: (folder) => ({ command: bin(folder, "backlog"), args: ["mcp", "start"] }),
    async errand(call, root) {
      const [id] = /TASK-\d+/i.exec(await call("task_list", { ready: true })) ?? [];
      await call("task_edit", { id, status: "In Progress", assignee: ["@bench"] });
      await call("task_view", { id });
      work(root);
      await call("task_edit", { id, status: "Done", acceptanceCriteriaCheck: [1] });
    },
  },
  {
    name: "mcp-shrimp-task-manager",
    packages: ["mcp-shrimp-task-manager@1.0.21"],
    env: (root) => ({ DATA_DIR: join(root, "data"), TEMPLATES_USE: "en", ENABLE_GUI: "false" }),
    make: (_, root) => mkdirSync(join(root, "data")),
    server: (folder) => ({ command: bin(folder, "mcp-shrimp-task-manager"), args: [] }),
    /** Tasks can be made only through its tools; making this one is not counted. */
    before: (call) =>
      call("split_tasks", {
        updateMode: "clearAllTasks",
        tasksRaw: JSON.stringify([
          {
            name: TASK.title,
            description: TASK.body,
            implementationGuide: TASK.body,
            verificationCriteria: TASK.check,
            dependencies: [],
          },
        ]),
        globalAnalysisResult: TASK.body,
      }),
    async errand(call, root) {
      const [taskId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await call("list_tasks", { status: "pending" })) ?? [];
      await call("execute_task", { taskId });
      work(root);
      await call("verify_task", {
        taskId,
        summary: "hello.txt holds the one word hello, as the task asks.",
        score: 100,
      });
    },
  },
];

async function theirs({ packages, make, server, env, before, errand }) {
  const { folder, problem } = install({ name: packages[0].replace(/@[\d.]+$/, ""), packages });
  if (problem) return { problem };
  const root = makeFolder();
  make(folder, root);
  const place = { ...server(folder), root, env: { PATH: ENVIRONMENT.PATH, HOME: root, ...env?.(root) } };
  try {
    if (before) await overMcp(place, before);
    return await overMcp(place, (call) => errand(call, root));
  } catch (error) {
    return { problem: error.message.split("\n")[0].slice(0, 120) };
  }
}

/** `peers`: also the other MCP servers that install from npm. */
export async function measureFirstMinute({ peers, report }) {
  const results = [
    { name: "planwright, MCP", ...(await oursOverMcp()) },
    { name: "planwright, AGENTS.md", ...oursInAShell() },
  ];
  for (const peer of peers ? PEERS : []) {
    report(`first-minute: ${peer.name}`);
    results.push({ name: `${peer.name}, MCP`, ...(await theirs(peer)) });
  }
  return results;
}
