// Markdown files that begin with fields between two lines of dashes.

import { isRecord } from "../../base/json.js";
import { SourceProblem } from "../source/source.js";
import type { SourceFiles } from "./source-files.js";
import type { Fields } from "./values.js";
import { readYaml } from "./yaml.js";

export interface FrontMatterFile {
  readonly path: string;
  readonly fields: Fields;
  readonly body: string;
}

interface Split {
  readonly head: string;
  readonly body: string;
}

/** Nothing without a first line of dashes. */
function split(text: string, file: string): Split | undefined {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== "---") return undefined;
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === "---");
  if (end === -1) throw new SourceProblem({ file, line: 1 }, "The front matter begins here and never ends.");
  const marker = lines.slice(0, end).findIndex((line) => /^(?:<{7}|={7}|>{7})/.test(line));
  if (marker !== -1) {
    throw new SourceProblem(
      { file, line: marker + 1 },
      "The file has marks of a merge that git did not finish. Resolve them first.",
    );
  }
  return {
    head: lines.slice(1, end).join("\n"),
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

/** Undefined for a file without front matter. */
export function readFrontMatter(files: SourceFiles, path: string): FrontMatterFile | undefined {
  const parts = split(files.text(path), path);
  if (!parts) return undefined;
  const fields = readYaml(parts.head, { file: path }, 2) ?? {};
  if (!isRecord(fields)) throw new SourceProblem({ file: path, line: 2 }, "The front matter holds no fields.");
  return { path, fields, body: parts.body };
}

/** Line by line, for tools that write names without quotes: whatever follows the first colon is the value. */
export function readPlainFrontMatter(files: SourceFiles, path: string): FrontMatterFile | undefined {
  const parts = split(files.text(path), path);
  if (!parts) return undefined;
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const line of parts.head.split("\n")) {
    const [, name = "", value = ""] = /^([\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === "") continue;
    const list = /^\[(.*)\]$/.exec(value.trim())?.[1];
    fields[name] =
      list === undefined
        ? unquoted(value.trim())
        : list
            .split(",")
            .map((each) => unquoted(each.trim()))
            .filter((each) => each !== "");
  }
  return { path, fields, body: parts.body };
}

const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
