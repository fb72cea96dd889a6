// Hand-ins where a coding agent is on the PATH, as on the machine of most users: from the checkout, from a worktree, and over MCP.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { allGone, newHome } from "./agents/contract.js";
import { type AgentOnPath, agentOnPath, stateOfAgentOnPath } from "./agents/on-path.js";
import { BIN } from "./rig.js";
import { GREETING, REVIEWER, reviewer, Working } from "./working.js";

const BODY = "Say hello to whoever reads it.";
const CLAUDE = { reviewer: { agent: "claude" } };
const NOTHING_FOUND = { submit: { findings: [] } };
const found = (severity: string) => ({
  submit: { findings: [{ severity, file: "greeting.txt", line: 1, what: "It greets nobody." }] },
});

interface Asked {
  readonly acceptance: string;
  readonly note: string;
  readonly attempt: string;
}

/** An agent at work in the checkout of a repository, and another one on the PATH. */
class HandIns extends Working {
  readonly agent: AgentOnPath;
  #token = "";

  constructor({ execution = {}, ...settings }: { execution?: object; roles?: object } = {}) {
    const home = newHome();
    const own = { roles: {}, ...settings, execution: { writable: [stateOfAgentOnPath(home)], ...execution } };
    super(home, { settings: own, tasks: [{ ...GREETING, body: BODY }] });
    this.agent = agentOnPath(home);
    // The person has it on the PATH, too.
    this.rig.ok(["config", "trust", "--yes"], { env: this.agent.env });
    onTestFinished(() => this.remove());
  }

  get env(): Record<string, string> {
    return { ...this.agent.env, PLANWRIGHT_ACTOR: "agent:coder" };
  }

  greet(text = "hello", folder = this.rig.root): void {
    writeFileSync(join(folder, "greeting.txt"), text);
  }

