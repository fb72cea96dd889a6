// The symbols of a file, found by a parser: what it declares, and which of that a change touched. A parser goes on after a
// mistake, so a half-written file is read as far as it makes sense.

import { extname } from "node:path";
import type { SyntaxNode } from "@lezer/common";
import { parser as cpp } from "@lezer/cpp";
import { parser as go } from "@lezer/go";
import { parser as java } from "@lezer/java";
import { parser as javascript } from "@lezer/javascript";
import type { LRParser } from "@lezer/lr";
import { parser as php } from "@lezer/php";
import { parser as python } from "@lezer/python";
import { parser as rust } from "@lezer/rust";

/** More than this is generated or data, and would hold the program up. */
const LARGEST_FILE = 1_000_000;
/** A name stands in many places of a deeply nested file; nobody declares that deep. */
const DEEPEST_NESTING = 20;

interface DeclaredSymbol {
  /** It includes what holds the symbol: `Session.close`. */
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The symbols that differ, came or went. A file that is not there is an empty text. Undefined if the language is not known. */
export async function symbolsChanged(path: string, before: string, after: string): Promise<string[] | undefined> {
  const [was, is] = [await ownTexts(path, before), await ownTexts(path, after)];
  if (!was || !is) return undefined;
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].filter((name) => was.get(name) !== is.get(name)).sort();
}

async function declaredIn(path: string, text: string): Promise<DeclaredSymbol[] | undefined> {
  const language = languageFor(extname(path).slice(1).toLowerCase());
  if (!language || text.length > LARGEST_FILE) return undefined;
  const found: DeclaredSymbol[] = [];
  collect(language, text, language.parser.parse(text).topNode, { found, holder: "", depth: 0 });
  return found;
}

interface Walk {
  readonly found: DeclaredSymbol[];
  readonly holder: string;
  readonly depth: number;
  /** Where a wrapper around the declaration begins, such as its decorators. */
  readonly from?: number;
}

