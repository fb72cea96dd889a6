// One name for one field. What a verb calls `reference`, `references`, `id` or `ids`, every tool calls `reference`; a model that
// writes one of the other names is understood, too.

import { ok, type Result, usage } from "../../model/result.js";
import type { JsonObject } from "./tools.js";

/** What a tool calls the node or item that it is about. */
export const NAMED = "reference";

const NAMES: readonly string[] = [NAMED, "references", "id", "ids", "node", "nodeId", "task", "taskId", "key"];

const isList = (field: string): boolean => field.endsWith("s");

/** The field of the verb that names what it is about. */
const namedBy = (fields: readonly string[]): string | undefined =>
  NAMES.slice(0, 4).find((name) => fields.includes(name));

/** As the tool calls its fields. */
export const shownField = (field: string, fields: readonly string[]): string =>
  field === namedBy(fields) ? NAMED : field;

/** As the verb calls its fields. */
export function givenFields(input: JsonObject, fields: readonly string[]): Result<JsonObject> {
  const name = namedBy(fields);
  if (name === undefined) return ok(input);
  const used = Object.keys(input).filter(
    (field) => NAMES.includes(field) && (field === name || !fields.includes(field)),
  );
  const [field, other] = used;
  if (field === undefined) return ok(input);
  if (other !== undefined) return usage("invalid-input", `${field} and ${other} mean the same. Send only ${NAMED}.`);
  const { [field]: value, ...rest } = input;
  const values = [value].flat().flatMap((each) => (typeof each === "string" && isList(name) ? listed(each) : [each]));
  if (!isList(name) && values.length > 1)
    return usage("invalid-input", `${NAMED} takes one node here, not ${values.length}.`);
  return ok({ ...rest, [name]: isList(name) ? values : values[0] });
}

const listed = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** The input of a verb as the arguments of its tool. */
export const shownFields = (input: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(input).map(([field, value]) => {
      const shown = shownField(field, fields);
      return [shown, shown === NAMED && Array.isArray(value) ? value.join(", ") : value];
    }),
  );
