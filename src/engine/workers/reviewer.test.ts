import { describe, expect, it } from "vitest";
import { fileTask, openShop } from "../../../test/shop.js";
import type { Agent, AgentSession, Ending, Turn, TurnResult } from "../../machine/agents/agent.js";
import { NO_USAGE } from "../../model/attempt/attempt.js";
import type { Node } from "../../model/node/node.js";
import type { ReviewInput } from "../services.js";
import { agentReviewer, missingReviewer } from "./reviewer.js";

const USED = { inputTokens: 10, outputTokens: 1, cachedTokens: 0, costUsd: null };
const MINUTE = 60_000;

const result = (ending: Ending, rest: Partial<TurnResult> = {}): TurnResult => ({
  ending,
  text: "",
  usage: USED,
  durationMs: 1,
  ...rest,
});

/** One answer for each turn; an error is thrown when the agent is started. */
function agentWith(answers: readonly (TurnResult | Error)[]): { agent: Agent; turns: Turn[] } {
  const turns: Turn[] = [];
  const left = [...answers];
  const session = (answer: TurnResult): AgentSession => ({
    id: null,
    turn: async (turn) => {
      turns.push(turn);
      return answer;
    },
    close: async () => undefined,
  });
  const agent: Agent = {
    name: "critic",
    capabilities: { resume: false, structured: "submit", usage: "tokens" },
    version: async () => "1",
    start: async () => {
      const answer = left.shift() ?? new Error("It was started too often.");
      if (answer instanceof Error) throw answer;
      return session(answer);
    },
  };
  return { agent, turns };
}

async function lookAt(over: Partial<ReviewInput> = {}): Promise<ReviewInput> {
  const shop = await openShop([fileTask("one")]);
  const { repository } = shop;
  const base = shop.git("rev-parse", "HEAD");
  repository.commit({ "one.txt": "one\n" });
  return {
    attempt: "ATT-00001",
    task: {} as Node,
    cwd: repository.path,
    env: {},
    transcript: "/nowhere/ATT-00001.jsonl",
    base,
    tip: shop.git("rev-parse", "HEAD"),
    bundle: "# T-one: Make one",
    wrap: (command, args) => ({ command, args }),
    home: null,
    timeoutMs: 60 * MINUTE,
    signal: new AbortController().signal,
    ...over,
  };
}

async function review(answers: readonly (TurnResult | Error)[], over: Partial<ReviewInput> = {}) {
  const { agent, turns } = agentWith(answers);
  const reviewer = agentReviewer({ agent, env: {}, record: (session) => session });
  return { answer: await reviewer.review(await lookAt(over)), turns };
}

const NOTHING = result("finished", { output: { findings: [] } });

describe("a reviewer", () => {
  it("is given the task and the change, and at most the time of an attempt", async () => {
    const { answer, turns } = await review([NOTHING], { timeoutMs: MINUTE });
    expect(answer).toMatchObject({ wrong: null, findings: [], usage: { inputTokens: 10 } });
    expect(turns[0]?.prompt).toMatch(/# Your role: reviewer[\s\S]*# T-one: Make one[\s\S]*\+one/);
    expect(turns[0]?.timeoutMs).toBe(MINUTE);
    expect((await review([NOTHING])).turns[0]?.timeoutMs).toBe(20 * MINUTE);
  });

  it.each<[string, readonly (TurnResult | Error)[], string, number]>([
    ["crashes twice", [result("crashed"), result("crashed", { message: "It died." })], "It died.", 20],
    ["answers nothing twice", [result("no-output"), result("no-output")], "no-output", 20],
    ["declines twice", [result("refused"), result("refused")], "refused", 20],
    ["takes too long", [result("timeout")], "timeout", 10],
    ["cannot be started", [result("unavailable", { message: "It is not installed." })], "It is not installed.", 10],
    ["cannot even be tried", [new Error("no space left on device")], "no space left on device", 0],
    ["crashes, and then cannot be tried", [result("crashed"), new Error("no space left")], "no space left", 10],
  ])("that %s has made no review, and what it used counts", async (_, answers, missing, used) => {
    const { answer } = await review(answers);
    expect(answer).toMatchObject({ wrong: null, missing, usage: { inputTokens: used } });
  });

  it("that crashes once is asked again", async () => {
    expect((await review([result("crashed"), NOTHING])).answer).toMatchObject({ wrong: null, findings: [] });
    expect((await review([result("crashed"), NOTHING])).answer.missing).toBeUndefined();
  });

  it("that is no agent says so", async () => {
    const answer = await missingReviewer("nobody", "There is no such agent.").review(await lookAt());
    expect(answer).toEqual({ wrong: null, usage: NO_USAGE, missing: "There is no such agent." });
  });
});
