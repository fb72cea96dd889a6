// The schema of an answer in few words, for agents that read it as text: what repeats is said once, and rules about characters are
// words. Nothing is lost by that: every answer is judged by the contract itself (contract.ts), which sends back what does not keep it.

type Json = Readonly<Record<string, unknown>>;

/** Patterns of the contracts by what stands for them, in the words of `RULES`. */
const FORMATS: readonly (readonly [part: string, format: string])[] = [
  ["[A-Za-z][A-Za-z0-9._-]", "id"],
  ["^[^\\\\]*$", "path"],
  ["\\u2028", "line"],
];

const RULES =
  "No other fields. Text holds no control characters but tabs and line breaks. Formats: `line` is one line; `id` is a letter, then letters, digits, dots, dashes and underscores, at most 64; `path` is relative to the repository, with /, not in .git or .planwright.";

/** Rules about characters, and what says nothing: bounds that nobody reaches, and empty values for what is left out. */
const LEFT_OUT: ReadonlySet<string> = new Set(["$schema", "pattern", "allOf", "additionalProperties", "minLength"]);
const NO_BOUND = 1_000;

function formatOf(schema: Json): string | undefined {
  const patterns = JSON.stringify([schema["pattern"], schema["allOf"]]);
  // In JSON, backslashes are doubled.
  return FORMATS.find(([part]) => patterns.includes(JSON.stringify(part).slice(1, -1)))?.[1];
}

const isEmptyValue = (value: unknown): boolean =>
  value === "" || value === false || (Array.isArray(value) && value.length === 0);

function saysNothing(key: string, value: unknown): boolean {
  if (key === "default") return isEmptyValue(value);
  if (key === "type") return false;
  return LEFT_OUT.has(key) || (key.startsWith("max") && typeof value === "number" && value > NO_BOUND);
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  const schema = value as Json;
  const format = formatOf(schema);
  const isField = typeof schema["type"] === "string";
  const kept = Object.entries(schema).filter(([key, each]) => !isField || !saysNothing(key, each));
  const parts = kept.map(([key, each]) => [key, shortened(each)] as const);
  // A format says how long it is at most.
  const own = format === "id" || format === "path" ? parts.filter(([key]) => key !== "maxLength") : parts;
  return { ...Object.fromEntries(own), ...(isField && format !== undefined && { format }) };
}

/** Shorter than this, a reference saves nothing. */
const WORTH_A_NAME = 80;

/** Objects and lists that occur more than once stand once, below a name. */
function withoutRepeats(schema: Json): Json {
  const seen = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const text = JSON.stringify(value);
    if (isNameable(value, text)) seen.set(text, (seen.get(text) ?? 0) + 1);
    if ((seen.get(text) ?? 0) < 2) for (const each of Object.values(value)) count(each);
  };
  for (const each of Object.values(schema)) count(each);
  const names = new Map([...seen].filter(([, times]) => times > 1).map(([text], i) => [text, `R${i + 1}`]));
  const named = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    const name = names.get(JSON.stringify(value));
    return name === undefined ? inside(value) : { $ref: `#/$defs/${name}` };
  };
  const inside = (value: object): unknown =>
    Array.isArray(value) ? value.map(named) : Object.fromEntries(Object.entries(value).map(([k, v]) => [k, named(v)]));
  const $defs = Object.fromEntries([...names].map(([text, name]) => [name, inside(JSON.parse(text) as object)]));
  return { ...(inside(schema) as Json), ...(names.size > 0 && { $defs }) };
}

const isNameable = (value: object, text: string): boolean => "type" in value && text.length > WORTH_A_NAME;

export const briefSchema = (schema: Json): Json => ({
  description: RULES,
  ...withoutRepeats(shortened(schema) as Json),
});
