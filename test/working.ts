// A repository with an approved plan, a worker that a test has chosen, and a look at what became of it.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { killEach } from "../src/machine/process/group.js";
import type { Attempt } from "../src/model/attempt/attempt.js";
import { openStore } from "../src/store/open/open.js";
import { newHome, processesOf } from "./agents/contract.js";
import { SCRIPTED_AGENT } from "./agents/scripted-agent.js";
import { BIN, type Outcome, prepareRig, Rig } from "./rig.js";

/** For one prompt that has these words; with `again`, for every one that no other is for. */
export interface Turn {
  readonly when: string;
  readonly steps: readonly unknown[];
  readonly again?: boolean;
}

export const WORKER = "# Your role: worker";
export const REVIEWER = "# Your role: reviewer";
export const TOLD = "is not done yet";

export const worker = (...steps: readonly unknown[]): Turn => ({ when: WORKER, steps });
export const told = (...steps: readonly unknown[]): Turn => ({ when: TOLD, steps });
export const reviewer = (...steps: readonly unknown[]): Turn => ({ when: REVIEWER, steps });

/** Steps of the scripted agent. */
export const write = (path: string, content: string, ask = true) => ({
  tool: { title: "Write a file", kind: "edit", ask, write: { path, content } },
});
export const shell = (run: string, ask = true) => ({ tool: { title: "Run a command", kind: "execute", ask, run } });
export const DONE = { submit: { outcome: "done", summary: "It is done." } };

export interface Task {
  readonly title: string;
  readonly kind?: "work" | "review";
  readonly body?: string;
  readonly profile?: string;
  readonly files?: readonly string[];
  /** Commands that have to succeed. */
  readonly checks: readonly string[];
}

/** Greets, if the file says hello and nothing else. */
export const GREETING: Task = {
  title: "Write the greeting",
  files: ["greeting.txt"],
  checks: ['test "$(cat greeting.txt)" = hello'],
};

export interface Setting {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly tasks?: readonly Task[];
}

export interface Ran extends Outcome {
  /** Of its JSON answer. */
  readonly data: {
    readonly ended: readonly {
      readonly attempt: string;
      readonly task: string;
      readonly state: string;
      readonly note: string;
    }[];
    readonly held: readonly unknown[];
    readonly stopped: boolean;
  };
}

export type Options = { readonly env?: Readonly<Record<string, string>>; onStart?(child: ChildProcess): void };

/** An approved plan of the tasks in a repository without a commit. */
function planTasks(rig: Rig, tasks: readonly Task[]): void {
  rig.git("init", "-q", "-b", "main");
  rig.git("config", "user.name", "Ada");
  rig.git("config", "user.email", "ada@example.org");
  rig.write("README.md", "# Greetings\n");
  rig.ok(["init", "--mission", "Greet"]);
  const feature = { id: "FEAT-A", tier: "feature", title: "Greetings", parent: "MISSION" };
  const lines = tasks.map(({ checks, ...task }) => ({
    ...task,
    tier: "task",
    parent: "FEAT-A",
    checks: checks.map((run) => ({ run })),
  }));
  rig.ok(["add", "--from", "-"], { input: [feature, ...lines].map((line) => JSON.stringify(line)).join("\n") });
  rig.ok(["approve", "MISSION"]);
}

export class Working {
  readonly rig = new Rig();
  /** By which the processes of its agents can be known. */
  readonly home: string;

  constructor(home: string, { settings, tasks = [GREETING] }: Setting) {
    this.home = home;
    const { rig } = this;
    prepareRig(rig, JSON.stringify(tasks), (template) => planTasks(template, tasks));
    rig.write("planwright.json", JSON.stringify(settings));
    rig.git("add", "-A");
    rig.git("commit", "-qm", "beginning");
  }

