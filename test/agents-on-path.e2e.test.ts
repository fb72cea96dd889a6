// Everything that depends on whether a coding agent is on the PATH, on a machine without one and on a machine with one.

import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newHome } from "./agents/contract.js";
import { type AgentOnPath, agentOnPath, pathWithoutAgents, stateOfAgentOnPath } from "./agents/on-path.js";
import { SPEC } from "./planning.js";
import { DONE, GREETING, REVIEWER, reviewer, type Task, WORKER, Working, worker, write } from "./working.js";

/** What no shell can do by itself. */
const NEEDS_AGENT: Task = { ...GREETING, body: "Say hello." };
const ROLES = ["author", "critic", "worker", "reviewer"] as const;

class Machine extends Working {
  readonly agent: AgentOnPath | null;
  readonly env: { readonly PATH: string };

  constructor(has: "no agent" | "an agent", settings: Readonly<Record<string, unknown>> = {}, tasks = [NEEDS_AGENT]) {
    const home = newHome();
    super(home, { settings: { execution: { writable: [stateOfAgentOnPath(home)] }, ...settings }, tasks });
    const path = pathWithoutAgents(join(home, "tools"));
    this.agent = has === "an agent" ? agentOnPath(home, "claude", path) : null;
    this.env = this.agent?.env ?? { PATH: path };
    onTestFinished(() => this.remove());
  }

  ask(...args: readonly string[]): unknown {
    return this.rig.ok(args, { env: this.env });
  }

  /** How each conversation with the agent began. */
  prompts(): string[] {
    return this.agent?.conversations().map(([first]) => first ?? "") ?? [];
  }
}

interface Listed {
  readonly agents: readonly { readonly name: string; readonly installed: boolean }[];
  readonly roles: Readonly<Record<string, string>>;
}

describe("which agent serves a role", () => {
  const serving = (machine: Machine): unknown[] => {
    const { agents, roles } = machine.ask("agents") as Listed;
    return [agents.filter(({ installed }) => installed).map(({ name }) => name), ROLES.map((role) => roles[role])];
  };

  it("is the outline planner or none without an agent", () => {
    expect(serving(new Machine("no agent"))).toEqual([[], ["outline", "none", "none", "none"]]);
  });

  it("is the one on the PATH, for every role but the reviewer", () => {
    const machine = new Machine("an agent");
    expect(serving(machine)).toEqual([["claude"], ["claude", "claude", "claude", "none"]]);
    const { stdout } = machine.rig.run(["agents"], { env: machine.env });
    expect(stdout).toContain("No agent reviews work");
    expect(stdout).not.toMatch(/serves .*reviewer/);
  });

  it.each(["reviewer", "*"])("is the reviewer that roles.%s names, installed or not", (role) => {
    const settings = { roles: { [role]: { agent: "claude" } } };
    for (const has of ["no agent", "an agent"] as const)
      expect((new Machine(has, settings).ask("agents") as Listed).roles["reviewer"]).toBe("claude");
  });
});

describe("doctor", () => {
  const examined = (machine: Machine): unknown => {
    const { stdout } = machine.rig.run(["doctor", "--json"], { env: machine.env });
    const { data, error } = JSON.parse(stdout) as Record<
      "data" | "error",
      { findings?: []; details?: { findings: [] } }
    >;
    const findings: { subject: string; state: string; message: string }[] =
      data?.findings ?? error.details?.findings ?? [];
    const { state, message } = findings.find(({ subject }) => subject === "agents") ?? {};
    return [state, message];
  };
  const roles = { roles: { reviewer: { agent: "claude" } } };

  it("says that no agent is there", () => {
    expect(examined(new Machine("no agent"))).toEqual(["note", "no coding agent is installed; no agent does tasks"]);
    expect(examined(new Machine("no agent", roles))).toEqual([
      "problem",
      "roles.reviewer is claude, which is not installed; no coding agent is installed",
    ]);
  });

  it("says what the agent does", () => {
    expect(examined(new Machine("an agent"))).toEqual(["ok", "claude 1.2.3; claude does tasks"]);
    expect(examined(new Machine("an agent", roles))).toEqual([
      "ok",
      "claude 1.2.3; claude does tasks, claude reviews them",
    ]);
  });
});

describe("install", () => {
  it.each([
    ["no agent", false],
    ["an agent", true],
  ] as const)("with %s on the PATH: Claude Code is found: %s", (has, isFound) => {
    const { hosts } = new Machine(has).ask("install") as { hosts: { host: string; found: boolean }[] };
    expect(hosts.find(({ host }) => host === "claude")?.found).toBe(isFound);
  });
});

