// Every operation as data: what a door that learns the catalogue at run time needs, with JSON Schema for its input.

import { toJSONSchema } from "zod/mini";
import { helpOf, type Verb } from "./kit/verb.js";
import { loadVerb, verbNames } from "./list.js";

export type OperationDescription = Readonly<ReturnType<typeof describe>>;

export async function describeOperations(): Promise<OperationDescription[]> {
  const all: OperationDescription[] = [];
  for (const name of verbNames()) all.push(describe(await loadVerb(name)));
  return all;
}

const describe = (operation: Verb) => ({
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
export function jsonSchemaOf({ input }: Verb): Record<string, unknown> {
  return toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      const help = helpOf(zodSchema)?.help;
      if (help !== undefined && help !== "") jsonSchema.description = help;
    },
  });
}
