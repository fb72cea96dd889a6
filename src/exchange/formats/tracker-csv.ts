// Tables that Linear and Jira export.

import { type CsvTable, readCsv } from "../readers/csv.js";
import type { SourceFiles } from "../readers/source-files.js";
import { Collected } from "../source/source.js";

/** Tables whose header has all of these columns. */
export const tablesWith = (files: SourceFiles, isOurs: (beginning: string) => boolean): string[] =>
  files.names("", "file").filter((name) => /\.csv$/i.test(name) && isOurs(files.text(name).slice(0, 20_000)));

/** The table, and a note for each row that cannot be read. */
export function readTable(files: SourceFiles, path: string): { table: CsvTable; found: Collected } {
  const table = readCsv(files.text(path), path);
  const found = new Collected();
  for (const { line, values } of table.wide) {
    const problem = `The row has ${values} values and the header ${table.headers.length}, so it was left out.`;
    found.note({ file: path, line }, problem);
  }
  return { table, found };
}

/** `a, b` */
export const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
