// What every agent must do, whatever it speaks: one suite, run over a scripted agent with each test run, and over
// the real ones by `npm run test:agents`.

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AgentEvent, AgentSession, SessionSpec, Turn, TurnResult, Usage } from "../../src/machine/agents/agent.js";
import { type OpenedAgent, openAgent } from "../../src/machine/agents/open-agent.js";
import { killEach } from "../../src/machine/process/group.js";

/** What the agent is made to do, in words that each rig puts into its own. */
export type Act =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly submit: unknown }
  | { readonly lookUp: string }
  | { readonly hang: true };

export interface Rig {
  readonly agent: OpenedAgent;
  readonly env: Readonly<Record<string, string>>;
  readonly version: RegExp;
  /** A prompt that makes the agent do this, and something else when it is reminded. */
  prompt(acts: readonly Act[], reminded?: readonly Act[]): string;
  /** Settles when the agent has begun to hang. */
  hanging(spoke: Promise<void>): Promise<unknown>;
  /** Whether a tool has told the agent these words in this turn. */
  heard(result: TurnResult, words: string): boolean;
  /** Whether the conversation still holds these words. */
  remembers(session: AgentSession, words: string): Promise<boolean>;
  close(): Promise<void>;
}

/** A home of its own, by which its processes can be known. */
export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "planwright-agent-"));
  mkdirSync(join(home, "tmp"));
  return home;
}

/** Every process that has this home, zombies aside. */
export function processesOf(home: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const isZombie = /\) Z /.test(readFileSync(`/proc/${name}/stat`, "utf8"));
        return !isZombie && readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** What was killed is gone once the system has cleaned up. */
export const allGone = (home: string): Promise<boolean> =>
  vi.waitUntil(() => processesOf(home).length === 0, { timeout: 10_000 });

const SCHEMA = {
  type: "object",
  properties: {
    verdict: { type: "string", enum: ["approve", "revise"] },
    findings: { type: "array", items: { type: "string" } },
  },
  required: ["verdict", "findings"],
  additionalProperties: false,
};
const GOOD = { verdict: "approve", findings: ["one"] };
const OTHER_SCHEMA = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] };

/** Nearly as much as a tool of ours says at once: agents must not cut it off. */
const NAMED = `${"All of it, to the last of many words. ".repeat(200)}That is the end of it.`;

const TURN_MS = 90_000;

