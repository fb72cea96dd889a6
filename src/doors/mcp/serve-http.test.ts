// The server over HTTP on a real port: real clients of both protocols, and callers that are not let in.

import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { type McpRig, makeMcpRig } from "../../../test/mcp.js";
import { serveMcpHttp } from "./serve-http.js";

const TOKEN = "a-token-of-the-tests";

async function serve({ app }: McpRig): Promise<string> {
  const stop = new AbortController();
  let served: Promise<void> | undefined;
  const url = await new Promise<string>((onListening) => {
    served = serveMcpHttp({ app, version: "1", stopped: () => stop.signal, port: 0, token: TOKEN, onListening });
  });
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  return url;
}

async function connect(url: string, name: string, mode: "auto" | "legacy"): Promise<Client> {
  const client = new Client({ name, version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const BODY = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/** As no browser and no client would send it. */
const send = (url: string, { method = "POST", path = "/mcp", headers = {}, body = BODY }: Sent): Promise<number> =>
  new Promise((done) => {
    const { port } = new URL(url);
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
    const sent = request({ host: "127.0.0.1", port, method, path, headers: all }, (response) => {
      response.resume().once("close", () => done(response.statusCode ?? 0));
    });
    sent.once("error", () => done(0));
    sent.end(method === "GET" ? undefined : body);
  });

const LET_IN = { authorization: `Bearer ${TOKEN}` };

describe("over HTTP", () => {
  it.each(["auto", "legacy"] as const)("a worker claims and hands in (%s)", async (mode) => {
    const rig = await makeMcpRig();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001", checks: ["true"] });
    await rig.ask("approve", { references: ["FEAT-001"], yes: true });
    const client = await connect(await serve(rig), "http client", mode);
    const call = async (name: string, input: Record<string, unknown>) =>
      (await client.callTool({ name, arguments: input })).structuredContent;
    expect(await call("claim", { action: "next" })).toMatchObject({ task: { id: "TASK-00001" } });
    expect(await call("complete", { reference: "TASK-00001" })).toMatchObject({ acceptance: "accepted" });
    expect(await call("decide", { action: "approve", references: ["FEAT-001"] })).toMatchObject({
      error: { reason: "needs-person" },
    });
  });

  it("a client does not get the claims of another", async () => {
    const rig = await makeMcpRig();
    await rig.ask("add", { title: "Write the form", parent: "FEAT-001", checks: ["true"] });
    await rig.ask("approve", { references: ["FEAT-001"], yes: true });
    const url = await serve(rig);
    const [first, second] = [await connect(url, "first", "auto"), await connect(url, "second", "auto")];
    await first.callTool({ name: "claim", arguments: { action: "next" } });
    expect(await second.callTool({ name: "complete", arguments: { reference: "TASK-00001" } })).toMatchObject({
      isError: true,
      structuredContent: { error: { reason: "needs-token" } },
    });
  });

  it.each([
    ["no token", {}, 401],
    ["another token", { headers: { authorization: "Bearer something-else" } }, 401],
    ["a token in another scheme", { headers: { authorization: TOKEN } }, 401],
    ["a foreign host", { headers: { ...LET_IN, host: "attacker.example" } }, 403],
    ["a page in a browser", { headers: { ...LET_IN, origin: "https://attacker.example" } }, 403],
    ["another path", { headers: LET_IN, path: "/" }, 404],
    ["no JSON", { headers: LET_IN, body: "{{{" }, 400],
    ["a flood", { headers: LET_IN, body: `"${"x".repeat(5_000_000)}"` }, 413],
    ["a stream without a session", { headers: LET_IN, method: "GET" }, 405],
  ] as const)("%s is refused", async (_, sent, status) => {
    const rig = await makeMcpRig();
    const url = await serve(rig);
    expect(await send(url, sent)).toBe(status);
    expect(await send(url, { headers: LET_IN })).toBe(200);
  });
});
