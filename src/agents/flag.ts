/** A flag and its value, if there is one. */
export const flag = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [name, value];
