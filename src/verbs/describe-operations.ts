// Every operation as data: what a door that learns the catalogue at run time needs, with JSON Schema for its input.

import { toJSONSchema } from "zod/mini";
import type { VerbName } from "../model/next-step.js";
import { helpOf } from "./kit/schema.js";
import type { Effect, Verb, Who } from "./kit/verb.js";
import { loadVerb, verbNames } from "./list.js";

export interface OperationDescription {
  readonly name: VerbName;
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
  for (const name of verbNames()) all.push(describe(await loadVerb(name)));
  return all;
}

const describe = (operation: Verb): OperationDescription => ({
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
