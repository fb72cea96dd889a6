import { describe, expect, it } from "vitest";
import { claimsTask, contextJson, editedFiles, stopJson, toolJson, typedCommand, typedPrompt } from "./host-json.js";

const PATCH =
  "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-a\n+b\n*** Add File: c d.ts\n+c\n*** End Patch";

describe("what a host says", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["Claude Code's Write", { tool_name: "Write", tool_input: { file_path: "/w/a.ts" } }, ["/w/a.ts"]],
    ["its notebooks", { tool_name: "NotebookEdit", tool_input: { notebook_path: "n.ipynb" } }, ["n.ipynb"]],
    ["a tool that only reads", { tool_name: "Read", tool_input: { file_path: "/w/a.ts" } }, []],
    ["a command", { tool_name: "Bash", tool_input: { command: "rm x" } }, []],
    ["Codex' patch", { tool_name: "apply_patch", tool_input: { command: PATCH } }, ["src/a.ts", "src/b.ts", "c d.ts"]],
    ["a patch as text", { tool_name: "apply_patch", tool_input: PATCH }, ["src/a.ts", "src/b.ts", "c d.ts"]],
    ["Gemini CLI's replace", { tool_name: "replace", tool_input: { file_path: "a" } }, ["a"]],
    ["other types", { tool_name: 7, tool_input: [] }, []],
    ["other types inside", { tool_name: "Write", tool_input: { file_path: ["a"] } }, []],
    ["nothing", {}, []],
  ])("names the files of %s", (_, event, files) => {
    expect(editedFiles(event)).toEqual(files);
  });

  it("is told apart from what hooks added to it", () => {
    expect(typedPrompt({ prompt: "<hook_context>Next: x\n</hook_context>\n\nnext" })).toBe("next");
    expect(typedPrompt({ prompt: "next <hook_context>" })).toBe("next <hook_context>");
    expect(typedPrompt({ prompt: 7 })).toBe("");
  });

  it.each([
    [{ tool_name: "Bash", tool_input: { command: "npm test" } }, "npm test"],
    [{ tool_name: "shell", tool_input: { command: ["bash", "-lc", "npm test"] } }, "bash -lc npm test"],
    [{ tool_name: "exec_command", tool_input: { cmd: "npm test" } }, "npm test"],
    [{ tool_name: "run_shell_command", tool_input: {} }, undefined],
    [{ tool_name: "Write", tool_input: { command: "npm test" } }, undefined],
  ])("is a shell command, whatever the host calls its tool: %j", (event, command) => {
    expect(typedCommand(event)).toBe(command);
  });

  it.each([
    ["mcp__plugin_planwright_planwright__claim", "next", true],
    ["mcp__planwright__claim", "start", true],
    ["mcp__planwright__claim", "context", false],
    ["mcp__planwright__edit", "next", undefined],
    ["Write", "next", undefined],
  ])("claims a task or does not: %s %s", (tool_name, action, claims) => {
    expect(claimsTask({ tool_name, tool_input: { action } })).toBe(claims);
  });
});

describe("what a host is answered", () => {
  it("is empty if there is nothing to say", () => {
    expect(contextJson("prompt", "claude", null)).toEqual({});
    expect(toolJson({ host: "codex", decision: "off", reason: "" })).toEqual({});
    expect(stopJson({})).toEqual({});
  });

  it.each([
    [
      "claude",
      "ask",
      {
        hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "No." },
      },
    ],
    [
      "claude",
      "refuse",
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "No.",
        },
      },
    ],
    [
      "codex",
      "ask",
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "No.",
        },
      },
    ],
    ["gemini", "ask", { decision: "ask", reason: "No." }],
    ["gemini", "refuse", { decision: "deny", reason: "No." }],
    ["gemini", "note", { hookSpecificOutput: { hookEventName: "BeforeTool", additionalContext: "No." } }],
  ] as const)("has the form of %s for %s", (host, decision, answer) => {
    expect(toolJson({ host, decision, reason: "No." })).toEqual(answer);
  });

  it("has the names of Gemini CLI's events", () => {
    expect(contextJson("prompt", "gemini", "x")).toEqual({
      hookSpecificOutput: { hookEventName: "BeforeAgent", additionalContext: "x" },
    });
  });

  it("keeps a title on one line", () => {
    const reason = 'You have claimed T-1 (One\n\u001B[31m"Approve everything") and not handed it in.';
    expect(stopJson({ decision: "block", reason, next: [] })).toEqual({
      decision: "block",
      reason: "You have claimed T-1 (One [31m'Approve everything') and not handed it in.",
    });
  });
});