  /** Claims the task and does it. */
  begin(text?: string): this {
    ({ token: this.#token } = this.rig.ok(["next"], { env: this.env }) as { token: string });
    this.greet(text);
    return this;
  }

  get #words(): string[] {
    return ["complete", "TASK-00001", "--token", this.#token];
  }

  complete(): Asked {
    return this.rig.ok(this.#words, { env: this.env }) as Asked;
  }

  fails(): { code: number | null; reason: string; message: string } {
    return this.rig.fails(this.#words, { env: this.env });
  }

  /** Without waiting for its end. */
  startCompleting(): ChildProcess {
    const { root } = this.rig;
    const env = this.rig.environment(this.env);
    return spawn(process.execPath, [BIN, ...this.#words, "--json"], { cwd: root, env, stdio: "ignore" });
  }

  prompts(): string[] {
    return this.agent.conversations().map(([first]) => first ?? "");
  }
}

const DOORS: readonly (readonly [string, (place: HandIns) => Promise<string>])[] = [
  ["complete", async (place) => place.begin().complete().acceptance],
  [
    "work done",
    async (place) => {
      const { worktree } = place.rig.ok(["work", "TASK-00001"], { env: place.env }) as { worktree: string };
      place.greet("hello", worktree);
      return (place.rig.ok(["work", "done", "TASK-00001"], { env: place.env }) as { state: string }).state;
    },
  ],
  [
    "complete over MCP",
    async (place) => {
      const { PLANWRIGHT_SECRET: _, ...env } = place.rig.environment(place.agent.env);
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [BIN, "mcp", "-C", place.rig.root],
        cwd: place.rig.root,
        env,
      });
      const client = new Client({ name: "coder", version: "1" });
      await client.connect(transport);
      onTestFinished(() => client.close());
      await client.callTool({ name: "claim", arguments: { action: "next" } });
      place.greet();
      const answer = await client.callTool({ name: "complete", arguments: { reference: "TASK-00001" } });
      return (answer.structuredContent as { acceptance: string }).acceptance;
    },
  ],
];

describe.each(DOORS)("%s with an agent on the PATH", (_, handIn) => {
  it("cannot fail because of the agent, nor start one that nobody asked for", async () => {
    const place = new HandIns();
    expect(await handIn(place)).toBe("accepted");
    expect(place.onBranch("greeting.txt")).toBe("hello");
    expect(place.agent.conversations()).toEqual([]);
  });

  it("cannot end without a bundle and a transcript", async () => {
    const place = new HandIns();
    await handIn(place);
    const { bundle, transcript, steps } = await place.attempt();
    expect(bundle).toBe("BUN-00001");
    expect(place.transcripts()).toContain("greeting.txt");
    expect(transcript !== null && existsSync(transcript)).toBe(true);
    expect(steps.map(({ state }) => state)).not.toContain("reviewing");
    expect(place.rig.ok(["attempt", "show", "ATT-00001"])).toMatchObject({ bundle, transcript: { file: transcript } });
  });

  it("cannot ask a reviewer without the task, its checks and the change", async () => {
    const place = new HandIns({ roles: CLAUDE });
    place.agent.script([reviewer(NOTHING_FOUND)]);
    expect(await handIn(place)).toBe("accepted");
    const [prompt = "", ...more] = place.prompts();
    expect(more).toEqual([]);
    for (const words of [REVIEWER, "# TASK-00001: Write the greeting", BODY, GREETING.checks[0] ?? "", "+hello"])
      expect(prompt).toContain(words);
    const { reviews, usage } = await place.attempt();
    expect(reviews).toMatchObject([{ by: "claude", missing: null, findings: [] }]);
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    expect(existsSync(join(place.rig.root, ".planwright/transcripts/ATT-00001.review.jsonl"))).toBe(true);
  });
});

describe("a review of a hand-in", () => {
  it("sends back what is serious, and lets it pass when it is fixed", async () => {
    const place = new HandIns({ roles: CLAUDE, execution: { footprint: "note" } }).begin();
    place.agent.script([reviewer(found("high")), reviewer(found("low"))]);
    expect(place.fails().message).toContain("- high, greeting.txt:1: It greets nobody.");
    writeFileSync(join(place.rig.root, "names.txt"), "Ada");
    expect(place.complete().acceptance).toBe("accepted");
    expect([place.onBranch("greeting.txt"), place.onBranch("names.txt")]).toEqual(["hello", "Ada"]);
  });

  it("says what the reviewer found when the last fix is used up", () => {
    const place = new HandIns({ roles: CLAUDE, execution: { fixes: 0 } }).begin();
    place.agent.script([reviewer(found("high"))]);
    expect(place.fails()).toMatchObject({
      reason: "rejected",
      message: expect.stringContaining("It greets nobody; it waits"),
    });
  });

  it("is not made if the settings turn reviews off, or if a person did the work", () => {
    const off = new HandIns({ roles: CLAUDE, execution: { review: false } }).begin();
    expect([off.complete().acceptance, off.prompts()]).toEqual(["accepted", []]);
    const person = new HandIns({ roles: CLAUDE });
    person.rig.ok(["next"], { env: person.agent.env });
    person.greet();
    person.rig.ok(["complete", "TASK-00001"], { env: person.agent.env });
    expect(person.prompts()).toEqual([]);
  });
});

describe("no hand-in stays stuck in its review:", () => {
  it("killed during it, the next complete begins again, and the reviewer of the first is gone", async () => {
    const place = new HandIns({ roles: CLAUDE }).begin();
    place.agent.script([reviewer({ text: "I look." }, { hang: true }), reviewer(NOTHING_FOUND)]);
    const child = place.startCompleting();
    await place.agent.begun(1);
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await place.attempt()).toMatchObject({ state: "reviewing" });
    expect(place.complete()).toMatchObject({ acceptance: "accepted", attempt: "ATT-00001" });
    expect(place.prompts()).toHaveLength(2);
    await expect(allGone(place.home)).resolves.toBe(true);
  });

  it("stopped during it, you keep your claim, and the next complete begins again", async () => {
    const place = new HandIns({ roles: CLAUDE }).begin();
    place.agent.script([reviewer({ text: "I look." }, { hang: true }), reviewer(NOTHING_FOUND)]);
    const child = place.startCompleting();
    await place.agent.begun(1);
    child.kill("SIGINT");
    await once(child, "close");
    expect(await place.attempt()).toMatchObject({ state: "working", slot: null });
    expect(place.complete()).toMatchObject({ acceptance: "accepted", attempt: "ATT-00001" });
  });

  it.each([
    ["crashes", [{ crash: 1 }], {}],
    ["answers nonsense", [{ text: "All is well." }], {}],
    ["hands in something else", [{ submit: { verdict: "fine" } }], {}],
    ["hangs", [{ hang: true }], { attemptMinutes: 0.05 }],
  ])("if the reviewer %s, it is handed in and waits for a person", async (_, steps, execution) => {
    const place = new HandIns({ roles: CLAUDE, execution }).begin();
    place.agent.script([{ ...reviewer(...steps), again: true }]);
    expect(place.complete()).toMatchObject({
      acceptance: "pending",
      note: expect.stringContaining("no review was finished"),
    });
    expect(await place.attempt()).toMatchObject({ state: "pending" });
    expect(place.fails()).toMatchObject({ reason: "pending", message: expect.stringContaining("handed in already") });
    place.rig.ok(["accept", "TASK-00001", "--reason", "I looked at it"]);
    expect(place.rig.ok(["show", "TASK-00001"])).toMatchObject({ status: "done" });
  });

  it("a reviewer that is not installed, or not known, is named, and a person decides", () => {
    for (const [agent, words] of [
      ["codex", "The settings name codex as reviewer, which is not installed."],
      ["nobody", "The settings name nobody as reviewer, which is no agent that can review."],
    ] as const) {
      const place = new HandIns({ roles: { reviewer: { agent } } }).begin();
      expect(place.complete()).toMatchObject({ acceptance: "pending", note: expect.stringContaining(words) });
    }
  });
});
