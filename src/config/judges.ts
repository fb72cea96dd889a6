// What a value in the settings file must be: nothing if it is, else what is wrong, to be put behind its name.

export type Judge = (value: unknown) => string | undefined;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const number =
  (least: number, most: number): Judge =>
  (value) =>
    typeof value === "number" && value >= least && value <= most
      ? undefined
      : `must be a number from ${least} to ${most}`;

export const whole =
  (least: number, most: number): Judge =>
  (value) =>
    number(least, most)(value) === undefined && Number.isInteger(value)
      ? undefined
      : `must be a whole number from ${least} to ${most}`;

export const text: Judge = (value) => (typeof value === "string" && value !== "" ? undefined : "must be a text");

export const texts: Judge = (value) =>
  Array.isArray(value) && value.every((part) => typeof part === "string") ? undefined : "must be a list of texts";

export const effort: Judge = (value) =>
  value === "low" || value === "medium" || value === "high" ? undefined : "must be low, medium or high";

export const shape =
  (fields: Readonly<Record<string, Judge>>, required: readonly string[] = []): Judge =>
  (value) => {
    if (!isObject(value)) return "must be an object";
    const absent = required.find((name) => !(name in value));
    if (absent !== undefined) return `must have "${absent}"`;
    for (const [name, part] of Object.entries(value)) {
      const judge = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const what = judge ? judge(part) : `is not known; known are ${Object.keys(fields).join(", ")}`;
      if (what !== undefined) return `has "${name}", which ${what}`;
    }
    return undefined;
  };

export const recordOf =
  (judge: Judge): Judge =>
  (value) => {
    if (!isObject(value)) return "must be an object";
    for (const [name, part] of Object.entries(value)) {
      const what = judge(part);
      if (what !== undefined) return `has "${name}", which ${what}`;
    }
    return undefined;
  };

export const flag: Judge = (value) => (typeof value === "boolean" ? undefined : "must be true or false");

export const oneOf =
  (...words: readonly string[]): Judge =>
  (value) =>
    words.some((word) => word === value) ? undefined : `must be one of ${words.join(", ")}`;

export const nullable =
  (judge: Judge): Judge =>
  (value) =>
    value === null ? undefined : judge(value);
