// What a child sees of the environment: what this program sees, with changes. Nothing here is a setting.

/** An undefined value takes a name away. */
export const inherit = (changes: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...changes,
});
