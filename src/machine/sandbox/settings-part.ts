// The part of an agent's settings that comes along into a sandbox: what a list names, in the three forms that such files have.

import { parse } from "jsonc-parser";
import { isRecord } from "../../base/json.js";

type Part = (text: string) => string | undefined;

/** Of JSON, with comments or without: these keys at its top. */
export const jsonPart = (keys: readonly string[]): Part => {
  return (text) => {
    const found: unknown = parse(text, [], { allowTrailingComma: true });
    if (!isRecord(found)) return undefined;
    return JSON.stringify(Object.fromEntries(Object.entries(found).filter(([key]) => keys.includes(key))));
  };
};

/** Of lines such as `NAME=value`: variables with these names. */
export const variablesPart = (names: RegExp): Part => {
  return (text) => {
    const lines = text.split(/\r?\n/).filter((line) => names.test(line.trimStart().replace(/^export[ \t]+/, "")));
    return `${lines.join("\n")}\n`;
  };
};

/** Of TOML: these keys at its top, and the tables with these names, with everything in them. */
export const tomlPart = (keys: readonly string[]): Part => {
  return (text) => {
    let isIn = true;
    let isTop = true;
    const kept = statementsOf(text).filter((statement) => {
      const table = /^\[{1,2}(.*)/s.exec(statement)?.[1];
      if (table !== undefined) {
        isTop = false;
        isIn = keys.includes(firstName(table));
      }
      return isTop ? keys.includes(firstName(statement)) : isIn;
    });
    return `${kept.join("\n")}\n`;
  };
};

/** The first part of a name with dots: `a` of `"a".b = 1`. */
function firstName(text: string): string {
  const from = text.trimStart();
  const quote = from[0];
  if (quote === '"' || quote === "'") return from.slice(1, from.indexOf(quote, 1));
  return /^[\w-]*/.exec(from)?.[0] ?? "";
}

/** Headings and `key = value`, each whole: a value in quotes or brackets may go over several lines. */
function statementsOf(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfStatement(text, at);
    const statement = text.slice(at, end).trim();
    if (statement !== "" && !statement.startsWith("#")) found.push(statement);
    at = end + 1;
  }
  return found;
}

function endOfStatement(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at] as string;
    if (char === "\n" && depth <= 0) return at;
    if (char === "#") at = lineEnd(text, at) - 1;
    else if (char === '"' || char === "'") at = endOfText(text, at, char);
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
  }
  return text.length;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** Where a text in quotes ends: its last quote. Three of them go over several lines. */
function endOfText(text: string, from: number, quote: string): number {
  const marks = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote;
  for (let at = from + marks.length; at < text.length; at++) {
    if (text[at] === "\\" && quote === '"') at++;
    else if (text.startsWith(marks, at)) return at + marks.length - 1;
    else if (text[at] === "\n" && marks.length === 1) return at - 1;
  }
  return text.length;
}
