// How git lists differences for programs: modes, objects, a letter and the path, each ended by a zero byte.

export interface Entry {
  readonly path: string;
  /** A: added, M: modified, T: of another kind, D: deleted. */
  readonly status: string;
  readonly mode: string;
  readonly blob: string;
}

export const RAW = ["--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none"];

/** `:100644 100644 <blob> <blob> M`, then the path. */
export function parseRaw(output: string): Entry[] {
  const parts = output.split("\0");
  const entries: Entry[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, mode = "", , blob = "", status = ""] = (parts[i] as string).split(" ");
    entries.push({ path: parts[i + 1] as string, status, mode, blob });
  }
  return entries;
}
