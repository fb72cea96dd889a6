// The built program as an MCP server, started by a client as coding agents start it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, it, onTestFinished } from "vitest";
import { ANSWERS, SPEC } from "./planning.js";
import { BIN, makeRig, type Rig } from "./rig.js";

interface Connected {
  readonly client: Client;
  readonly stderr: () => string;
  readonly pid: number | null;
}

async function connect(rig: Rig): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp", "-C", rig.root],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", USER: "ada", XDG_STATE_HOME: rig.state },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: "e2e", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, stderr: () => said, pid: transport.pid };
}

it("serves a worker from claim to done, and stops when the client is gone", async () => {
  const rig = makeRig();
  rig.ok(["init"]);
  rig.ok(["add", "Login", "--tier", "feature"]);
  rig.ok(["add", "Write it", "--parent", "FEAT-001", "--check", "true"]);
  rig.ok(["approve", "FEAT-001"]);
  const { client, stderr } = await connect(rig);
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent;
  expect(await call("claim", { action: "next" })).toMatchObject({ task: { id: "TASK-00001" } });
  expect(rig.ok(["show", "TASK-00001"])).toMatchObject({ claim: { by: "agent:e2e" } });
  expect(await call("complete", { reference: "TASK-00001" })).toMatchObject({ acceptance: "accepted" });
  await client.close();
  expect(stderr()).toBe("");
  expect(rig.ok(["show", "TASK-00001"])).toMatchObject({ status: "done" });
});

it("answers where there is no plan, and after one was made", async () => {
  const rig = makeRig();
  const { client } = await connect(rig);
  const find = async () => client.callTool({ name: "find", arguments: { action: "list" } });
  expect(await find()).toMatchObject({ isError: true, structuredContent: { error: { reason: "no-workspace" } } });
  rig.ok(["init"]);
  expect((await find()).structuredContent).toMatchObject({ nodes: [{ id: "MISSION" }, {}, {}] });
});

it("explains itself and refuses words that it does not know", () => {
  const rig = makeRig();
  expect(rig.run(["mcp", "--help"]).stdout).toContain("Serve the plan to coding agents as MCP tools.");
  expect(rig.run(["mcp", "loudly"])).toMatchObject({ code: 5, stdout: "" });
});

it("serves over HTTP until it is told to stop, and refuses a port that is none", async () => {
  const rig = makeRig();
  rig.ok(["init"]);
  expect(rig.run(["mcp", "--http", "99999"])).toMatchObject({ code: 5 });
  expect(rig.run(["mcp", "--http"], { env: { PLANWRIGHT_MCP_TOKEN: "short" } })).toMatchObject({ code: 5 });
  const child = spawn(process.execPath, [BIN, "mcp", "--http", "-C", rig.root], {
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", USER: "ada" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stderr, "data")) as [Buffer];
  const [, url = "", token = ""] = /on (\S+)\. Clients send: Authorization: Bearer (\S+)/.exec(line.toString()) ?? [];
  const client = new Client({ name: "e2e", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  expect((await client.listTools()).tools).toHaveLength(14);
  await client.close();
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});

it("a host that is killed while its subagent works goes on with the same step", async () => {
  const rig = makeRig();
  rig.ok(["init"]);
  const spec = rig.write("spec.md", SPEC);
  rig.ok(["plan", spec, "--serve", "host"]);
  const step = async ({ client }: Connected): Promise<string> => {
    const answered = await client.callTool({ name: "plan", arguments: { action: "step" } });
    return (answered.structuredContent as { ask: { call: string } }).ask.call;
  };
  const first = await connect(rig);
  const before = await step(first);
  process.kill(first.pid ?? 0, "SIGKILL");
  const second = await connect(rig);
  expect(await step(second)).toBe(before);
  // The subagent has only a shell.
  const output = JSON.stringify(ANSWERS["clarifier"]);
  const agent = { CLAUDECODE: "1" };
  const handed = rig.run(["plan", "submit", before, "--file", "-", "--json"], { input: output, env: agent });
  expect(JSON.parse(handed.stdout)).toMatchObject({
    ok: true,
    data: { ask: { role: "author" }, stage: "capabilities" },
  });
  expect(rig.run(["plan", "submit", before, "--file", "-"], { input: output, env: agent })).toMatchObject({ code: 3 });
  expect(await step(second)).not.toBe(before);
  expect(rig.run(["approve", "RUN-001", "--yes"], { env: agent }).code).toBe(3);
});
