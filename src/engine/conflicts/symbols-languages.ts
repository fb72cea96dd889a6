// What declares a symbol in each language, by the names that its grammar gives to the parts of a program. Loaded only
// when files are really looked into: the grammars take half a megabyte.

import { parser as cpp } from "@lezer/cpp";
import { parser as go } from "@lezer/go";
import { parser as java } from "@lezer/java";
import { parser as javascript } from "@lezer/javascript";
import type { LRParser } from "@lezer/lr";
import { parser as php } from "@lezer/php";
import { parser as python } from "@lezer/python";
import { parser as rust } from "@lezer/rust";

/** `names`: the parts in which a name is found. `holds`: what is declared inside belongs to it. */
export interface Declaration {
  readonly names: ReadonlySet<string>;
  readonly holds: boolean;
  /** Parts to look into for the names; elsewhere only direct parts count. */
  readonly through: ReadonlySet<string>;
  /** Of several names the last is meant, as in `impl Trait for Type`. */
  readonly last: boolean;
}

export interface Language {
  readonly parser: LRParser;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Parts that declare nothing themselves and may hold what does. */
  readonly open: ReadonlySet<string>;
}

type Rest = Partial<{ holds: boolean; last: boolean; through: string }>;
type Row = readonly [parts: string, names: string, rest?: Rest];

const words = (text = ""): ReadonlySet<string> => new Set(text.split(" ").filter((word) => word !== ""));

const HOLDS: Rest = { holds: true };

function language(parser: LRParser, open: string, rows: readonly Row[]): Language {
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

/** By the ending of a file's name, in lower case. */
export const languageFor = (ending: string): Language | undefined =>
  LANGUAGES.find(([endings]) => words(endings).has(ending))?.[1];
