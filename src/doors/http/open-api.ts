// OpenAPI 3.1 of everything that this server answers, from the catalogue.

import { SIGNATURE_HEADER } from "../../model/signed-request.js";
import { describeOperations } from "../../verbs/describe-operations.js";

type Json = Readonly<Record<string, unknown>>;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const json = (schema: Json): Json => ({ "application/json": { schema } });

const ANSWER: Json = { type: "object", properties: { ok: { const: true }, data: {} }, required: ["ok", "data"] };

const STEP: Json = {
  type: "object",
  description: "What to do next. A step with destructive has no command.",
  properties: {
    operation: { type: "string" },
    input: { type: "object" },
    needs: { type: "array", items: { type: "string" }, description: "fields that the reader fills in" },
    who: { enum: ["person", "agent", "both"] },
    command: { type: "string" },
    destructive: { const: true },
  },
  required: ["operation", "input", "who"],
};

const FAILURE: Json = {
  type: "object",
  properties: {
    ok: { const: false },
    error: {
      type: "object",
      properties: {
        reason: { type: "string" },
        message: { type: "string" },
        details: { type: ["object", "null"] },
        next: { type: "array", items: ref("Step") },
      },
      required: ["reason", "message", "details", "next"],
    },
  },
  required: ["ok", "error"],
};

const RESPONSES: Json = {
  "200": { description: "The answer.", content: json(ref("Answer")) },
  "4XX": { description: "Why not.", content: json(ref("Failure")) },
  "5XX": { description: "A bug, or the server is stopping.", content: json(ref("Failure")) },
};

const AT: Json = {
  name: "at",
  in: "query",
  description: "answer as it was after this operation",
  schema: { type: "integer", minimum: 0 },
};

export async function openApi(version: string): Promise<Json> {
  const paths: Record<string, unknown> = { ...OTHER_PATHS };
  for (const operation of await describeOperations()) {
    const { $schema: _, ...schema } = operation.input;
    paths[`/api/operations/${operation.name}`] = {
      post: {
        operationId: operation.name,
        summary: operation.summary,
        description: operation.description,
        tags: [operation.effect],
        "x-who": operation.who,
        "x-effect": operation.effect,
        "x-destructive": operation.destructive,
        ...(operation.effect === "reads" ? { parameters: [AT] } : { security: SIGNED }),
        requestBody: {
          content: {
            "application/json": {
              schema,
              examples: Object.fromEntries(
                operation.examples.map(({ input, does }, i) => [`example-${i + 1}`, { summary: does, value: input }]),
              ),
            },
          },
        },
        responses: RESPONSES,
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Planwright",
      version,
      description: "The plan of this workspace, on this machine only.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "Where this was read." }],
    security: [{ session: [] }],
    paths,
    components: {
      schemas: { Answer: ANSWER, Failure: FAILURE, Step: STEP },
      securitySchemes: {
        session: { type: "http", scheme: "bearer" },
        signature: { type: "apiKey", in: "header", name: SIGNATURE_HEADER },
      },
    },
  };
}

const TEXT: Json = { type: "string" };

/** The token, and the signature of the browser. A preview needs only the token. */
const SIGNED = [{ session: [], signature: [] }];

const OTHER_PATHS: Json = {
  "/api/session": {
    get: { operationId: "session", summary: "Who asks, on which plan", responses: RESPONSES },
    post: {
      operationId: "sign-in",
      summary: "Sign in: with a code and a new key, or with the key of a browser that is known",
      security: [{ signature: [] }],
      requestBody: {
        content: json({
          oneOf: [
            { type: "object", properties: { code: TEXT, key: TEXT }, required: ["code", "key"] },
            { type: "object", properties: { browser: TEXT }, required: ["browser"] },
          ],
        }),
      },
      responses: RESPONSES,
    },
  },
  "/api/session/nonce": {
    get: {
      operationId: "nonce",
      summary: "Get a nonce for one signature",
      security: [{}, { session: [] }],
      responses: RESPONSES,
    },
  },
  "/api/session/code": {
    post: {
      operationId: "new-code",
      summary: "Make a code for another browser",
      security: SIGNED,
      responses: RESPONSES,
    },
  },
  "/api/events": {
    get: {
      operationId: "events",
      summary: "Follow the operations as they are committed",
      parameters: [
        { name: "after", in: "query", schema: { type: "integer", minimum: 0 } },
        { name: "last-event-id", in: "header", schema: { type: "integer", minimum: 0 } },
      ],
      responses: {
        ...RESPONSES,
        "200": {
          description: "Server-sent events: operation (with its number as id), attempt and landing.",
          content: { "text/event-stream": {} },
        },
      },
    },
  },
};
