/** A flag and its value, if there is one. */
export const flagWith = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [name, value];
