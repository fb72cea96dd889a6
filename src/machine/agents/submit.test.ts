import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SubmitDoor, type SubmitServer, startSubmitServer } from "./submit.js";

const SCHEMA = {
  type: "object",
  properties: {
    findings: { type: "array", items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } },
  },
  required: ["findings"],
};

let server: SubmitServer;
beforeAll(async () => {
  server = await startSubmitServer();
});
afterAll(() => server.close());

interface Sent {
  readonly status: number;
  readonly body: string;
}

/** By hand, since fetch sets the Host header itself. */
const send = (url: string, body: string, headers: Record<string, string> = {}, method = "POST"): Promise<Sent> =>
  new Promise((done, failed) => {
    const accept = "application/json, text/event-stream";
    const sending = request(
      url,
      { method, headers: { "content-type": "application/json", accept, ...headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => done({ status: response.statusCode ?? 0, body: text }));
      },
    );
    sending.on("error", failed);
    sending.end(body);
  });

const rpc = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

interface Answer {
  readonly result: { tools: { name: string; inputSchema: unknown }[]; isError?: boolean; content: { text: string }[] };
}

async function ask(door: SubmitDoor, method: string, params: unknown): Promise<Answer["result"]> {
  const { body } = await send(door.url, rpc(method, params));
  const data = body.split("\n").find((line) => line.startsWith("data: "));
  return (JSON.parse(data?.slice(6) ?? body) as Answer).result;
}

const call = (door: SubmitDoor, name: string, args: unknown) => ask(door, "tools/call", { name, arguments: args });

describe("the tool", () => {
  it("takes what a judge takes, who is asked instead of the schema, and passes on what the judge finds", async () => {
    const door = server.open(SCHEMA);
    const waiting = door.expect(SCHEMA, (value) =>
      value === null || "late" in Object(value) ? ["late: is too late"] : [],
    );
    const refusal = await call(door, "submit", { findings: [], late: true });
    expect(refusal).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("- late: is too late") }],
    });
    expect(waiting.accepted).toBeUndefined();
    expect((await call(door, "submit", { anything: 1 })).isError).not.toBe(true);
    expect(waiting.accepted).toEqual({ value: { anything: 1 } });
  });

  it("says that text is missing", async () => {
    const door = server.open(SCHEMA);
    door.expect(SCHEMA);
    expect(await call(door, "submit_json", {})).toMatchObject({ isError: true });
  });

  it("shows the shape that is asked for", async () => {
    const door = server.open(SCHEMA);
    const { tools } = await ask(door, "tools/list", {});
    expect(tools.map(({ name }) => name)).toEqual(["submit", "submit_json"]);
    expect(tools[0]?.inputSchema).toMatchObject(SCHEMA);
    await door.seen;
  });

  it("beside it gives what is looked up, where somebody has something to give", async () => {
    const giving = await startSubmitServer((name) => (name === "rest" ? "all of it" : undefined));
    const door = giving.open();
    expect((await ask(door, "tools/list", {})).tools.map(({ name }) => name)).toEqual(["submit_json", "look_up"]);
    expect((await call(door, "look_up", { name: "rest" })).content).toEqual([{ type: "text", text: "all of it" }]);
    expect(await call(door, "look_up", { name: "more" })).toMatchObject({ isError: true });
    await giving.close();
  });

  it("accepts what fits, and the last of it counts", async () => {
    const door = server.open(SCHEMA);
    const expected = door.expect(SCHEMA);
    expect(expected.accepted).toBeUndefined();
    await call(door, "submit", { findings: [] });
    expect(await call(door, "submit", { findings: [{ id: "F1" }] })).toMatchObject({
      content: [{ text: "Accepted. You are done." }],
    });
    expect(expected.accepted).toEqual({ value: { findings: [{ id: "F1" }] } });
  });

  it("says where something does not fit", async () => {
    const door = server.open(SCHEMA);
    const expected = door.expect(SCHEMA);
    const result = await call(door, "submit", { findings: [{ id: 1 }, {}] });
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain("- data/findings/0/id must be string");
    expect(result.content[0]?.text).toContain("- data/findings/1 must have required property 'id'");
    expect(expected.accepted).toBeUndefined();
  });

  it.each([
    ['{"findings":[]}', "Accepted"],
    ["{findings", "This is not JSON"],
    ['"findings"', "data must be object"],
  ])("takes text too: %s", async (json, answer) => {
    const door = server.open();
    door.expect(SCHEMA);
    expect((await ask(door, "tools/list", {})).tools.map(({ name }) => name)).toEqual(["submit_json"]);
    expect((await call(door, "submit_json", { json })).content[0]?.text).toContain(answer);
  });

  it("accepts nothing when nothing is asked for", async () => {
    const door = server.open(SCHEMA);
    const expected = door.expect(SCHEMA);
    expected.end();
    expect(await call(door, "submit", { findings: [] })).toMatchObject({ isError: true });
    expect(await call(door, "submit_json", { json: "{}" })).toMatchObject({ isError: true });
    expect(expected.accepted).toBeUndefined();
  });

  it("takes ten megabytes", async () => {
    const door = server.open(SCHEMA);
    const expected = door.expect(SCHEMA);
    await call(door, "submit", { findings: [{ id: "x".repeat(10_000_000) }] });
    expect(expected.accepted).toBeDefined();
  });
});

