// Whether a value fits a JSON Schema, and if not, where. What an agent claims about its own output counts for nothing.

import { fromJsonSchema } from "@modelcontextprotocol/server";
import type { JsonSchema } from "./agent.js";

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
  const standard = fromJsonSchema(schema)["~standard"];
  return async (value) => {
    const result = await standard.validate(value);
    if (result.issues === undefined) return { ok: true, value: result.value };
    return { ok: false, problems: result.issues.flatMap(({ message }) => message.split(/, (?=data[/ ])/)) };
  };
}
