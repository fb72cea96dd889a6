// Reads another tool's files, and turns what is wrong with them into an answer: what, where, and that nothing was changed.

import { ok, type Result, usage } from "../model/result.js";
import type { Format, SourceOptions } from "./formats/format.js";
import { FORMATS } from "./formats/list.js";
import { SourceFiles } from "./readers/source-files.js";
import { placeText, SourceProblem, type SourceRead } from "./source/source.js";

export interface FoundSource {
  readonly format: string;
  readonly title: string;
  readonly path: string;
}

/** Everything below a folder that could be imported. */
export function findSources(root: string): FoundSource[] {
  const files = new SourceFiles(root);
  return FORMATS.flatMap((format) => {
    const { name, title } = format;
    return format.find(files).map((path) => ({ format: name, title, path }));
  });
}

export const formatNames = (): string[] => FORMATS.map(({ name }) => name);

export const formatNamed = (name: string): Format | undefined => FORMATS.find((format) => format.name === name);

/** Which tool wrote a single file. */
export function formatOfFile(root: string, path: string): Result<Format | undefined> {
  return attempt(() => {
    const beginning = new SourceFiles(root).text(path).slice(0, 4096);
    return FORMATS.find(({ recognizes }) => recognizes?.(path, beginning) === true);
  });
}

export const readSource = (root: string, format: Format, path: string, options: SourceOptions): Result<SourceRead> =>
  attempt(() => format.read(new SourceFiles(root), path, options));

function attempt<T>(work: () => T): Result<T> {
  try {
    return ok(work());
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    const { at, message } = error;
    const column = at.column === undefined ? "" : `:${at.column}`;
    return usage("bad-source", `${placeText(at)}${column}: ${message} Nothing was imported.`, { details: { ...at } });
  }
}
