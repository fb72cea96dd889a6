// The arguments and flags of a command, derived from the input schema of its operation.

import { helpOf, type Field as Schema, unwrap } from "./schema.js";
import { flagOf, type Spelling } from "./spell.js";
import type { Verb } from "./verb.js";

export interface CliField {
  /** Its name in the input. */
  readonly name: string;
  readonly flag: string;
  readonly short?: string;
  readonly type: "boolean" | "number" | "string";
  readonly many: boolean;
  readonly required: boolean;
  readonly choices: readonly string[];
  readonly help: string;
  readonly label: string;
  /** What kind of thing it names, for completion: `node`, `run`. */
  readonly names: string | null;
}

export interface CliFields {
  readonly positional: readonly CliField[];
  readonly flags: readonly CliField[];
}

/** A flag that only the view knows; with a label it takes a value. */
export function viewFlag(spelling: Spelling, flag: string, [help, label = ""]: readonly [string, string?]): CliField {
  const type = label === "" ? "boolean" : "string";
  const short = shortOf(spelling, flag);
  return { name: flag, flag, ...short, type, many: false, required: false, choices: [], help, label, names: null };
}

function shortOf(spelling: Spelling, name: string): Pick<CliField, "short"> {
  const found = Object.entries(spelling.short ?? {}).find(([, field]) => field === name);
  return found ? { short: found[0] } : {};
}

/** Fields that the words themselves decide are not asked for. */
export function cliFieldsOf(operation: Verb, spelling: Spelling): CliFields {
  const shape: Readonly<Record<string, Schema>> = operation.input.shape;
  const all = Object.entries(shape)
    .filter(([name]) => !(name in (spelling.fixed ?? {})))
    .map(([name, schema]) => fieldOf(spelling, name, schema));
  const positional = (spelling.positional ?? []).flatMap((name) => all.find((field) => field.name === name) ?? []);
  return { positional, flags: all.filter((field) => !positional.includes(field)) };
}

function fieldOf(spelling: Spelling, name: string, schema: Schema): CliField {
  const bare = unwrap(schema);
  const many = bare._zod.def.type === "array";
  const item = many && "element" in bare._zod.def ? unwrap(bare._zod.def.element as Schema) : bare;
  const help = helpOf(schema);
  const type = typeOf(item);
  const choices = "entries" in item._zod.def ? Object.values(item._zod.def.entries as Record<string, string>) : [];
  return {
    name,
    flag: flagOf(spelling, name, many),
    ...shortOf(spelling, name),
    type,
    many,
    required: schema._zod.optin === undefined,
    choices,
    help: help?.help ?? "",
    label: help?.label ?? (choices.length > 0 ? choices.join("|") : type === "number" ? "N" : "TEXT"),
    names: help?.names ?? null,
  };
}

function typeOf(schema: Schema): CliField["type"] {
  const { type } = schema._zod.def;
  return type === "boolean" || type === "number" ? type : "string";
}
