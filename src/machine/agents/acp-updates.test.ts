import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { AcpReader, tokensOf } from "./acp.js";

const said = (sessionUpdate: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk", text: string) =>
  ({ sessionUpdate, content: { type: "text", text } }) as SessionUpdate;

const read = (...updates: SessionUpdate[]) => {
  const reader = new AcpReader();
  return updates.flatMap((update) => reader.read(update));
};

describe("updates are read into events", () => {
  it("text and thoughts, not what the user said", () => {
    expect(
      read(said("user_message_chunk", "me"), said("agent_thought_chunk", "hm"), said("agent_message_chunk", "yes")),
    ).toEqual([
      { type: "thought", text: "hm" },
      { type: "text", text: "yes" },
    ]);
  });

  it("a tool call in each of its states once, under its first name", () => {
    const events = read(
      { sessionUpdate: "tool_call", toolCallId: "1", title: "Read a", status: "pending", rawInput: { path: "a" } },
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "in_progress" },
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed", rawOutput: "text" },
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed" },
    );
    expect(events).toEqual([
      { type: "tool", name: "Read a", state: "started", detail: '{"path":"a"}' },
      { type: "tool", name: "Read a", state: "done", detail: "text" },
    ]);
  });

  it("a tool call that is told of when it is over", () => {
    const update: SessionUpdate = {
      sessionUpdate: "tool_call_update",
      toolCallId: "1",
      title: "Run",
      status: "failed",
    };
    expect(read(update).map((event) => "state" in event && event.state)).toEqual(["started", "failed"]);
  });

  it("what is new to us as nothing", () => {
    expect(read({ sessionUpdate: "something_new" } as unknown as SessionUpdate)).toEqual([]);
  });
});

it.each([
  [
    { usage: { inputTokens: 5, outputTokens: 2, cachedReadTokens: 1, totalTokens: 7 } },
    { input: 5, output: 2, cached: 1 },
  ],
  [{ _meta: { quota: { token_count: { input_tokens: 5, output_tokens: 2 } } } }, { input: 5, output: 2, cached: 0 }],
  [{ usage: { inputTokens: "many" } }, { input: 0, output: 0, cached: 0 }],
  [{ _meta: { quota: 1 } }, undefined],
  [{}, undefined],
])("of %j the tokens are %j", (rest, tokens) => {
  expect(tokensOf({ stopReason: "end_turn", ...rest })).toEqual(tokens);
});