describe("agents test", () => {
  it("says that an agent cannot be started, or that it answers", () => {
    const without = new Machine("no agent");
    expect(without.rig.fails(["agents", "test", "claude"], { env: without.env })).toMatchObject({
      reason: "agent-failed",
    });
    const machine = new Machine("an agent");
    machine.agent?.script([{ when: "19 and 23", steps: [{ submit: { answer: 42 } }] }]);
    expect(machine.ask("agents", "test", "claude")).toMatchObject({ works: true });
  });
});

describe("plan", () => {
  it("uses the outline planner without an agent, and asks the one on the PATH", () => {
    const without = new Machine("no agent");
    without.rig.write("spec.md", SPEC);
    expect(without.rig.run(["plan", "spec.md"], { env: without.env }).stderr).toContain(
      "No agent is configured or installed",
    );
    const machine = new Machine("an agent");
    machine.rig.write("spec.md", SPEC);
    expect(machine.rig.run(["plan", "spec.md"], { env: machine.env }).stderr).not.toContain("outline planner");
    expect(machine.prompts()[0]).toContain("# Your role");
  });
});

describe("run", () => {
  it("claims nothing without an agent, and why says so", () => {
    const machine = new Machine("no agent");
    expect(machine.rig.fails(["run", "--dry-run"], { env: machine.env })).toMatchObject({ reason: "no-worker" });
    expect(machine.rig.run(["why", "TASK-00001"], { env: machine.env }).stdout).toContain(
      "No worker can do TASK-00001",
    );
    expect(machine.rig.fails(["run"], { env: machine.env }).message).toContain("No agent can do TASK-00001");
  });

  it("has the agent on the PATH do the task, and starts no reviewer that nobody asked for", async () => {
    const machine = new Machine("an agent");
    machine.agent?.script([worker(write("greeting.txt", "hello"), DONE)]);
    expect(machine.rig.run(["why", "TASK-00001"], { env: machine.env }).stdout).not.toContain("No worker");
    const { data } = await machine.run([], { env: machine.env });
    expect(data.ended).toMatchObject([{ state: "accepted" }]);
    expect(machine.prompts().map((prompt) => prompt.includes(WORKER))).toEqual([true]);
    expect((await machine.attempt()).reviews).toBeUndefined();
  });

  it("has the reviewer look that the settings name, and leaves it to a person if that one is not there", async () => {
    const tasks: Task[] = [{ ...GREETING, body: "```sh run\nprintf hello > greeting.txt\n```" }];
    const settings = { roles: { worker: { agent: "shell" }, reviewer: { agent: "claude" } } };
    const machine = new Machine("an agent", settings, tasks);
    machine.agent?.script([reviewer({ submit: { findings: [] } })]);
    expect((await machine.run([], { env: machine.env })).data.ended).toMatchObject([{ state: "accepted" }]);
    expect(machine.prompts().map((prompt) => prompt.includes(REVIEWER))).toEqual([true]);
    const without = new Machine("no agent", settings, tasks);
    expect((await without.run([], { env: without.env })).data.ended).toMatchObject([
      {
        state: "pending",
        note: expect.stringContaining("The settings name claude as reviewer, which is not installed"),
      },
    ]);
  });

  it("has the agent on the PATH look at a review task, and without one its checks", async () => {
    const tasks: Task[] = [{ title: "Look at it", kind: "review", body: "Is it good?", checks: ["true"] }];
    const machine = new Machine("an agent", {}, tasks);
    machine.agent?.script([reviewer({ submit: { findings: [] } })]);
    expect((await machine.run([], { env: machine.env })).data.ended).toMatchObject([{ state: "accepted" }]);
    expect(machine.prompts().map((prompt) => prompt.includes(REVIEWER))).toEqual([true]);
    const without = new Machine("no agent", {}, tasks);
    expect((await without.run([], { env: without.env })).data.ended).toMatchObject([{ state: "accepted" }]);
    const named = new Machine("no agent", { roles: { reviewer: { agent: "claude" } } }, tasks);
    expect(named.rig.fails(["run"], { env: named.env }).message).toContain("the agent claude, which is not installed");
  });
});

describe("a hand-in", () => {
  it.each(["no agent", "an agent"] as const)("is judged by its checks alone with %s on the PATH", (has) => {
    const machine = new Machine(has);
    const env = { ...machine.env, PLANWRIGHT_ACTOR: "agent:coder" };
    const { token } = machine.rig.ok(["next"], { env }) as { token: string };
    machine.rig.write("greeting.txt", "hello");
    expect(machine.rig.ok(["complete", "TASK-00001", "--token", token], { env })).toMatchObject({
      acceptance: "accepted",
    });
    expect(machine.prompts()).toEqual([]);
  });
});
