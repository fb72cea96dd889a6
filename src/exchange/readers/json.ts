// JSON and JSON lines of other tools. A broken file is named with the line, and nothing of it is imported.

import { messageOf } from "../../base/errors.js";
import { isRecord } from "../../base/json.js";
import { SourceProblem } from "../source/source.js";
import type { Fields } from "./values.js";

const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/;

export function parseJsonFile(text: string, file: string): unknown {
  const source = text.replace(/^\ufeff/, "");
  try {
    return JSON.parse(source) as unknown;
  } catch (error) {
    throw new SourceProblem({ file, ...positionIn(source, messageOf(error)) }, jsonProblem(source, error));
  }
}

export function readJsonObject(text: string, file: string): Fields {
  const value = parseJsonFile(text, file);
  if (!isRecord(value)) throw new SourceProblem({ file, line: 1 }, "The file holds no JSON object.");
  return value;
}

const jsonProblem = (source: string, error: unknown): string =>
  source.split("\n", 100_000).some((line) => MARKER.test(line))
    ? "The file has marks of a merge that git did not finish. Resolve them first."
    : `The JSON is wrong: ${messageOf(error)}`;

function positionIn(source: string, message: string): { line?: number; column?: number } {
  const marked = source.split("\n").findIndex((line) => MARKER.test(line));
  if (marked !== -1) return { line: marked + 1 };
  const position = /at position (\d+)/.exec(message)?.[1];
  const end = /end of JSON/.test(message) ? source.length : undefined;
  const at = position === undefined ? end : Number(position);
  if (at === undefined) return {};
  const before = source.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export interface JsonLine {
  readonly line: number;
  readonly fields: Fields;
}

/** One object per line. Empty lines are nothing. */
export function readJsonLines(text: string, file: string): JsonLine[] {
  const found: JsonLine[] = [];
  const lines = text.replace(/^\ufeff/, "").split("\n");
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const at = { file, line: index + 1 };
    if (MARKER.test(line)) {
      throw new SourceProblem(at, "The file has marks of a merge that git did not finish. Resolve them first.");
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      const isLast = index === lines.length - 1;
      const hint = isLast ? " The file seems to be cut off." : "";
      throw new SourceProblem(at, `The JSON is wrong: ${messageOf(error)}.${hint}`);
    }
    if (!isRecord(value)) throw new SourceProblem(at, "The line is no JSON object.");
    found.push({ line: index + 1, fields: value });
  }
  return found;
}
