import { describe, expect, it } from "vitest";
import { answerMessage, readMessage, say, type Tool } from "./mcp.js";

const HEADERS = { "content-type": "application/json; charset=utf-8", accept: "application/json, text/event-stream" };
const message = (fields: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", ...fields });

describe("a message", () => {
  it.each([
    ["with a number", { id: 7 }, { id: 7, method: "ping", params: {} }],
    ["with a name", { id: "a" }, { id: "a", method: "ping", params: {} }],
    ["that only tells", { id: undefined }, { id: undefined, method: "ping", params: {} }],
    [
      "with notes of the agent's",
      { params: { _meta: { progressToken: 1 } } },
      { id: 1, method: "ping", params: { _meta: { progressToken: 1 } } },
    ],
  ])("%s is read", (_, fields, read) => {
    expect(readMessage(HEADERS, message(fields))).toEqual(read);
    expect(readMessage({ ...HEADERS, "mcp-protocol-version": "2025-06-18" }, message(fields))).toEqual(read);
  });

  it.each([
    ["no JSON", "{{{", {}],
    ["several at once", `[${message({})}]`, {}],
    ["an answer", message({ method: undefined, result: {} }), {}],
    ["another protocol", message({ jsonrpc: "1.0" }), {}],
    ["an id that is none", message({ id: null }), {}],
    ["a list of parameters", message({ params: [] }), {}],
    [
      "a later version",
      message({ params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } } }),
      {},
    ],
    ["a later version in the header", message({}), { "mcp-protocol-version": "2026-07-28" }],
    ["another type", message({}), { "content-type": "text/plain" }],
    ["no type", message({}), { "content-type": undefined }],
    ["an agent that takes no stream", message({}), { accept: "application/json" }],
    ["an agent that takes nothing", message({}), { accept: undefined }],
  ])("is left to the SDK: %s", (_, body, headers) => {
    expect(readMessage({ ...HEADERS, ...headers }, body)).toBeUndefined();
  });
});

const ECHO: Tool = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object" },
  call: async (input) => say(JSON.stringify(input)),
};

async function answer(method: string, params: object = {}, tools = [ECHO]): Promise<unknown> {
  return JSON.parse((await answerMessage({ id: 5, method, params: { ...params } }, tools)) ?? "null");
}

describe("the answer", () => {
  it.each([
    ["2025-06-18", "2025-06-18"],
    ["2026-07-28", "2025-11-25"],
    [undefined, "2025-11-25"],
  ])("to a greeting in %s is in %s", async (wanted, used) => {
    const serverInfo = { name: "planwright", version: "1" };
    const result = { protocolVersion: used, capabilities: { tools: {} }, serverInfo };
    expect(await answer("initialize", { protocolVersion: wanted })).toEqual({ jsonrpc: "2.0", id: 5, result });
  });

  it("to the question for tools shows each, at once and as harmless", async () => {
    expect(await answer("tools/list")).toMatchObject({
      result: {
        tools: [
          {
            name: "echo",
            description: "Says it again.",
            inputSchema: { type: "object" },
            annotations: { readOnlyHint: true },
            _meta: { "anthropic/alwaysLoad": true },
          },
        ],
      },
    });
  });

  it.each([
    ["ping", {}, { result: {} }],
    [
      "tools/call",
      { name: "echo", arguments: { a: 1 } },
      { result: { content: [{ text: '{"a":1}' }], isError: false } },
    ],
    ["tools/call", { name: "echo" }, { result: { content: [{ text: "{}" }] } }],
    ["tools/call", { name: "other" }, { error: { code: -32_602 } }],
    ["resources/list", {}, { error: { code: -32_601 } }],
  ])("to %s %j", async (method, params, said) => {
    expect(await answer(method, params)).toMatchObject({ jsonrpc: "2.0", id: 5, ...said });
  });

  it("to a call of a tool that is out of order says so", async () => {
    const broken: Tool = { ...ECHO, call: () => Promise.reject(new Error("out of order")) };
    const said = { content: [{ type: "text", text: "out of order" }], isError: true };
    expect(await answer("tools/call", { name: "echo" }, [broken])).toMatchObject({ result: said });
  });

  it("to what only tells is none", async () => {
    expect(await answerMessage({ id: undefined, method: "notifications/initialized", params: {} }, [])).toBeUndefined();
  });
});
