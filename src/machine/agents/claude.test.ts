import { describe, expect, it } from "vitest";
import type { SessionSpec } from "./agent.js";
import { ClaudeReader, claudeArguments } from "./claude.js";

const spec: SessionSpec = { cwd: "/work", access: "read", env: {} };

const after = (args: readonly string[], flag: string): string | undefined => args[args.indexOf(flag) + 1];

describe("the arguments", () => {
  const reading = claudeArguments({ spec, sessionId: "S", resume: false, submitAt: "http://127.0.0.1:1/mcp" });

  it("keep the user's own settings and servers out", () => {
    expect(after(reading, "--setting-sources")).toBe("");
    expect(reading).toContain("--strict-mcp-config");
    expect(JSON.parse(after(reading, "--mcp-config") ?? "")).toEqual({
      mcpServers: {
        planwright: {
          type: "http",
          url: "http://127.0.0.1:1/mcp",
          // Read from the environment: everybody on the machine can read a command line.
          headers: { Authorization: "Bearer ${PLANWRIGHT_DOOR}" },
        },
      },
    });
  });

  it("let a reader read", () => {
    expect(after(reading, "--tools")).toBe("Read,Grep,Glob");
    expect(after(reading, "--permission-mode")).toBe("dontAsk");
    expect(after(reading, "--allowedTools")).toBe(
      "mcp__planwright__submit,mcp__planwright__submit_json,mcp__planwright__look_up",
    );
  });

  it("let a writer write, and never bypass permissions", () => {
    const writing = claudeArguments({ spec: { ...spec, access: "write" }, sessionId: "S", resume: true });
    expect(after(writing, "--permission-mode")).toBe("acceptEdits");
    expect(after(writing, "--allowedTools")).toMatch(/^Bash,/);
    expect(writing.join(" ")).not.toMatch(/bypass|dangerous/);
  });

  it("name the session once, and resume it from then on", () => {
    expect(reading.slice(-2)).toEqual(["--session-id", "S"]);
    expect(claudeArguments({ spec, sessionId: "S", resume: true }).slice(-2)).toEqual(["--resume", "S"]);
  });

  it("say model, effort and budget where they are given", () => {
    const whole = { ...spec, model: "claude-opus-5", effort: "high" } as const;
    const args = claudeArguments({ spec: whole, sessionId: "S", resume: false, maxCostUsd: 0.5 });
    expect(["--model", "--effort", "--max-budget-usd"].map((flag) => after(args, flag))).toEqual([
      "claude-opus-5",
      "high",
      "0.5",
    ]);
    expect(reading).not.toContain("--model");
  });

  it("never end with words that a flag could swallow: the prompt is not among them", () => {
    expect(reading.filter((arg, at) => !arg.startsWith("-") && !reading[at - 1]?.startsWith("-"))).toEqual([]);
  });
});

const delta = (change: object, parent: string | null = null) => ({
  type: "stream_event",
  parent_tool_use_id: parent,
  event: { type: "content_block_delta", index: 0, delta: change },
});

describe("what it prints", () => {
  it("is read into events", () => {
    const reader = new ClaudeReader();
    const call = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/work/a" } };
    const result = { type: "tool_result", tool_use_id: "t1", content: "no such file", is_error: true };
    const lines = [
      delta({ type: "text_delta", text: "Hel" }),
      delta({ type: "text_delta", text: "lo" }),
      delta({ type: "thinking_delta", thinking: "hm" }),
      delta({ type: "text_delta", text: "of a helper" }, "t9"),
      { type: "assistant", message: { content: [{ type: "text", text: "Hello" }, call] } },
      { type: "user", message: { content: [result] } },
      { type: "rate_limit_event" },
      { type: "assistant", message: null },
    ];
    expect(lines.flatMap((line) => reader.read(line).events)).toEqual([
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
      { type: "thought", text: "hm" },
      { type: "tool", name: "Read", state: "started", detail: '{"file_path":"/work/a"}' },
      { type: "tool", name: "Read", state: "failed", detail: "no such file" },
    ]);
  });

  it("begins with the session", () => {
    const line = { type: "system", subtype: "init", session_id: "S", model: "claude-sonnet-5", tools: [] };
    expect(new ClaudeReader().read(line)).toEqual({ events: [], sessionId: "S", model: "claude-sonnet-5" });
  });

  const usage = { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 7 };

  it("tells what it has spent while it works, once for each answer", () => {
    const reader = new ClaudeReader();
    const part = (id: string, counted: object) => ({ type: "assistant", message: { id, content: [], usage: counted } });
    const lines = [part("m1", usage), part("m1", usage), part("m2", { input_tokens: 10, output_tokens: 1 })];
    const events = lines.flatMap((line) => reader.read(line).events);
    expect(events).toEqual([
      { type: "spent", tokens: 132 },
      { type: "spent", tokens: 143 },
    ]);
    expect(reader.spent).toEqual({ input: 135, output: 8, cached: 100 });
  });

  it("counts cached tokens as input", () => {
    const { end } = new ClaudeReader().read({
      type: "result",
      subtype: "success",
      is_error: false,
      usage,
      total_cost_usd: 0.25,
    });
    expect(end).toEqual({ ending: "ended", tokens: { input: 125, output: 7, cached: 100 }, totalCostUsd: 0.25 });
  });

  it.each([
    [{ subtype: "success", is_error: false }, "ended"],
    [{ subtype: "success", is_error: true, result: "API Error: 529 overloaded" }, "refused"],
    [{ subtype: "success", is_error: true, api_error_status: 401, result: "no" }, "unavailable"],
    [{ subtype: "success", is_error: true, result: "Invalid API key · Please run /login" }, "unavailable"],
    [{ subtype: "success", is_error: false, stop_reason: "refusal" }, "refused"],
    [{ subtype: "error_max_budget_usd", is_error: true }, "over-budget"],
    [{ subtype: "error_max_turns", is_error: true }, "over-budget"],
    [{ subtype: "error_during_execution", is_error: true, errors: ["boom"] }, "refused"],
    [
      { subtype: "error_during_execution", is_error: true, errors: ["No conversation found with session ID: x"] },
      "crashed",
    ],
    [{}, "refused"],
  ])("ends as it says, whatever its exit code: %j", (line, ending) => {
    const { end } = new ClaudeReader().read({ type: "result", ...line });
    expect([end?.ending, end?.lost === true]).toEqual([ending, ending === "crashed"]);
  });
});
