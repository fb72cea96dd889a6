// The real Codex, as its own editors drive it (`codex app-server`), puts to the person what only a person may decide.

import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { realAgent } from "./real.js";
import { RealHost } from "./real-hosts.js";

const { command, reason } = realAgent("codex");

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly message?: string; readonly status?: unknown };
  readonly result?: { readonly thread?: { readonly id: string } };
}

describe.skipIf(command === undefined)(`a question in Codex${command === undefined ? ` (${reason})` : ""}`, () => {
  it.each([
    ["yes", { action: "accept", content: { confirm: true } }, { by: "human:ada" }],
    ["no", { action: "decline", content: null }, null],
  ])("is answered by the person: %s", { timeout: 120_000 }, async (_, answer, approval) => {
    const host = await RealHost.open("codex");
    host.rig.ok(["add", "Write c", "--id", "T-c", "--parent", "FEAT-A", "--file", "c.txt", "--check", "test -f c.txt"]);
    host.install("codex");
    host.configure("mcp.askThrough", '["codex-mcp-client"]');
    const decide = { name: "decide", namespace: "mcp__planwright", input: { action: "approve", references: ["T-c"] } };
    let isProposed = false;
    host.script = () => {
      if (isProposed) return { text: "Proposed." };
      isProposed = true;
      return { tools: [decide] };
    };

    const allowed = 'mcp_servers.planwright.default_tools_approval_mode="approve"';
    const child = host.start(["app-server", "-c", allowed]);
    onTestFinished(() => void child.kill("SIGKILL"));
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const asked: string[] = [];
    let thread: string | undefined;
    let [isReady, isBegun] = [false, false];
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      const { id, method, params, result } = JSON.parse(line) as Message;
      if (id === 1) {
        send({ method: "initialized" });
        send({ id: 2, method: "thread/start", params: { cwd: host.rig.root, approvalPolicy: "on-request" } });
      }
      thread ??= id === 2 ? result?.thread?.id : undefined;
      isReady ||= method === "mcpServer/startupStatus/updated" && params?.status === "ready";
      if (thread !== undefined && isReady && !isBegun) {
        isBegun = true;
        const input = [{ type: "text", text: "Propose it." }];
        send({ id: 3, method: "turn/start", params: { threadId: thread, input } });
      }
      if (method === "mcpServer/elicitation/request") {
        asked.push(params?.message ?? "");
        send({ id, result: { ...answer, _meta: null } });
      }
      if (method === "turn/completed") child.stdin.end();
    });
    send({ id: 1, method: "initialize", params: { clientInfo: { name: "editor", title: "Editor", version: "1" } } });
    await once(lines, "close");
    expect(asked).toEqual([expect.stringMatching(/^codex-mcp-client asks you to decide\.\n[\s\S]*test -f c\.txt/)]);
    expect(host.rig.ok(["show", "T-c"])).toMatchObject({ approval });
  });
});
