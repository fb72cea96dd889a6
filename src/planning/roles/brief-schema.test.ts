import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import type { Brief } from "./brief.js";
import { briefSchema } from "./brief-schema.js";
import { judgeReply, schemaFor } from "./contract.js";

type Asked = Pick<Brief, "role" | "stage" | "revise">;

const ASKED: readonly Asked[] = [
  { role: "clarifier", stage: "clarify", revise: false },
  { role: "researcher", stage: "clarify", revise: false },
  { role: "author", stage: "capabilities", revise: false },
  { role: "author", stage: "files", revise: false },
  { role: "author", stage: "tasks", revise: false },
  { role: "author", stage: "tasks", revise: true },
  { role: "critic", stage: "review", revise: false },
  { role: "overviewer", stage: "overview", revise: false },
];

const tokens = (schema: object): number => encode(JSON.stringify(schema)).length;

type Schema = Readonly<Record<string, unknown>>;

/** Every field with its kind, its choices, and whether it may be left out: what an agent has to know to answer. */
function fieldsOf(schema: Schema, root: Schema = schema, path = ""): string[] {
  const ref = /\/(\w+)$/.exec(typeof schema["$ref"] === "string" ? schema["$ref"] : "")?.[1];
  if (ref !== undefined) return fieldsOf((root["$defs"] as Record<string, Schema>)[ref] ?? {}, root, path);
  const own = [`${path}: ${String(schema["type"])} ${JSON.stringify(schema["enum"] ?? schema["const"] ?? null)}`];
  const required = new Set((schema["required"] ?? []) as string[]);
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>).flatMap(([name, each]) =>
    fieldsOf(each, root, `${path}.${name}${required.has(name) ? "" : "?"}`),
  );
  const items = schema["items"] === undefined ? [] : fieldsOf(schema["items"] as Schema, root, `${path}[]`);
  const choices = ((schema["anyOf"] ?? schema["oneOf"] ?? []) as Schema[]).flatMap((each) =>
    fieldsOf(each, root, path),
  );
  return [...own, ...properties, ...items, ...choices];
}

describe("the schema that a subagent reads", () => {
  it("takes half the tokens, over all roles", () => {
    const whole = ASKED.map((asked) => tokens(schemaFor(asked)));
    const brief = ASKED.map((asked) => tokens(briefSchema(schemaFor(asked))));
    const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
    expect(sum(brief)).toBeLessThanOrEqual(sum(whole) / 2);
  });

  it.each(ASKED)("leaves out no field, no choice and nothing that is required: $role, $stage, $revise", (asked) => {
    const whole = schemaFor(asked);
    expect(fieldsOf(briefSchema(whole))).toEqual(fieldsOf(whole));
  });

  it.each([
    ["a control character", { title: "a\u0007" }],
    ["two lines where one is asked for", { title: "a\nb" }],
    ["a field of its own", { title: "a", more: 1 }],
    ["an id that is none", { title: "a", features: [{ id: "a b", title: "x" }] }],
    [
      "a path that leads out",
      { title: "a", tasks: [{ id: "T1", parent: "F1", title: "x", files: [{ path: "../x" }] }] },
    ],
    ["a text without an end", { title: "a".repeat(201) }],
  ])("makes nothing allowed that was not: %s is sent back", (_, reply) => {
    const asked = { role: "author", stage: "tasks", revise: false } as const;
    expect(judgeReply(asked, { overview: "", features: [], tasks: [], ...reply }).ok).toBe(false);
    expect(judgeReply(asked, { overview: "", features: [], tasks: [], title: "a" }).ok).toBe(true);
  });
});
