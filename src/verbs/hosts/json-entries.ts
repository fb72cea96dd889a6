// Entries in settings files of hosts: JSON, with comments and trailing commas where the host allows them. An entry is put in as text
// at the beginning of its object or list, so that nothing else of the file moves, and no comment changes its neighbour.

import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { canonicalJson } from "../../base/json.js";
import { type Chunk, type Insertion, insertAt, lineEnd, takeOut } from "./text-chunk.js";

export interface JsonEntry {
  /** Where: the names from the top, the last one its own. A list is named, and the value is one of its elements. */
  readonly keys: readonly string[];
  readonly value: unknown;
  readonly isElement?: true;
}

/** What keeps a file from being changed; completes a sentence that begins with its name. */
export class UnfitText extends Error {}

const OPTIONS = { allowTrailingComma: true, disallowComments: false };
const BOM = "\uFEFF";

/** `error`: the first one. A text without anything in it has none. */
function tryParse(text: string): { readonly root: Node | undefined; readonly error: ParseError | undefined } {
  const errors: ParseError[] = [];
  const root = parseTree(text.startsWith(BOM) ? ` ${text.slice(1)}` : text, errors, OPTIONS);
  return { root, error: text.replace(BOM, "").trim() === "" ? undefined : errors[0] };
}

function parse(text: string): Node | undefined {
  const { root, error } = tryParse(text);
  if (!error) return root;
  const line = text.slice(0, error.offset).split("\n").length;
  throw new UnfitText(`is not valid JSON (line ${line}: ${printParseErrorCode(error.error)})`);
}

export function valueOf(node: Node | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.type === "array") return (node.children ?? []).map(valueOf);
  if (node.type !== "object") return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).map(({ children = [] }) => [children[0]?.value, valueOf(children[1])]),
  );
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b);

function findEntry(root: Node | undefined, { keys, value, isElement }: JsonEntry): Node | undefined {
  const found = root && findNodeAtLocation(root, [...keys]);
  if (!isElement) return found;
  return found?.children?.find((each) => isSame(valueOf(each), value));
}

/** `other`: something else has its place, which is left alone. */
export function entryState(text: string, entry: JsonEntry): "absent" | "same" | "other" {
  const found = findEntry(parse(text), entry);
  if (!found) return "absent";
  return isSame(valueOf(found), entry.value) ? "same" : "other";
}

/** Puts an entry in that is absent, with the objects around it that are missing. */
export function insertEntry(text: string, { keys, value, isElement }: JsonEntry): Insertion {
  const root = parse(text);
  if (root === undefined) {
    const whole = `${JSON.stringify(nest(keys, isElement ? [value] : value), null, 2)}\n`;
    return insertAt(text, text.length, whole);
  }
  if (root.type !== "object") throw new UnfitText("does not hold one JSON object");
  const depth = deepest(root, keys);
  const container = findNodeAtLocation(root, keys.slice(0, depth)) as Node;
  const isList = depth === keys.length;
  if (container.type !== (isList ? "array" : "object")) {
    throw new UnfitText(
      `has something at ${keys.slice(0, depth).join(".")} that is not ${isList ? "a list" : "an object"}`,
    );
  }
  const name = isList ? undefined : keys[depth];
  const inside = isList ? value : nest(keys.slice(depth + 1), isElement ? [value] : value);
  return insertFirst(text, container, name, inside);
}

function deepest(root: Node, keys: readonly string[]): number {
  let depth = 0;
  while (depth < keys.length && findNodeAtLocation(root, keys.slice(0, depth + 1))) depth++;
  return depth;
}

const nest = (keys: readonly string[], value: unknown): unknown =>
  keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);

const INDENT = /\n([ \t]+)\S/;

function insertFirst(text: string, container: Node, name: string | undefined, value: unknown): Insertion {
  const open = container.offset + 1;
  const [first] = container.children ?? [];
  const end = lineEnd(text);
  const comma = first ? "," : "";
  const key = name === undefined ? "" : `${JSON.stringify(name)}: `;
  // A comment behind the bracket belongs to the bracket.
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*(?:[^*\r\n]|\*(?!\/))*\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(open))?.[0];
  if (first && rest === undefined) return insertAt(text, open, `${key}${JSON.stringify(value)}${comma} `);
  const unit = INDENT.exec(text)?.[1] ?? "  ";
  const outer = indentAt(text, container.offset);
  const inner = (first && rest !== undefined && indentAt(text, first.offset)) || `${outer}${unit}`;
  const shown = JSON.stringify(value, null, inner.length > outer.length ? inner.slice(outer.length) : unit);
  const member = `${end}${inner}${key}${shown.replaceAll("\n", `${end}${inner}`)}${comma}`;
  if (rest !== undefined) return insertAt(text, open + rest.length, member);
  return insertAt(text, open, `${member}${end}${outer}`);
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0] ?? "";
}

/** Takes an entry out: exactly as it was put in, if it still stands there like that, and otherwise by what it says. */
export function removeEntry(text: string, entry: JsonEntry, chunk: Chunk | undefined): string {
  const exact = chunk && takeOut(text, chunk);
  if (exact !== undefined && !tryParse(exact).error && !findSame(exact, entry)) return exact;
  const found = findSame(text, entry);
  return found ? withoutEmpty(cut(text, found), entry.keys, chunk) : text;
}

function findSame(text: string, entry: JsonEntry): Node | undefined {
  const found = findEntry(parse(text), entry);
  return found && isSame(valueOf(found), entry.value) ? found : undefined;
}

/** Removes the objects and lists around it that came with it and are empty now. */
function withoutEmpty(text: string, keys: readonly string[], chunk: Chunk | undefined): string {
  let left = text;
  for (let depth = keys.length; depth > 0; depth--) {
    const root = parse(left);
    const around = root && findNodeAtLocation(root, keys.slice(0, depth));
    const isOurs = chunk?.inserted.includes(`${JSON.stringify(keys[depth - 1])}:`) === true;
    if (around && isOurs && around.children?.length === 0) left = cut(left, around);
  }
  return left;
}

/** Also cuts one comma, after it or else before it, and the line that would be left empty. */
function cut(text: string, found: Node): string {
  const member = found.parent?.type === "property" ? found.parent : found;
  const before = text.slice(0, member.offset);
  const after = text.slice(member.offset + member.length);
  const behind = /^\s*,/.exec(after);
  if (behind) return before.replace(/\r?\n[ \t]*$/, "") + after.slice(behind[0].length);
  return before.trimEnd().replace(/,$/, "") + after;
}

/** Nothing but white space, or an object without anything in it. */
export const isBlankJson = (text: string): boolean => /^\uFEFF?\s*(?:\{\s*\}\s*)?$/.test(text);
