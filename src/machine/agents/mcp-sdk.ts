// What the SDK of the Model Context Protocol is asked for. It is large, so nothing imports this but when it is needed: for messages that
// `mcp.ts` does not know, and for a value that only a JSON Schema can judge.

import { createMcpHandler, fromJsonSchema, McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { JsonSchema } from "./agent.js";
import { EVERY_TOOL, SERVER_INFO, type Tool } from "./mcp.js";

/** Shown to the model as it is; judged by the tool, in our words. */
const shown = (schema: JsonSchema): StandardSchemaWithJSON<unknown, unknown> => ({
  "~standard": {
    version: 1,
    vendor: SERVER_INFO.name,
    jsonSchema: { input: () => schema, output: () => schema },
    validate: (value) => ({ value }),
  },
});

function serverWith(tools: readonly Tool[]): McpServer {
  const server = new McpServer(SERVER_INFO);
  for (const { name, description, inputSchema, call } of tools)
    server.registerTool(name, { ...EVERY_TOOL, description, inputSchema: shown(inputSchema) }, (value) => call(value));
  return server;
}

export type SdkHandler = ReturnType<typeof sdkHandler>;

export const sdkHandler = (toolsFor: (request: Request) => readonly Tool[], maxRequestBodySize: number) =>
  createMcpHandler(({ requestInfo }) => serverWith(requestInfo === undefined ? [] : toolsFor(requestInfo)), {
    maxRequestBodySize,
  });

/** What does not fit; undefined if everything does. */
export type SchemaJudge = (value: unknown) => Promise<readonly string[] | undefined>;

export function schemaJudge(schema: JsonSchema): SchemaJudge {
  const { validate } = fromJsonSchema(schema)["~standard"];
  return async (value) => (await validate(value)).issues?.map(({ message }) => message);
}