  /** `planwright run` with these arguments, to its end. */
  async run(args: readonly string[] = [], options: Options = {}): Promise<Ran> {
    const child = spawn(process.execPath, [BIN, "run", ...args, "--json"], {
      cwd: this.rig.root,
      env: this.rig.environment({ HOME: this.home, ...options.env }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    options.onStart?.(child);
    const code = await new Promise<number | null>((done) => child.on("close", done));
    const answer = JSON.parse(stdout || "{}") as { data?: Ran["data"]; error?: { details?: Ran["data"] } };
    const data = answer.data ?? answer.error?.details;
    if (data === undefined) throw new Error(`planwright run ${args.join(" ")} exited with ${code}: ${stdout}${stderr}`);
    return { code, stdout, stderr, data };
  }

  /** As they are stored, oldest first. */
  async attempts(): Promise<readonly Attempt[]> {
    const path = join(this.rig.root, ".planwright", "plan.db");
    const store = await openStore({ path, durability: "normal", engine: "auto" });
    try {
      return (await store.read((reader) => reader.items("attempt", {}))).map(({ fields }) => fields);
    } finally {
      await store.close();
    }
  }

  async attempt(): Promise<Attempt> {
    return (await this.attempts()).at(-1) as Attempt;
  }

  /** A file as it is on the feature's branch; undefined if it is not there. */
  onBranch(file: string): string | undefined {
    const listed = this.rig.git("ls-tree", "--name-only", "planwright/feature/FEAT-A", "--", file);
    return listed === "" ? undefined : this.rig.git("show", `planwright/feature/FEAT-A:${file}`);
  }

  /** The last commit of the feature's branch. */
  commit(format: string): string {
    return this.rig.git("log", "-1", `--format=${format}`, "planwright/feature/FEAT-A");
  }

  /** A file of what an attempt did, as it was kept. */
  kept(attempt: string, file: string): string {
    return this.rig.git("show", `refs/planwright/kept/${attempt}:${file}`);
  }

  /** Everything that was written down of what was said. */
  transcripts(): string {
    const folder = join(this.rig.root, ".planwright", "transcripts");
    const files = existsSync(folder) ? readdirSync(folder).sort() : [];
    return files.map((file) => readFileSync(join(folder, file), "utf8")).join("");
  }

  /** The main checkout and its branch are as they were. */
  untouched(): string {
    return [
      this.rig.git("status", "--short"),
      this.rig.git("log", "--format=%s", "main"),
      this.rig.git("branch", "--list", "planwright/attempt/*"),
    ].join("|");
  }

  remove(): void {
    killEach(processesOf(this.home));
    this.rig.remove();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What `untouched` says of a checkout that nobody has touched. */
export const UNTOUCHED = "|beginning|";

export interface ScriptedWorking extends Working {
  /** All prompts of each conversation, in the order in which they began. */
  conversations(): string[][];
}

/** With the scripted agent as worker, and as reviewer if that is asked for; removed at the end of the test. */
export function scriptedWorking(
  turns: readonly Turn[],
  execution: Readonly<Record<string, unknown>> = {},
  {
    tasks,
    reviewed = false,
    byDefault = false,
    ...others
  }: Partial<Setting> & {
    readonly reviewed?: boolean /** With no setting but the agent. */;
    readonly byDefault?: boolean;
  } = {},
): ScriptedWorking {
  const home = newHome();
  // What the agent reads and keeps is let into a sandbox by name.
  const folder = `${home}.scripted`;
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [script, state] = [join(folder, "script.json"), join(folder, "state.json")];
  const writable = [folder];
  const serving = { agent: "scripted" };
  const settings = {
    agents: { scripted: { command: process.execPath, args: [SCRIPTED_AGENT, script, state] } },
    roles: { worker: serving, ...(reviewed && { reviewer: serving }) },
    execution: { backoffSeconds: 0, footprint: "note", review: reviewed, writable, ...execution },
    ...(byDefault && { roles: { "*": serving }, execution: { writable, ...execution } }),
    ...others.settings,
  };
  const working = new Working(home, { settings, ...(tasks && { tasks }) });
  onTestFinished(() => working.remove());
  writeFileSync(script, JSON.stringify(turns));
  const conversations = (): string[][] =>
    Object.values((JSON.parse(readFileSync(state, "utf8")) as { sessions: Record<string, string[]> }).sessions);
  return Object.assign(working, { conversations });
}
