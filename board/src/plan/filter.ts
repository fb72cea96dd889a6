// The filter of the plan: words, and `status:blocked`, `reason:deps-pending`, `in:FEAT-003`, `by:agent:claude`, `file:src/auth`.

import type { StatusTree } from "../api/types.js";

export interface Filter {
  readonly words: readonly string[];
  readonly status: readonly string[];
  readonly reason: readonly string[];
  readonly within: readonly string[];
  readonly by: readonly string[];
  /** Only the server knows which nodes name a file. */
  readonly file: string | null;
}

const EMPTY: Filter = { words: [], status: [], reason: [], within: [], by: [], file: null };
const TERM = /(\w+):(?:"([^"]*)"|(\S*))|"([^"]*)"|(\S+)/g;

/** Half-typed terms filter nothing. Several values of one kind: any of them. Different kinds: all of them. */
export function parseFilter(text: string): Filter {
  let found = EMPTY;
  for (const [whole, key, quoted, plain, phrase, word] of text.matchAll(TERM)) {
    const value = (quoted ?? plain ?? "").toLowerCase();
    const add = (name: "status" | "reason" | "within" | "by"): void => {
      if (value !== "")
        found = { ...found, [name]: [...found[name], value.replaceAll("-", name === "status" ? "_" : "-")] };
    };
    if (key === "status") add("status");
    else if (key === "reason") add("reason");
    else if (key === "in") add("within");
    else if (key === "by") add("by");
    else if (key === "file") found = value === "" ? found : { ...found, file: quoted ?? plain ?? null };
    else {
      const wanted = (phrase ?? word ?? whole).toLowerCase();
      if (wanted !== "") found = { ...found, words: [...found.words, wanted] };
    }
  }
  return found;
}

export const isEmpty = (filter: Filter): boolean =>
  filter.file === null &&
  [filter.words, filter.status, filter.reason, filter.within, filter.by].every(({ length }) => length === 0);

const anyOf = (wanted: readonly string[], matches: (value: string) => boolean): boolean =>
  wanted.length === 0 || wanted.some(matches);

type Tested = Pick<StatusTree, "id" | "title" | "status" | "reason" | "because">;

export function matches(node: Tested, above: readonly string[], filter: Filter, named?: ReadonlySet<string>): boolean {
  const text = `${node.id} ${node.title}`.toLowerCase();
  return (
    filter.words.every((word) => text.includes(word)) &&
    anyOf(filter.status, (value) => node.status === value) &&
    anyOf(filter.reason, (value) => node.reason === value) &&
    anyOf(filter.within, (value) => above.some((id) => id.toLowerCase() === value)) &&
    anyOf(
      filter.by,
      (value) => node.reason === "in-flight" && node.because.some((by) => by.toLowerCase().includes(value)),
    ) &&
    (filter.file === null || named === undefined || named.has(node.id))
  );
}
