// Reads a diff as git writes it: files, and lines with their kind. Pure.

export interface DiffLine {
  readonly kind: "add" | "del" | "same" | "hunk";
  readonly text: string;
}

export interface DiffFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly lines: readonly DiffLine[];
}

function pathOf(header: string): string {
  const found = / b\/(.+)$/.exec(header.split("\n")[0] ?? "");
  return found?.[1] ?? "?";
}

function lineOf(text: string): DiffLine {
  if (text.startsWith("@@")) return { kind: "hunk", text };
  if (text.startsWith("+")) return { kind: "add", text };
  return { kind: text.startsWith("-") ? "del" : "same", text };
}

export function parseDiff(diff: string): DiffFile[] {
  return diff
    .split(/^diff --git /m)
    .slice(1)
    .map((part) => {
      const at = part.search(/^@@/m);
      const lines = at < 0 ? [] : part.slice(at).trimEnd().split("\n").map(lineOf);
      const count = (kind: DiffLine["kind"]): number => lines.filter((line) => line.kind === kind).length;
      return { path: pathOf(part), added: count("add"), removed: count("del"), lines };
    });
}
