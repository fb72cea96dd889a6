// CSV as spreadsheets and trackers write it: quotes, line breaks inside of them, and headers that repeat.

import { SourceProblem } from "../source/source.js";

export interface CsvRow {
  readonly line: number;
  /** All values under headers of this name that are not empty. */
  all(...headers: readonly string[]): string[];
  /** The first of them, or empty. */
  one(...headers: readonly string[]): string;
}

export interface CsvTable {
  readonly headers: readonly string[];
  /** Rows with more values than the header has: no one knows which value is which. */
  readonly wide: readonly { readonly line: number; readonly values: number }[];
  readonly rows: readonly CsvRow[];
}

export function readCsv(text: string, file: string): CsvTable {
  const [header, ...records] = cells(text.replace(/^\ufeff/, ""), file);
  if (!header) throw new SourceProblem({ file, line: 1 }, "The file is empty.");
  const headers = header.values.map((name) => name.trim());
  const columns = new Map<string, number[]>();
  for (const [i, name] of headers.entries())
    columns.set(name.toLowerCase(), [...(columns.get(name.toLowerCase()) ?? []), i]);
  const isWide = ({ values }: CsvRecord): boolean => values.length > headers.length;
  const wide = records.filter(isWide).map(({ line, values }) => ({ line, values: values.length }));
  const rows = records
    .filter((record) => !isWide(record))
    .map(({ line, values }): CsvRow => {
      const all = (...names: readonly string[]): string[] =>
        names
          .flatMap((name) => columns.get(name.toLowerCase()) ?? [])
          .map((i) => values[i] ?? "")
          .filter((value) => value.trim() !== "");
      return { line, all, one: (...names) => all(...names)[0] ?? "" };
    });
  return { headers, wide, rows };
}

interface CsvRecord {
  readonly line: number;
  readonly values: string[];
}

/** Rows of nothing are left out. */
function cells(text: string, file: string): CsvRecord[] {
  const separator = separatorOf(text);
  const found: CsvRecord[] = [];
  let values: string[] = [];
  let line = 1;
  let begun = 1;
  const end = (): void => {
    if (values.some((value) => value !== "")) found.push({ line: begun, values });
    values = [];
  };
  for (let at = 0; at < text.length; ) {
    let value = "";
    if (text[at] === '"') {
      const opened = line;
      let from = at + 1;
      for (;;) {
        const close = text.indexOf('"', from);
        if (close === -1) throw new SourceProblem({ file, line: opened }, "A quote is opened here and never closed.");
        value += text.slice(from, close);
        if (text[close + 1] !== '"') {
          at = close + 1;
          break;
        }
        value += '"';
        from = close + 2;
      }
      line += countLines(value);
    }
    const next = endOfValue(text, at, separator);
    value += text.slice(at, next).replace(/\r$/, "");
    values.push(value);
    at = next + 1;
    if (next >= text.length || text[next] === "\n") {
      end();
      line++;
      begun = line;
    }
  }
  end();
  return found;
}

function endOfValue(text: string, from: number, separator: string): number {
  for (let at = from; at < text.length; at++) if (text[at] === separator || text[at] === "\n") return at;
  return text.length;
}

const countLines = (text: string): number => text.split("\n").length - 1;

/** A comma, or what Excel writes in other languages. */
function separatorOf(text: string): string {
  const head = text.slice(0, text.indexOf("\n") === -1 ? undefined : text.indexOf("\n"));
  const counts = [",", ";", "\t"].map((each) => [each, head.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