function collect(language: Language, text: string, node: SyntaxNode, walk: Walk): void {
  if (walk.depth > DEEPEST_NESTING) return;
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
  const parameters = part.getChild("Parameters")?.cursor();
  parameters?.iterate(({ name, from, to }) => {
    if (found === "" && name === "TypeName") found = text.slice(from, to);
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
    const inside: DeclaredSymbol[] = [];
    for (let j = i + 1; j < found.length && (found[j] as DeclaredSymbol).to <= symbol.to; j++) {
      const part = found[j] as DeclaredSymbol;
      if (part.from > symbol.from) inside.push(part);
    }
    const said = without(text, symbol, inside);
    own.set(symbol.name, `${own.get(symbol.name) ?? ""}${said}\n`);
  }
  return own;
}

function without(text: string, { from, to }: DeclaredSymbol, inside: readonly DeclaredSymbol[]): string {
  let said = "";
  let at = from;
  for (const part of inside) {
    if (part.from > at) said += text.slice(at, part.from);
    at = Math.max(at, part.to);
  }
  return (said + text.slice(at, to)).replace(/\s+/g, " ").trim();
}

/** `names`: the parts in which a name is found. `holds`: what is declared inside belongs to it. */
interface Declaration {
  readonly names: ReadonlySet<string>;
  readonly holds: boolean;
  /** Parts to look into for the names; elsewhere only direct parts count. */
  readonly through: ReadonlySet<string>;
  /** The last of several names counts, as in `impl Trait for Type`. */
  readonly last: boolean;
}

type Language = ReturnType<typeof language>;

type Rest = Partial<{ holds: boolean; last: boolean; through: string }>;
type Row = readonly [parts: string, names: string, rest?: Rest];

const words = (text = ""): ReadonlySet<string> => new Set(text.split(" ").filter((word) => word !== ""));

const HOLDS: Rest = { holds: true };

/** `open`: parts that declare nothing themselves and may hold what does. */
function language(parser: LRParser, open: string, rows: readonly Row[]) {
  const declarations = new Map<string, Declaration>();
  for (const [parts, names, { holds = false, last = false, through } = {}] of rows) {
    const declaration = { names: words(names), holds, last, through: words(through) };
    for (const part of words(parts)) declarations.set(part, declaration);
  }
  return { parser, declarations, open: words(open) };
}

const JAVASCRIPT_ROWS: readonly Row[] = [
  ["FunctionDeclaration AmbientFunctionDeclaration", "VariableDefinition"],
  ["ClassDeclaration NamespaceDeclaration", "VariableDefinition", HOLDS],
  ["MethodDeclaration PropertyDeclaration", "PropertyDefinition PrivatePropertyDefinition"],
  ["InterfaceDeclaration TypeAliasDeclaration EnumDeclaration", "TypeDefinition"],
  ["VariableDeclaration", "VariableDefinition", { through: "ObjectPattern ArrayPattern PatternProperty" }],
  ["AssignmentExpression", "MemberExpression"],
];
const JAVASCRIPT_OPEN = "Script ExportDeclaration AmbientDeclaration ClassBody Block ExpressionStatement";

const PYTHON = language(python, "Script DecoratedStatement Body IfStatement TryStatement", [
  ["FunctionDefinition", "VariableName"],
  ["ClassDefinition", "VariableName", HOLDS],
  ["AssignStatement", "VariableName"],
]);

const GO = language(go, "SourceFile TypeDecl VarDecl ConstDecl SpecList", [
  ["FunctionDecl TypeSpec VarSpec ConstSpec", "DefName"],
  ["MethodDecl", "FieldName"],
]);

const RUST = language(rust, "SourceFile DeclarationList", [
  ["FunctionItem ConstItem StaticItem", "BoundIdentifier"],
  ["StructItem EnumItem UnionItem TypeItem", "TypeIdentifier"],
  ["TraitItem", "TypeIdentifier", HOLDS],
  ["ModItem", "BoundIdentifier", HOLDS],
  ["ImplItem", "TypeIdentifier", { holds: true, last: true, through: "GenericType" }],
  ["MacroDefinition", "Identifier"],
]);

const JAVA = language(java, "Program ClassBody InterfaceBody EnumBody EnumBodyDeclarations RecordBody", [
  ["ClassDeclaration InterfaceDeclaration EnumDeclaration RecordDeclaration", "Definition", HOLDS],
  ["AnnotationTypeDeclaration", "Identifier"],
  ["MethodDeclaration ConstructorDeclaration", "Definition"],
  ["FieldDeclaration", "Definition", { through: "VariableDeclarator" }],
]);

const CPP_NAMES = "Identifier FieldIdentifier ScopedIdentifier DestructorName OperatorName";
const CPP_THROUGH = "FunctionDeclarator PointerDeclarator ReferenceDeclarator InitDeclarator ArrayDeclarator";

const CPP = language(
  cpp,
  "Program FieldDeclarationList CompoundStatement TemplateDeclaration LinkageSpecification DeclarationList",
  [
    ["FunctionDefinition Declaration FieldDeclaration", CPP_NAMES, { through: CPP_THROUGH }],
    ["ClassSpecifier StructSpecifier UnionSpecifier", "TypeIdentifier", HOLDS],
    ["NamespaceDefinition", "Identifier", HOLDS],
    ["EnumSpecifier AliasDeclaration", "TypeIdentifier"],
    ["TypeDefinition", "TypeIdentifier", { last: true }],
  ],
);

const PHP = language(php, "Template DeclarationList EnumBody NamespaceDefinition Block", [
  ["FunctionDefinition MethodDeclaration", "Name"],
  ["ClassDeclaration InterfaceDeclaration TraitDeclaration EnumDeclaration", "Name", HOLDS],
  ["PropertyDeclaration ConstDeclaration", "Name VariableName", { through: "VariableDeclarator" }],
]);

const script = (dialect: string): Language =>
  language(javascript.configure({ dialect }), JAVASCRIPT_OPEN, JAVASCRIPT_ROWS);
const JAVASCRIPT = script("jsx");
const TYPESCRIPT = script("ts");
const TSX = script("ts jsx");

const LANGUAGES: readonly (readonly [endings: string, language: Language])[] = [
  ["js jsx mjs cjs", JAVASCRIPT],
  ["ts mts cts", TYPESCRIPT],
  ["tsx", TSX],
  ["py pyi", PYTHON],
  ["go", GO],
  ["rs", RUST],
  ["java", JAVA],
  ["c h cc cpp cxx hh hpp hxx", CPP],
  ["php", PHP],
];

const languageFor = (ending: string): Language | undefined =>
  LANGUAGES.find(([endings]) => words(endings).has(ending))?.[1];
