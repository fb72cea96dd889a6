import { describe, expect, it } from "vitest";
import type { SessionSpec } from "./agent.js";
import { codexArguments, readCodex } from "./codex.js";

const spec: SessionSpec = { cwd: "/work", access: "read", env: {}, model: "gpt-5.5", effort: "low" };

describe("the arguments", () => {
  it("say the sandbox and the model with the first prompt and with every later one", () => {
    for (const threadId of [undefined, "T"]) {
      const args = codexArguments({ spec, ...(threadId && { threadId }) });
      expect(args).toEqual(
        expect.arrayContaining(['sandbox_mode="read-only"', 'approval_policy="never"', "-m", "gpt-5.5"]),
      );
      expect(args.at(-1)).toBe("-");
      expect(args.slice(0, 3)).toEqual(
        threadId ? ["exec", "resume", "T"] : ["exec", "--json", "--skip-git-repo-check"],
      );
    }
  });

  it("let a writer write in its folder, and drop its sandbox only inside of another one", () => {
    const writer = { ...spec, access: "write" } as const;
    const args = codexArguments({ spec: writer });
    expect(args).toContain('sandbox_mode="workspace-write"');
    expect(args.join(" ")).not.toMatch(/danger|bypass/);
    expect(codexArguments({ spec: { ...writer, confined: true } })).toContain('sandbox_mode="danger-full-access"');
  });

  it("name the server to hand in at, which it has to wait for", () => {
    const args = codexArguments({ spec, submitAt: "http://127.0.0.1:1/mcp" });
    expect(args).toContain('mcp_servers.planwright.url="http://127.0.0.1:1/mcp"');
    expect(args).toContain('mcp_servers.planwright.bearer_token_env_var="PLANWRIGHT_DOOR"');
    expect(args).toContain("mcp_servers.planwright.required=true");
  });
});

const item = (kind: string, rest: object) => ({ type: kind, item: { id: "item_1", ...rest } });

describe("what it prints", () => {
  it.each([
    [item("item.completed", { type: "agent_message", text: "Hello" }), [{ type: "text", text: "Hello" }]],
    [item("item.completed", { type: "reasoning", text: "hm" }), [{ type: "thought", text: "hm" }]],
    [
      item("item.started", { type: "command_execution", command: "ls", status: "in_progress" }),
      [{ type: "tool", name: "shell", state: "started", detail: "ls" }],
    ],
    [
      item("item.completed", { type: "command_execution", command: "ls", exit_code: 1, status: "failed" }),
      [{ type: "tool", name: "shell", state: "failed", detail: "ls" }],
    ],
    [
      item("item.completed", {
        type: "mcp_tool_call",
        server: "planwright",
        tool: "submit",
        status: "completed",
        arguments: {},
      }),
      [{ type: "tool", name: "planwright.submit", state: "done", detail: "{}" }],
    ],
    [
      item("item.completed", { type: "file_change", changes: [{ path: "a", kind: "add" }], status: "completed" }),
      [{ type: "tool", name: "file_change", state: "done", detail: '[{"path":"a","kind":"add"}]' }],
    ],
    [item("item.completed", { type: "error", message: "odd" }), [{ type: "notice", text: "Codex: odd" }]],
    [{ type: "error", message: "Reconnecting... 1/5" }, [{ type: "notice", text: "Codex: Reconnecting... 1/5" }]],
    [item("item.updated", { type: "todo_list" }), []],
    [{ type: "turn.started" }, []],
    [{ type: "item.completed", item: null }, []],
    [{}, []],
  ])("is read into events: %j", (line, events) => {
    expect(readCodex(line).events).toEqual(events);
  });

  it("names the thread, and counts from its beginning", () => {
    expect(readCodex({ type: "thread.started", thread_id: "T" }).threadId).toBe("T");
    const usage = { input_tokens: 1300, cached_input_tokens: 1000, output_tokens: 40 };
    expect(readCodex({ type: "turn.completed", usage })).toEqual({
      events: [],
      end: { ending: "ended" },
      totalTokens: { input: 1300, cached: 1000, output: 40 },
    });
  });

  it.each([
    ["unexpected status 401 Unauthorized", "unavailable"],
    ["You've hit your usage limit.", "over-budget"],
    ["stream disconnected before completion", "refused"],
  ])("%s means %s", (message, ending) => {
    expect(readCodex({ type: "turn.failed", error: { message } }).end?.ending).toBe(ending);
  });
});