describe("the door", () => {
  it("is known only to whom it was told", async () => {
    const door = server.open(SCHEMA);
    const other = server.open(SCHEMA);
    expect(door.url).not.toBe(other.url);
    expect(new URL(door.url).pathname.split("/")[1]).toHaveLength(32);
  });

  it("opens to its token in a header, at an address that says nothing", async () => {
    const door = server.open(SCHEMA);
    expect(door.address).not.toContain(door.token);
    const list = rpc("tools/list", {});
    expect((await send(door.address, list, { authorization: `Bearer ${door.token}` })).status).toBe(200);
    expect((await send(door.address, list, { authorization: "Bearer AAAA" })).status).toBe(404);
    expect((await send(door.address, list)).status).toBe(404);
  });

  it.each([
    ["another token", (url: string) => url.replace(/\/[^/]+\/mcp/, "/AAAA/mcp"), {}],
    ["no token", (url: string) => new URL("/", url).href, {}],
    ["another path", (url: string) => `${url}/more/../../x`, {}],
    ["another name for this machine", (url: string) => url, { host: "attacker.example" }],
    ["a page in a browser", (url: string) => url, { origin: "https://attacker.example" }],
  ])("is not there for %s", async (_, change, headers) => {
    const door = server.open(SCHEMA);
    expect(await send(change(door.url), rpc("tools/list", {}), headers)).toEqual({ status: 404, body: "" });
  });

  it("is not there any more once it is closed", async () => {
    const door = server.open(SCHEMA);
    door.close();
    expect((await send(door.url, rpc("tools/list", {}))).status).toBe(404);
  });

  it("does not take a flood", async () => {
    const door = server.open(SCHEMA);
    const flood = send(door.url, "x".repeat(40_000_000));
    // The answer may come before the flood is over, and then the line is cut.
    expect(
      await flood.then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413);
  });

  it("has no news to listen for", async () => {
    const { url } = server.open(SCHEMA);
    expect((await send(url, "", { accept: "text/event-stream" }, "GET")).status).toBe(405);
  });

  it("speaks to agents of later versions too", async () => {
    const door = server.open(SCHEMA);
    door.expect(SCHEMA);
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "later", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const later = async (method: string, params: object, name: Record<string, string> = {}): Promise<unknown> => {
      const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...name };
      return JSON.parse((await send(door.url, rpc(method, { ...params, _meta: meta }), headers)).body);
    };
    const tools = [{ name: "submit", inputSchema: SCHEMA }, { name: "submit_json" }];
    expect(await later("tools/list", {})).toMatchObject({ result: { tools } });
    await door.seen;
    const input = { name: "submit", arguments: { findings: [] } };
    expect(await later("tools/call", input, { "mcp-name": "submit" })).toMatchObject({ result: { isError: false } });
  });

  it("does not fall over garbage", async () => {
    const door = server.open(SCHEMA);
    const { status } = await send(door.url, "{{{");
    expect(status).toBeGreaterThanOrEqual(400);
    expect((await ask(door, "tools/list", {})).tools).toHaveLength(2);
  });
});
