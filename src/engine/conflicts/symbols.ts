// The symbols of a file, found by a parser: what it declares, and which of that a change touched. A parser goes on after a
// mistake, so a half-written file is read as far as it makes sense.

import type { SyntaxNode } from "@lezer/common";
import type { Declaration, Language } from "./symbols-languages.js";

export interface FileSymbol {
  /** With what holds it: `Session.close`. */
  readonly name: string;
  /** The lines, from 1, both included. */
  readonly from: number;
  readonly to: number;
}

/** More than this is generated or data, and would hold the program up. */
const LARGEST = 1_000_000;
/** A name stands in many places of a deeply nested file; nobody declares that deep. */
const DEEPEST = 20;

interface Declared {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Of a file in a language that is not known: undefined. */
export async function symbolsIn(path: string, text: string): Promise<FileSymbol[] | undefined> {
  const found = await declaredIn(path, text);
  if (!found) return undefined;
  const lineAt = linesOf(text);
  return found.map(({ name, from, to }) => ({ name, from: lineAt(from), to: lineAt(Math.max(from, to - 1)) }));
}

/** The symbols that differ, came or went. A file that is not there is an empty text. */
export async function symbolsChanged(path: string, before: string, after: string): Promise<string[] | undefined> {
  const [was, is] = [await ownTexts(path, before), await ownTexts(path, after)];
  if (!was || !is) return undefined;
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].filter((name) => was.get(name) !== is.get(name)).sort();
}

async function declaredIn(path: string, text: string): Promise<Declared[] | undefined> {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1];
  if (ending === undefined || text.length > LARGEST) return undefined;
  const { languageFor } = await import("./symbols-languages.js");
  const language = languageFor(ending.toLowerCase());
  if (!language) return undefined;
  const found: Declared[] = [];
  collect(language, text, language.parser.parse(text).topNode, { found, holder: "", depth: 0 });
  return found;
}

interface Walk {
  readonly found: Declared[];
  readonly holder: string;
  readonly depth: number;
  /** Where a wrapper around the declaration begins, such as its decorators. */
  readonly from?: number;
}

function collect(language: Language, text: string, node: SyntaxNode, walk: Walk): void {
  if (walk.depth > DEEPEST) return;
  for (let part = node.firstChild; part; part = part.nextSibling) {
    const declaration = language.declarations.get(part.name);
    if (declaration) declare(language, text, part, declaration, walk);
    else if (language.open.has(part.name)) {
      const wraps = /^(Export|Ambient|Decorated|Template)/.test(part.name) ? { from: walk.from ?? part.from } : {};
      collect(language, text, part, { found: walk.found, holder: walk.holder, depth: walk.depth + 1, ...wraps });
    }
  }
}

function declare(language: Language, text: string, part: SyntaxNode, declaration: Declaration, walk: Walk): void {
  const names = namesOf(part, declaration).map((name) => textOf(text, name));
  const own = declaration.last ? names.slice(-1) : names.slice(0, isList(part) ? undefined : 1);
  for (const name of own) {
    const full = [walk.holder, receiverOf(text, part), name].filter((each) => each !== "").join(".");
    walk.found.push({ name: full, from: walk.from ?? part.from, to: part.to });
    if (!declaration.holds) continue;
    collect(language, text, part, { found: walk.found, holder: full, depth: walk.depth + 1 });
  }
}

/** One declaration of several names: variables, fields, constants. */
const isList = ({ name }: SyntaxNode): boolean =>
  /^(VariableDeclaration|VarSpec|ConstSpec|FieldDeclaration|Declaration|PropertyDeclaration|ConstDeclaration)$/.test(
    name,
  );

function namesOf(part: SyntaxNode, declaration: Declaration): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = part.firstChild; child; child = child.nextSibling) {
    if (declaration.names.has(child.name)) found.push(child);
    else if (declaration.through.has(child.name)) found.push(...namesOf(child, declaration));
  }
  return found;
}

/** `exports.open`, `Session.prototype.close` and `Session::close` are said as everybody else says them. */
const textOf = (text: string, { from, to }: SyntaxNode): string =>
  text
    .slice(from, to)
    .replace(/\s+/g, "")
    .replace(/^(module\.)?exports\.|^this\./, "")
    .replace(".prototype.", ".")
    .replaceAll("::", ".");

/** A method in Go stands outside of its type, and names it. */
function receiverOf(text: string, part: SyntaxNode): string {
  if (part.name !== "MethodDecl") return "";
  let found = "";
  part
    .getChild("Parameters")
    ?.cursor()
    .iterate((node) => {
      if (found === "" && node.name === "TypeName") found = text.slice(node.from, node.to);
    });
  return found;
}

/** What each symbol says itself, without the symbols inside it: a class does not change with its methods. */
async function ownTexts(path: string, text: string): Promise<Map<string, string> | undefined> {
  const found = await declaredIn(path, text);
  if (!found) return undefined;
  const own = new Map<string, string>();
  for (const [i, symbol] of found.entries()) {
    // What is inside comes right after what holds it.
    const inside: Declared[] = [];
    for (let j = i + 1; j < found.length && (found[j] as Declared).to <= symbol.to; j++) {
      const part = found[j] as Declared;
      if (part.from > symbol.from) inside.push(part);
    }
    const said = without(text, symbol, inside);
    own.set(symbol.name, `${own.get(symbol.name) ?? ""}${said}\n`);
  }
  return own;
}

function without(text: string, { from, to }: Declared, inside: readonly Declared[]): string {
  let said = "";
  let at = from;
  for (const part of inside) {
    if (part.from > at) said += text.slice(at, part.from);
    at = Math.max(at, part.to);
  }
  return (said + text.slice(at, to)).replace(/\s+/g, " ").trim();
}

/** The line of an offset, by halving. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
