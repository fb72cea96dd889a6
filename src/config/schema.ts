// What settings accept. The error of each schema completes a sentence that begins with the name of the setting.

import * as z from "zod/mini";

/** A problem with the settings that the reader can fix. */
export class BadSetting extends Error {}

export const SETTINGS_FILE = "planwright.json";

export const between = (least: number, most: number): z.ZodMiniNumber<number> => {
  const error = `must be a number from ${least} to ${most}`;
  return z.number({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
};

export const wholeBetween = (least: number, most: number): z.ZodMiniNumber<number> => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
};

const TEXT = { error: "must be a text" };
export const someText = (): z.ZodMiniString<string> => z.string(TEXT).check(z.minLength(1, TEXT));

export const texts = (): z.ZodMiniReadonly<z.ZodMiniArray<z.ZodMiniString<string>>> =>
  z.readonly(z.array(z.string(TEXT), { error: "must be a list of texts" }));

export const trueOrFalse = (): z.ZodMiniBoolean<boolean> => z.boolean({ error: "must be true or false" });

export const oneOf = <const T extends readonly [string, ...string[]]>(
  ...words: T
): z.ZodMiniEnum<{ [K in T[number]]: K }> => z.enum(words, { error: `must be one of ${words.join(", ")}` });

const OBJECT = { error: "must be an object" };

export const objectOf = <T extends z.core.$ZodShape>(
  fields: T,
): z.ZodMiniReadonly<z.ZodMiniObject<T, z.core.$strict>> =>
  z.readonly(
    z.strictObject(fields, {
      error: (issue) =>
        issue.code === "unrecognized_keys"
          ? `has an unknown setting "${issue.keys.join('", "')}"; known are ${Object.keys(fields).join(", ")}`
          : OBJECT.error,
    }),
  );

export const recordOf = <T extends z.ZodMiniType>(
  value: T,
): z.ZodMiniReadonly<z.ZodMiniRecord<z.ZodMiniString<string>, T>> => z.readonly(z.record(z.string(), value, OBJECT));

/** The setting if it is left out. */
export const byDefault = z.prefault;

/** The settings in `value`, complete with defaults. `name` is the path of the value in the file. Throws `BadSetting`. */
export function readSettings<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
  name: string,
  sourceOf = (_setting: string): string => SETTINGS_FILE,
): z.output<T> {
  const parsed = z.safeParse(schema, value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const path = [name, ...issue.path.map(String)].filter((part) => part !== "");
    return `${path.join(".")} in ${sourceOf(path[0] ?? "")} ${issue.input === undefined ? "is missing" : issue.message}`;
  });
  throw new BadSetting(`${problems.join(", and ")}.`);
}
