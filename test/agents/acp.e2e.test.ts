// What can go wrong with an agent that speaks ACP, by an agent that does all of it on purpose.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type {
  Access,
  AgentEvent,
  AgentSession,
  SessionSpec,
  Turn,
  TurnResult,
} from "../../src/machine/agents/agent.js";
import { type OpenedAgent, openAgent } from "../../src/machine/agents/open-agent.js";
import { allGone, processesOf } from "./contract.js";
import { SCRIPTED_AGENT } from "./scripted-agent.js";

let home: string;
let cwd: string;
let session: AgentSession;
let events: AgentEvent[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "planwright-acp-"));
  cwd = join(home, "work");
  mkdirSync(cwd);
  events = [];
});
afterEach(async () => {
  await session.close();
  await allGone(home);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

const env = () => ({ HOME: home, PATH: process.env["PATH"] ?? "" });

type Wishes = Pick<SessionSpec, "model" | "effort">;

async function start(
  turns: readonly unknown[],
  access: Access = "write",
  resume?: string,
  wishes: Wishes = {},
): Promise<void> {
  writeFileSync(join(home, "script.json"), JSON.stringify(turns));
  const settings = {
    command: process.execPath,
    args: [SCRIPTED_AGENT, join(home, "script.json"), join(home, "state.json")],
  };
  const agent = openAgent("scripted", settings, env()) as OpenedAgent;
  session = await agent.start({ cwd, access, env: agent.env, ...wishes, ...(resume !== undefined && { resume }) });
}

const take = (rest: Partial<Turn> = {}): Promise<TurnResult> =>
  session.turn({ prompt: "Go.", timeoutMs: 100_000, onEvent: (event) => events.push(event), ...rest });

it("an effort that it cannot take is not dropped in silence", async () => {
  await start([[{ text: "ok" }]], "write", undefined, { effort: "high", model: "big" });
  expect(await take()).toMatchObject({ ending: "finished" });
  expect(events).toContainEqual({
    type: "notice",
    text: 'scripted does not let us choose its effort, so "high" has no effect.',
  });
  expect(events.filter((event) => event.type === "notice" && event.text.includes("its model"))).toHaveLength(1);
});

describe("what it says", () => {
  it("may be ten megabytes", async () => {
    await start([[{ big: 10_000_000 }]]);
    const { ending, text } = await take();
    expect({ ending, length: text.length }).toEqual({ ending: "finished", length: 10_000_000 });
  });

  it("comes in pieces, thoughts apart", async () => {
    await start([[{ thought: "hm" }, { slow: { pieces: ["a", "b", "c"] } }]]);
    expect(await take()).toMatchObject({ ending: "finished", text: "abc" });
    expect(events.filter(({ type }) => type === "text")).toHaveLength(3);
    expect(events).toContainEqual({ type: "thought", text: "hm" });
  });

  it("may have garbage in between, which is told", async () => {
    await start([
      [{ text: "one" }, { garbage: "Warning: not JSON" }, { garbage: "[1,2]" }, { garbage: "{" }, { text: " two" }],
    ]);
    expect(await take()).toMatchObject({ ending: "finished", text: "one two" });
    expect(events).toContainEqual({ type: "notice", text: "scripted wrote: Warning: not JSON" });
  });

  it("may be nothing but garbage, and then its time is up", async () => {
    writeFileSync(join(home, "garbage.mjs"), 'console.log("hello"); setInterval(() => console.log("garbage"), 50);');
    const settings = { command: process.execPath, args: [join(home, "garbage.mjs")] };
    session = await (openAgent("garbage", settings, env()) as OpenedAgent).start({ cwd, access: "read", env: env() });
    expect(await take({ timeoutMs: 500 })).toMatchObject({ ending: "timeout" });
  });
});

describe("how it ends", () => {
  it.each([
    [{ crash: 3 }, "crashed", "exit code 3"],
    [{ stop: "refusal" }, "refused", "declined"],
    [{ stop: "max_tokens" }, "over-budget", "max_tokens"],
    [{ stop: "max_turn_requests" }, "over-budget", "max_turn_requests"],
    [{ stop: "for fun" }, "crashed", "for fun"],
    [{ error: { code: -32603, message: "model overloaded" } }, "refused", "model overloaded"],
    [{ error: { code: 429, message: "slow down" } }, "refused", "slow down"],
    [{ error: { code: -32000, message: "log in first" } }, "unavailable", "log in first"],
    [{ error: { code: -32602, message: "what?" } }, "crashed", "what?"],
  ])("%j is %s", async (step, ending, words) => {
    await start([[{ text: "so far" }, step]]);
    const result = await take();
    expect(result).toMatchObject({ ending, text: "so far" });
    expect(result.message).toContain(words);
  });

  it("after a crash the next turn goes on with the conversation", async () => {
    await start([[{ crash: 1 }], [{ recall: true }]]);
    expect(await take({ prompt: "the first" })).toMatchObject({ ending: "crashed" });
    expect((await take({ prompt: "the second" })).text).toBe("the first\nthe second");
  });

  it("one that does not hear that it is cancelled is ended, with all that it started", async () => {
    await start([[{ linger: true }, { text: "…" }, { deaf: true }], [{ text: "back" }]]);
    const controller = new AbortController();
    const onEvent = (event: AgentEvent): void => void (event.type === "text" && controller.abort());
    expect(await take({ signal: controller.signal, onEvent })).toMatchObject({ ending: "cancelled" });
    await allGone(home);
    expect(await take()).toMatchObject({ ending: "finished", text: "back" });
  });

  it("nothing is started for a turn that was cancelled before", async () => {
    await start([[{ text: "never" }]]);
    expect(await take({ signal: AbortSignal.abort() })).toMatchObject({ ending: "cancelled", text: "" });
    expect(processesOf(home)).toEqual([]);
  });
});

describe("what it costs", () => {
  it("is counted for each turn, from counters that go on", async () => {
    await start([[{ cost: 0.5 }], [{ cost: 0.7 }]]);
    expect((await take()).usage).toEqual({ inputTokens: 100, outputTokens: 10, cachedTokens: 0, costUsd: 0.5 });
    const { usage } = await take();
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    expect(usage.costUsd).toBeCloseTo(0.2);
    const id = session.id as string;
    await session.close();
    await start([[], [], [{ cost: 1 }]], "write", id);
    const resumed = (await take()).usage;
    expect(resumed.inputTokens).toBe(100);
    expect(resumed.costUsd).toBeCloseTo(0.3);
  });

  it("ends a turn that costs more than it may", async () => {
    await start([[{ cost: 2 }, { hang: true }]]);
    expect(await take({ maxCostUsd: 1 })).toMatchObject({ ending: "over-budget" });
  });
});

describe("what it may do", () => {
  const edit = (path: string, ask = true) => ({
    tool: { title: "Edit", kind: "edit", ask, write: { path, content: "x" } },
  });

  it("in its folder, as a writer", async () => {
    await start([[edit(join(cwd, "a")), { fs: { path: join(cwd, "sub/b"), content: "y" } }]]);
    expect(await take()).toMatchObject({ ending: "finished" });
    expect([existsSync(join(cwd, "a")), readFileSync(join(cwd, "sub/b"), "utf8")]).toEqual([true, "y"]);
    expect(events).toContainEqual({ type: "permission", what: "Edit", granted: true });
  });

  it("not outside of it", async () => {
    symlinkSync(home, join(cwd, "link"));
    await start([
      [edit(join(home, "a"))],
      [{ fs: { path: join(home, "b"), content: "y" } }],
      [{ fs: { path: join(cwd, "link/c"), content: "y" } }],
    ]);
    await take();
    expect(events).toContainEqual({ type: "permission", what: "Edit", granted: false });
    expect(await take()).toMatchObject({ message: expect.stringContaining("outside") });
    expect(await take()).toMatchObject({ message: expect.stringContaining("outside") });
    expect(["a", "b", "c"].filter((name) => existsSync(join(home, name)))).toEqual([]);
  });

  it("nothing, as a reader", async () => {
    await start([[edit(join(cwd, "asked")), { fs: { path: join(cwd, "b"), content: "y" } }]], "read");
    expect((await take()).message).toContain("may only read");
    expect(["asked", "b"].filter((name) => existsSync(join(cwd, name)))).toEqual([]);
  });
});

describe("what it hands in", () => {
  const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

  it("is what came before the agent died, but the turn is none", async () => {
    await start([[{ submit: { n: 1 } }, { crash: 1 }]]);
    const result = await take({ schema });
    expect(result.ending).toBe("crashed");
    expect(result).not.toHaveProperty("output");
  });

  it("is asked for twice at most, and bad calls are no result", async () => {
    await start([[{ submit: { n: "one" } }], [{ submit: {} }], [{ submit: { n: 1 } }]]);
    expect(await take({ schema })).toMatchObject({ ending: "no-output" });
    expect(events.filter(({ type }) => type === "notice")).toHaveLength(1);
    expect(events.filter((event) => event.type === "tool" && event.state === "failed")).toHaveLength(2);
  });
});

describe("a conversation that the agent has forgotten", () => {
  const whole = (): string => "Everything.";
  const heard = (): readonly string[][] =>
    Object.values(JSON.parse(readFileSync(join(home, "state.json"), "utf8")).sessions as Record<string, string[]>);
  const forget = (): void => rmSync(join(home, "state.json"));

  it("never goes on blind: the new one gets everything, and nothing else", async () => {
    await start([[{ text: "one" }]]);
    await take({ prompt: "Everything." });
    const id = session.id as string;
    await session.close();
    forget();
    await start([[{ text: "two" }]], "write", id);
    const { ending, text } = await take({ prompt: "Only what is new.", whole });
    expect({ ending, text, heard: heard() }).toEqual({ ending: "finished", text: "two", heard: [["Everything."]] });
    expect(events.filter((event) => event.type === "notice")).toEqual([
      { type: "notice", text: expect.stringContaining("lost the conversation") },
    ]);
  });
});

it("takes one turn at a time", async () => {
  await start([[{ text: "one" }]]);
  const first = take();
  await expect(take()).rejects.toThrow("one turn at a time");
  expect(await first).toMatchObject({ ending: "finished" });
});
