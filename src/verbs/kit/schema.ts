// The building blocks of input schemas. Each field carries its own help, so flags, tool schemas and documentation are
// derived from one declaration. zod/mini, because a schema is loaded by every command.

import * as z from "zod/mini";
import { wordsProblem } from "../../model/node/content.js";
import { type Failure, ok, type Result, usage } from "../../model/result.js";

export interface FieldHelp {
  readonly help: string;
  /** What stands for the value on the command line: `TEXT`, `NODE`. */
  readonly label?: string;
  /** It names something that can be completed: a node, or an item of this kind. */
  readonly names?: string;
}

const HELP = z.registry<FieldHelp>();

export type Field = z.core.$ZodType;

const described = <T extends z.ZodMiniType>(schema: T, help: FieldHelp): T => {
  HELP.add(schema, help);
  return schema;
};

export const text = (help: string, label = "TEXT"): z.ZodMiniString<string> => described(z.string(), { help, label });

export const filled = (help: string, label = "TEXT"): z.ZodMiniString<string> =>
  described(z.string().check(z.trim(), judged(wordsProblem)), { help, label });

/** A rule of the domain as part of a schema: `problem` says what is wrong, or nothing. */
export const judged = <T>(problem: (value: T) => string | undefined): z.core.$ZodCheck<T> =>
  z.refine((value) => problem(value) === undefined, { error: ({ input }) => problem(input as T) ?? "" });

export const flag = (help: string): z.ZodMiniBoolean<boolean> => described(z.boolean(), { help });

export const number = (help: string, min: number, max: number, label = "N"): z.ZodMiniNumber<number> =>
  described(z.number().check(z.minimum(min), z.maximum(max)), { help, label });

export const wholeNumber = (help: string, min: number, max: number, label = "N"): z.ZodMiniNumber<number> =>
  described(z.int({ error: WHOLE }).check(z.minimum(min), z.maximum(max)), { help, label });

/** zod itself says only that text is no number. */
const WHOLE = "must be a whole number";

export const choice = <const T extends readonly [string, ...string[]]>(values: T, help: string, label?: string) =>
  described(z.enum(values), { help, ...(label === undefined ? {} : { label }) });

/** A reference to a node: an id, also without its zeros, the beginning of a UUID, words of the title, or the focus. */
export const node = (help: string, label = "NODE"): z.ZodMiniString<string> =>
  described(z.string().check(z.minLength(1)), { help, label, names: "node" });

export const nodes = (help: string, label = "NODE"): z.ZodMiniArray<z.ZodMiniString<string>> =>
  described(z.array(z.string().check(z.minLength(1))).check(z.minLength(1)), { help, label, names: "node" });

export const key = (kind: string, help: string, label: string): z.ZodMiniString<string> =>
  described(z.string().check(z.minLength(1)), { help, label, names: kind });

export const list = <T extends z.ZodMiniType>(item: T, help: string, label?: string): z.ZodMiniArray<T> =>
  described(z.array(item), { help, ...(label === undefined ? {} : { label }) });

/** Files of the workspace. A door that knows where its user is takes them as relative to that folder. */
export const paths = <T extends z.ZodMiniType>(item: T, help: string): z.ZodMiniArray<T> =>
  described(z.array(item), { help, label: "PATH", names: FILE });

export const FILE = "file";

/** At least one of these, with the help of the one. */
export const allOf = <T extends z.ZodMiniType>(item: T): z.ZodMiniArray<T> =>
  described(z.array(item).check(z.minLength(1)), HELP.get(item) ?? { help: "" });

/** Any schema with help; for what has a shape of its own. */
export const field = described;

export const optional = z.exactOptional;

export const fields = z.strictObject;

export type Infer<Schema extends z.ZodMiniType> = z.output<Schema>;

/** A rule about the whole input; what is wrong is reported at the field, if there is one. */
export const rule = <T>(field: string | null, problem: string, holds: (value: T) => boolean): z.core.$ZodCheck<T> =>
  z.refine(holds, { error: problem, path: field === null ? [] : [field] });

/** What JSON says, or the text itself if it is none: the schema then says what is wrong. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The schema inside of `optional` and the like. */
export function unwrap(schema: Field): Field {
  const { def } = schema._zod;
  return "innerType" in def ? unwrap(def.innerType as Field) : schema;
}

export const helpOf = (schema: Field): FieldHelp | undefined => HELP.get(schema) ?? HELP.get(unwrap(schema));

export interface Issue {
  /** Where in the input: `["checks", 0, "run"]`. */
  readonly path: readonly (string | number)[];
  /** What is wrong there; completes a sentence that begins with the field. */
  readonly problem: string;
}

export function parseInput<T extends z.ZodMiniType>(schema: T, value: unknown): Result<z.output<T>> {
  const parsed = z.safeParse(schema, value, { reportInput: true });
  return parsed.success ? ok(parsed.data) : usage("invalid-input", ...describe(parsed.error.issues));
}

function describe(raw: readonly z.core.$ZodIssue[]): [message: string, rest: Pick<Failure, "details">] {
  const issues = raw.flatMap(issuesOf);
  const message = issues.map(({ path, problem }) => `${pathText(path)} ${problem}`).join(", and ");
  return [`${message}.`, { details: { issues } }];
}

export const pathText = (path: Issue["path"]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : text ? `${text}.${part}` : part),
    "",
  ) || "the input";

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => ({ path: [...path, name], problem: "is not a field here" }));
  }
  return [{ path, problem: problemOf(issue) }];
}

const COUNTED: Readonly<Record<string, string>> = { string: "characters", array: "entries" };

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    if (issue.message === WHOLE && issue.input !== undefined) return WHOLE;
    return issue.input === undefined ? "is missing" : `must be ${TYPE_NAMES[issue.expected] ?? `a ${issue.expected}`}`;
  }
  if (issue.code === "invalid_value") return `must be one of ${issue.values.join(", ")}`;
  if (issue.code === "too_small" || issue.code === "too_big") {
    const isSmall = issue.code === "too_small";
    const unit = COUNTED[issue.origin];
    const bound = String(isSmall ? issue.minimum : issue.maximum);
    if (isSmall && unit !== undefined && bound === "1") return "must not be empty";
    return `must ${unit === undefined ? "be" : "have"} at ${isSmall ? "least" : "most"} ${bound}${unit === undefined ? "" : ` ${unit}`}`;
  }
  return issue.code === "custom" ? issue.message : "has the wrong form";
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};
