// The definitions that every client sends with each request, and the table behind them.

import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { makeMcpRig } from "../../../test/mcp.js";
import { loadVerb } from "../../verbs/list.js";
import { TOOLS } from "./tools.js";

const shown = async () => (await (await makeMcpRig()).connect()).client.listTools();

describe("the definitions", () => {
  it("are at most 14 and have at most 2,000 tokens together", async () => {
    const { tools } = await shown();
    expect(tools.length).toBe(TOOLS.length);
    expect(tools.length).toBeLessThanOrEqual(14);
    expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(2_000);
  });

  it("say honestly which tools only read and which give something up", async () => {
    const { tools } = await shown();
    const named = (hint: (annotations: object) => boolean): string[] =>
      tools.filter(({ annotations }) => hint(annotations ?? {})).map(({ name }) => name);
    expect(named((hints) => "readOnlyHint" in hints)).toEqual(["find", "show", "why"]);
    expect(named((hints) => "destructiveHint" in hints && hints.destructiveHint === true)).toEqual(
      "do edit give_up news plan".split(" "),
    );
  });

  it("say that nothing outside is changed, so that Codex lets an agent claim", async () => {
    const open = (await shown()).tools.filter(({ annotations: { readOnlyHint, openWorldHint } = {} }) => {
      return readOnlyHint !== true && openWorldHint !== false;
    });
    expect(open).toEqual([]);
  });

  it("are schemas that every client understands", async () => {
    for (const { inputSchema } of (await shown()).tools) {
      expect(inputSchema.type).toBe("object");
      for (const field of Object.values(inputSchema.properties ?? {})) {
        expect(field).toHaveProperty("type", expect.stringMatching(/^(string|integer|number|boolean|array)$/));
        const { type, items } = field as { type: string; items?: { type: string } };
        expect(items === undefined).toBe(type !== "array");
      }
    }
  });
});

describe("the table", () => {
  const actions = TOOLS.flatMap(({ name, actions: all }) =>
    Object.entries(all).map(([action, asks]) => [`${name} ${action}`, asks] as const),
  );

  it.each(actions)("%s names fields that its operation has", async (_, { operation, fields, fixed = {} }) => {
    const { shape } = (await loadVerb(operation)).input;
    expect([...fields, ...Object.keys(fixed)].filter((field) => !(field in shape))).toEqual([]);
  });

  it("offers no confirmation and no token", () => {
    const given = new Set(actions.flatMap(([, { fields }]) => fields));
    expect(["yes", "seen", "token", "force"].filter((field) => given.has(field))).toEqual([]);
  });
});