/** Without a way to open a rig, the suite is only named as skipped. */
export function contract(name: string, open: ((home: string) => Promise<Rig>) | undefined): void {
  describe.skipIf(open === undefined)(`the contract, kept by ${name}`, { timeout: 3 * TURN_MS }, () => {
    let rig: Rig;
    let home: string;
    let cwd: string;
    let session: AgentSession;
    let reading: AgentSession;
    let firstUsage: Usage | undefined;
    const sessions: AgentSession[] = [];

    const start = async (spec: Partial<SessionSpec> = {}): Promise<AgentSession> => {
      const started = await rig.agent.start({ cwd, access: "write", env: rig.env, ...spec });
      sessions.push(started);
      return started;
    };
    const take = async (
      on: AgentSession,
      prompt: string,
      rest: Partial<Turn> = {},
    ): Promise<TurnResult & { events: AgentEvent[] }> => {
      const events: AgentEvent[] = [];
      const result = await on.turn({ prompt, timeoutMs: TURN_MS, onEvent: (event) => events.push(event), ...rest });
      return { ...result, events };
    };
    /** Starts a turn that hangs, and gives it once it does. */
    const hang = async (on: AgentSession, rest: Partial<Turn> = {}): Promise<{ result: Promise<TurnResult> }> => {
      let speak = (): void => {};
      const spoke = new Promise<void>((done) => {
        speak = done;
      });
      const prompt = rig.prompt([{ hang: true }]);
      const onEvent = (event: AgentEvent): void => void (event.type === "text" && speak());
      const result = on.turn({ prompt, timeoutMs: TURN_MS, onEvent, ...rest });
      await Promise.race([rig.hanging(spoke), result]);
      return { result };
    };

    beforeAll(async () => {
      home = newHome();
      rig = await (open as NonNullable<typeof open>)(home);
      cwd = join(home, "work");
      mkdirSync(cwd);
      execFileSync("git", ["init", "-q"], { cwd });
      session = await start();
    });
    afterAll(async () => {
      await Promise.all(sessions.map((opened) => opened.close()));
      await rig.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    });

    it("says its version", async () => {
      expect(await rig.agent.version()).toMatch(rig.version);
    });

    it("hands in what was asked for", async () => {
      const result = await take(session, rig.prompt([{ submit: GOOD }, { say: "done" }]), { schema: SCHEMA });
      expect(result).toMatchObject({ ending: "finished", output: GOOD });
    });

    it("repairs what does not fit", async () => {
      const acts = [{ submit: { verdict: "maybe", findings: "none" } }, { submit: GOOD }, { say: "done" }];
      const result = await take(session, rig.prompt(acts), { schema: SCHEMA });
      expect(result).toMatchObject({ ending: "finished", output: GOOD });
    });

    it("answers with text, and is counted", async () => {
      const result = await take(session, rig.prompt([{ say: "hello there" }]));
      expect(result).toMatchObject({ ending: "finished" });
      expect(result.text).toContain("hello there");
      expect(session.id).toEqual(expect.any(String));
      if (rig.agent.capabilities.usage === "none") return;
      expect(result.usage.inputTokens).toBeGreaterThan(0);
      expect(result.usage.outputTokens).toBeGreaterThan(0);
      expect(result.events.at(-1)?.type).toBe("usage");
      firstUsage = result.usage;
    });

    it("uses a tool in its folder", async () => {
      const file = join(cwd, "made.txt");
      const result = await take(
        session,
        rig.prompt([{ write: { path: file, content: "by an agent" } }, { say: "done" }]),
      );
      expect(result).toMatchObject({ ending: "finished" });
      expect(readFileSync(file, "utf8")).toContain("by an agent");
      const states = result.events.flatMap((event) => (event.type === "tool" ? [event.state] : []));
      expect(states).toEqual(expect.arrayContaining(["started", "done"]));
    });

    it("is reminded once, and then hands in", async () => {
      const prompt = rig.prompt([{ say: "I forgot." }], [{ submit: { count: 3 } }, { say: "done" }]);
      const result = await take(session, prompt, { schema: OTHER_SCHEMA });
      expect(result).toMatchObject({ ending: "finished", output: { count: 3 } });
      expect(result.events.filter((event) => event.type === "notice" && event.text.includes("reminded"))).toHaveLength(
        1,
      );
    });

    it("ends without output when it hands in nothing", async () => {
      const result = await take(session, rig.prompt([{ say: "No." }], [{ say: "Still no." }]), {
        schema: OTHER_SCHEMA,
      });
      expect(result.ending).toBe("no-output");
      expect(result).not.toHaveProperty("output");
      expect(result.text).toContain("Still no.");
    });

    it("is cancelled, and goes on", async () => {
      const controller = new AbortController();
      const { result } = await hang(session, { signal: controller.signal });
      controller.abort();
      expect(await result).toMatchObject({ ending: "cancelled" });
      expect(await take(session, rig.prompt([{ say: "here again" }]))).toMatchObject({ ending: "finished" });
    });

    it("goes on in a new process", async () => {
      const id = session.id as string;
      await session.close();
      expect(processesOf(home)).toEqual([]);
      session = await start({ resume: id });
      const result = await take(session, rig.prompt([{ say: "resumed" }]));
      expect(result).toMatchObject({ ending: "finished" });
      expect(result.text).toContain("resumed");
      expect(result.text).not.toContain("hello there");
      expect(await rig.remembers(session, "hello there")).toBe(true);
      // Of this turn alone, whatever the agent has counted since.
      if (firstUsage === undefined) return;
      expect({ ...result.usage, costUsd: 0 }).toEqual({ ...firstUsage, costUsd: 0 });
      expect(result.usage.costUsd ?? 0).toBeCloseTo(firstUsage.costUsd ?? 0);
    });

    it("begins another conversation when the one to go on with is lost", async () => {
      const lookUp = (name: string) => (name === "the rest" ? NAMED : undefined);
      reading = await start({ access: "read", lookUp, resume: randomUUID() });
      const result = await take(reading, rig.prompt([{ submit: GOOD }, { say: "again" }]), { schema: SCHEMA });
      expect(result).toMatchObject({ ending: "finished", output: GOOD });
      expect(result.text).toContain("again");
      expect(result.events).toContainEqual({ type: "notice", text: expect.stringContaining("lost the conversation") });
    });

    it("does not write when it may only read", async () => {
      const file = join(cwd, "refused.txt");
      const acts = [{ write: { path: file, content: "no" } }, { submit: GOOD }, { say: "done" }];
      const result = await take(reading, rig.prompt(acts, acts.slice(1)), { schema: SCHEMA });
      expect(existsSync(file)).toBe(false);
      expect(result).toMatchObject({ ending: "finished", output: GOOD });
    });

    it("reads what its prompt only names, also when it may only read", async () => {
      const acts = [{ lookUp: "the rest" }, { submit: GOOD }, { say: "done" }];
      const result = await take(reading, rig.prompt(acts), { schema: SCHEMA });
      expect(result).toMatchObject({ ending: "finished", output: GOOD });
      expect(rig.heard(result, "That is the end of it.")).toBe(true);
      await reading.close();
    });

    it("runs out of time", async () => {
      const result = await take(session, rig.prompt([{ hang: true }]), { timeoutMs: 2_000 });
      expect(result).toMatchObject({ ending: "timeout" });
    });

    it("is killed", async () => {
      const { result } = await hang(session);
      // With the first of them others may end by themselves.
      killEach(processesOf(home));
      const { ending, message } = await result;
      expect({ ending, message }).toEqual({ ending: "crashed", message: expect.stringMatching(/SIGKILL|exit code/) });
    });

    it("cannot be started", async () => {
      const settings = { command: join(home, "not-there") };
      const absent = openAgent(rig.agent.name, settings, rig.env) as OpenedAgent;
      expect(await absent.version()).toBeUndefined();
      const nobody = await absent.start({ cwd, access: "read", env: rig.env });
      expect(await take(nobody, "Hello?")).toMatchObject({ ending: "unavailable" });
      await nobody.close();
    });

    it("leaves nothing running", async () => {
      await Promise.all(sessions.map((opened) => opened.close()));
      await expect(allGone(home)).resolves.toBe(true);
    });
  });
}
