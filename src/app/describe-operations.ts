// Every operation as data: what a door that learns the catalogue at run time needs, with JSON Schema for its input.

import { toJSONSchema } from "zod/mini";
import { type OperationName, operationNames } from "../model/operation-names.js";
import { loadOperation } from "./catalogue.js";
import type { Effect, Operation, Who } from "./operation.js";
import { helpOf } from "./schema.js";

export interface OperationDescription {
  readonly name: OperationName;
  readonly summary: string;
  readonly description: string;
  readonly who: Who;
  readonly effect: Effect;
  readonly destructive: boolean;
  /** JSON Schema of the input. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly examples: readonly { readonly input: unknown; readonly does: string }[];
}

export async function describeOperations(): Promise<OperationDescription[]> {
  const all: OperationDescription[] = [];
  for (const name of operationNames()) all.push(describe(await loadOperation(name)));
  return all;
}

const describe = (operation: Operation): OperationDescription => ({
  name: operation.name,
  summary: operation.summary,
  description: operation.description ?? "",
  who: operation.who,
  effect: operation.effect,
  destructive: operation.destructive ?? false,
  input: jsonSchemaOf(operation),
  examples: operation.examples,
});

/** The help of each field becomes its description. */
export function jsonSchemaOf({ input }: Operation): Record<string, unknown> {
  return toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const help = helpOf(zodSchema)?.help;
      if (help !== undefined && help !== "") jsonSchema.description = help;
    },
  });
}
