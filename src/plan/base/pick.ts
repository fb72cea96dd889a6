// Some fields of an object as they are: a view names only what it shows otherwise.

export function pick<T extends object, Name extends keyof T>(from: T, ...names: readonly Name[]): Pick<T, Name>;
export function pick(from: object, ...names: readonly PropertyKey[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(from, name)]));
}
