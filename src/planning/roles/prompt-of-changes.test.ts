import { describe, expect, it } from "vitest";
import { DRAFT, SPEC } from "../../../test/planning.js";
import type { Agent, Turn } from "../../machine/agents/agent.js";
import { planDraft } from "../contracts/plan-draft.js";
import { parseSpec } from "../spec/parse.js";
import type { Brief } from "./brief.js";
import { isWholePrompt, promptFor, promptOfChanges } from "./prompt.js";
import { agentServer, type RoleReply } from "./server.js";

const BRIEF: Brief = {
  role: "author",
  stage: "tasks",
  revise: true,
  round: 1,
  spec: parseSpec(SPEC),
  part: { number: 1, of: 1 },
  focus: null,
  windowTokens: 60_000,
  stack: "plain shell",
  target: null,
  node: null,
  clarification: null,
  answers: [],
  research: null,
  map: null,
  files: null,
  draft: planDraft.parse(DRAFT),
  ownDraft: true,
  settled: [],
  initiatives: [],
  feedback: [{ source: "critic", round: 1, findings: [{ id: "K1" }], questions: [], note: "" }],
  responses: [],
  earlier: null,
  records: [],
  lessons: [],
  materials: [],
  commit: null,
  repositoryFiles: ["src/a.sh"],
  commands: [],
  problems: [],
};

const MARK = "=====";
const FIRST: Brief = { ...BRIEF, revise: false, draft: null, ownDraft: false, feedback: [] };

describe("a prompt in a conversation that goes on", () => {
  const told = [promptFor(FIRST, MARK)];

  it("says at which commit the role reads, and again once that is another", () => {
    const at = (commit: string): string => `at commit ${commit}.`;
    const first = { ...FIRST, commit: "a1" };
    const whole = promptFor(first, MARK);
    expect(whole).toContain(at("a1"));
    expect(promptOfChanges({ ...BRIEF, commit: "a1" }, MARK, [whole])).not.toContain("at commit");
    expect(promptOfChanges({ ...BRIEF, commit: "b2" }, MARK, [whole])).toContain(at("b2"));
    expect(promptFor(FIRST, MARK)).not.toContain("commit a");
  });

  it("has only what is new: other instructions and the feedback, but not the spec and the plan", () => {
    const prompt = promptOfChanges(BRIEF, MARK, told);
    expect(prompt).toContain("# Your role: author, revising");
    expect(prompt).toContain('"id": "K1"');
    expect(prompt).not.toContain("REQ-1");
    expect(prompt).not.toContain("Greet the world");
    expect(prompt).not.toContain("plain shell");
    expect(isWholePrompt(prompt)).toBe(false);
    expect(isWholePrompt(told[0] ?? "")).toBe(true);
  });

  it("has the feedback of the latest round also if it says the same as the round before", () => {
    const twice = promptOfChanges(BRIEF, MARK, [...told, promptOfChanges(BRIEF, MARK, told)]);
    expect(twice).toContain('"id": "K1"');
    const answer = {
      source: "critic",
      round: 0,
      id: "K1",
      severity: "high",
      title: "t",
      action: "declined",
      note: "No.",
    };
    const critic = { ...BRIEF, role: "critic", feedback: [], responses: [answer] } as Brief;
    const before = promptFor(critic, MARK);
    expect(promptOfChanges(critic, MARK, [before])).toContain("→ declined: No.");
    expect(promptOfChanges(critic, MARK, [before])).not.toContain("REQ-1");
  });

  it("has the plan when somebody else changed it", () => {
    expect(promptOfChanges({ ...BRIEF, ownDraft: false }, MARK, told)).toContain("Greet the world");
  });

  it("never says to a critic that the plan is as the critic handed it in", () => {
    expect(promptOfChanges(BRIEF, MARK, told)).toContain("as you handed it in");
    const critic = { ...BRIEF, role: "critic", ownDraft: false } as Brief;
    expect(promptOfChanges(critic, MARK, [promptFor(critic, MARK)])).not.toContain("as you handed it in");
  });

  it("never leaves out what was replaced and is back", () => {
    const critic = (title: string): Brief => ({
      ...BRIEF,
      role: "critic",
      ownDraft: false,
      draft: planDraft.parse({ ...DRAFT, title }),
    });
    const first = promptFor(critic("One"), MARK);
    const second = promptOfChanges(critic("Two"), MARK, [first]);
    expect(second).toContain('"title": "Two"');
    expect(promptOfChanges(critic("One"), MARK, [second, first])).toContain('"title": "One"');
    expect(promptOfChanges(critic("Two"), MARK, [second, first])).not.toContain('"title": "Two"');
  });

  it("has what was wrong with the last submission, and repeats no instructions", () => {
    const repair = { ...FIRST, problems: ["tasks.0.id: too long"] };
    const prompt = promptOfChanges(repair, MARK, told);
    expect(prompt).toContain("tasks.0.id: too long");
    expect(prompt).toContain("The instructions for this role are the same as before.");
    expect(prompt.length).toBeLessThan((told[0] ?? "").length / 3);
  });
});

describe("an agent that is asked again", () => {
  const serve = async (lost: boolean, resume = true): Promise<{ asked: string[]; reply: RoleReply }> => {
    const asked: string[] = [];
    const agent: Agent = {
      name: "a",
      capabilities: { resume, structured: "submit", usage: "none" },
      version: async () => "1",
      start: async () => ({
        id: "s2",
        close: async () => undefined,
        turn: async ({ prompt, whole, judge }: Turn) => {
          asked.push(prompt);
          if (lost) asked.push(whole?.() ?? "");
          judge?.({ title: "" });
          const usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: null };
          return { ending: "finished", text: "", output: {}, usage, durationMs: 1 };
        },
      }),
    };
    const reply = await agentServer({ agent, env: {} }).serve({
      brief: BRIEF,
      folder: "/",
      session: "s1",
      told: [promptFor(FIRST, MARK)],
      timeoutMs: 1,
      maxCostUsd: null,
      signal: new AbortController().signal,
      transcript: null,
      onEvent: () => undefined,
    });
    return { asked, reply };
  };

  it("gets the changes, and everything once its conversation is lost", async () => {
    const { asked, reply } = await serve(true);
    expect(asked.map(isWholePrompt)).toEqual([false, true]);
    expect(asked[1]).toContain("REQ-1");
    expect(reply.askedAgain).toBe(asked[1]);
  });

  it("gets everything if it keeps no conversations", async () => {
    const { asked, reply } = await serve(false, false);
    expect(asked.map(isWholePrompt)).toEqual([true]);
    expect(reply.askedAgain).toBeUndefined();
    expect(reply.refused?.[0]?.join()).toContain("title");
  });
});
