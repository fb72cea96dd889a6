// The tools of the MCP server, by name. Which verbs a tool asks for, and with which of their fields, stands in each verb; schemas,
// annotations, answers and the spelling of next steps are derived.

import type { VerbName } from "../../model/next-step.js";
import { jsonSchemaOf } from "../../verbs/describe-operations.js";
import { allFacts } from "../../verbs/kit/facts.js";
import { TOOL_DESCRIPTIONS } from "../../verbs/kit/tools.js";
import type { ToolUse, Verb } from "../../verbs/kit/verb.js";
import { loadVerb } from "../../verbs/list.js";
import { NAMED, shownField } from "./field-names.js";

export interface ToolAction extends Omit<ToolUse, "action"> {
  readonly operation: VerbName;
}

export type ToolDeclaration = (typeof TOOLS)[number];

export const ONLY = "";

/** The actions of a tool by the value of `action`. A tool with one action called ONLY has no such field. */
const actionsOf = (name: string): Readonly<Record<string, ToolAction>> =>
  Object.fromEntries(
    allFacts().flatMap(({ name: operation, tools = [] }) =>
      tools.filter(({ tool }) => tool === name).map(({ action = ONLY, ...use }) => [action, { ...use, operation }]),
    ),
  );

export const TOOLS = Object.entries(TOOL_DESCRIPTIONS).map(([name, description]) => ({
  name,
  description,
  actions: actionsOf(name),
}));

export function toolFor(operation: string, fields: readonly string[]) {
  for (const tool of TOOLS) {
    for (const [action, asks] of Object.entries(tool.actions)) {
      if (asks.operation === operation && fields.every((field) => takes(asks, field))) return { tool, action, asks };
    }
  }
  return undefined;
}

const takes = ({ fields, fixed = {} }: ToolAction, field: string): boolean => fields.includes(field) || field in fixed;

// What a client sees of a tool: a short JSON Schema and hints, derived from the operations that it asks for. The operations' own
// schemas judge the input; this one only tells a model what to write.

export interface JsonObject {
  readonly [field: string]: unknown;
}

export type ShownTool = Awaited<ReturnType<typeof showTool>>;

/** Fields of tools that page through lists or cut long texts. */
const PAGING = { from: { type: "integer" }, detail: { type: "boolean" } } as const;

export const isPaged = ({ actions }: ToolDeclaration): boolean => Object.values(actions).some(({ detail }) => detail);

export async function showTool(tool: ToolDeclaration) {
  const actions = Object.entries(tool.actions);
  const properties: Record<string, unknown> = {};
  const operations: Verb[] = [];
  const required: (readonly string[])[] = [];
  for (const [, { operation: name, fields }] of actions) {
    const operation = await loadVerb(name);
    const { properties: all = {}, required: wanted = [] } = jsonSchemaOf(operation) as {
      properties?: Readonly<Record<string, JsonObject>>;
      required?: readonly string[];
    };
    for (const field of fields) {
      const shown = shownField(field, fields);
      properties[shown] ??= shown === NAMED ? TEXT : (LISTS[field] ?? shortSchema(all[field] ?? {}));
    }
    operations.push(operation);
    required.push(wanted.map((field) => shownField(field, fields)));
  }
  const hasActions = !(ONLY in tool.actions);
  const always = (required[0] ?? []).filter((field) => required.every((each) => each.includes(field)));
  const needed = [...(hasActions ? ["action"] : []), ...always];
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: {
      type: "object",
      properties: {
        ...(hasActions && { action: { type: "string", enum: actions.map(([action]) => action) } }),
        ...properties,
        ...(isPaged(tool) && PAGING),
      },
      ...(needed.length > 0 && { required: needed }),
    },
    annotations: annotationsOf(operations),
  };
}

/**
 * What a hint would say by default is left out: every word of a definition is sent with each request. The world is closed: Codex
 * refuses a tool that changes something outside without asking.
 */
function annotationsOf(operations: readonly Verb[]) {
  const dispatches = operations.some(({ routes }) => routes === true);
  const isReading = !dispatches && operations.every(({ effect }) => effect === "reads");
  const isDestructive = dispatches || operations.some(({ destructive }) => destructive === true);
  return isReading ? { readOnlyHint: true } : { destructiveHint: isDestructive, openWorldHint: false };
}

/** Has only the type and the choices: limits and explanations come back as errors, and cost nothing before. */
function shortSchema(schema: JsonObject): JsonObject {
  const { type, enum: choices, items, anyOf } = schema;
  if (Array.isArray(anyOf))
    return shortSchema((anyOf as JsonObject[]).find((each) => each["type"] === "string") ?? anyOf[0]);
  if (Array.isArray(choices)) return { type: "string", enum: choices };
  if (type !== "array") return { type: type ?? "string" };
  const { enum: words } = (items ?? {}) as JsonObject;
  return { type, items: { type: "string", ...(Array.isArray(words) && { enum: words }) } };
}

const TEXT = { type: "string" } as const;

const objects = (properties: JsonObject): JsonObject => ({ type: "array", items: { type: "object", properties } });

/** Lists whose entries cannot be written as texts, with the fields that a model could not guess. */
const LISTS: JsonObject = {
  nodes: objects({ id: TEXT }),
  parts: objects({ after: { type: "array", items: { type: "integer" } } }),
};
