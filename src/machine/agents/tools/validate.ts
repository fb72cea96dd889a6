// Whether a value fits a JSON Schema, and if not, where. What an agent claims about its own output counts for nothing.

import type { JsonSchema } from "../agent.js";
import type { SchemaJudge } from "./mcp-sdk.js";

export type Validation =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] };

export type Validator = (value: unknown) => Promise<Validation>;

/** Each problem starts with the path of the value that has it, such as `data/findings/0/id`. */
export function validatorOf(schema: JsonSchema): Validator {
  const known = VALIDATORS.get(schema);
  if (known) return known;
  const validator = compile(schema);
  VALIDATORS.set(schema, validator);
  return validator;
}

/** Each schema is compiled once: that takes longer than everything it is used for. */
const VALIDATORS = new WeakMap<JsonSchema, Validator>();

function compile(schema: JsonSchema): Validator {
  let judge: Promise<SchemaJudge> | undefined;
  return async (value) => {
    judge ??= import("./mcp-sdk.js").then(({ schemaJudge }) => schemaJudge(schema));
    const wrong = await (await judge)(value);
    if (wrong === undefined) return { ok: true, value };
    return { ok: false, problems: wrong.flatMap((message) => message.split(/, (?=data[/ ])/)) };
  };
}
