// Verbs with the same words: the keys that are given say which one is meant. `approve CON-001` is about a record, unless a node of
// an older plan is called CON-001: then the verb for nodes says that both are. The value of a flag is no key.

import { allFieldsOf, isFocusFlag, type Piece, splitArguments } from "./read-words.js";
import type { LoadVerb } from "./session.js";
import { type Spelling, type TypedCommand, variantsOf } from "./spell.js";

interface SameWordsAccess {
  readonly load: LoadVerb;
  /** The ids of nodes that are among these. It is asked only about words that look like keys. */
  readonly nodesAmong: (ids: readonly string[]) => Promise<readonly string[]>;
}

const prefixOf = (word: string): string => /^([a-z]+)-\d+$/i.exec(word)?.[1]?.toUpperCase() ?? "";

/** What was typed as one command for each verb that the arguments belong to: mostly one. */
export async function tellApart(
  typed: TypedCommand,
  { load, nodesAmong }: SameWordsAccess,
): Promise<[TypedCommand, ...TypedCommand[]]> {
  const { spelling: plain, rest } = typed;
  const variants = variantsOf(plain.words).filter(({ when }) => when?.keys);
  const variantOf = (word: string) => variants.find(({ when }) => when?.keys?.includes(prefixOf(word)));
  if (plain.when || !rest.some(variantOf)) return [typed];
  const flagsOf = async (each: Spelling) => allFieldsOf(await load(each.operation), each).flags;
  const flags = new Map(
    await Promise.all([plain, ...variants].map(async (each) => [each, await flagsOf(each)] as const)),
  );
  const pieces = [...splitArguments(rest, [...flags.values()].flat())];
  const nodes = await nodesAmong(
    pieces.flatMap(({ words, flag }) => (flag === undefined ? words : [])).filter(variantOf),
  );
  const nodeIds = new Set(nodes.map((id) => id.toLowerCase()));
  /** Undefined for a flag that stands for no node. */
  const kindOf = ({ words: [word = ""], flag, field }: Piece): Spelling | undefined => {
    if (flag !== undefined) return !field && isFocusFlag(flag) ? plain : undefined;
    return nodeIds.has(word.toLowerCase()) ? plain : (variantOf(word) ?? plain);
  };
  const [first = plain, ...others] = new Set(pieces.flatMap((piece) => kindOf(piece) ?? []));
  const isUnknown = (piece: Piece) => piece.flag !== undefined && !piece.field && !kindOf(piece);
  // The verb says itself which flag it does not have.
  if (others.length === 0 || pieces.some(isUnknown)) return [{ spelling: first, rest }];
  const commandOf = (spelling: Spelling): TypedCommand => {
    const own = flags.get(spelling) ?? [];
    const isOwn = (piece: Piece) =>
      (kindOf(piece) ?? spelling) === spelling && (!piece.field || own.some(({ flag }) => flag === piece.field?.flag));
    return { spelling, rest: pieces.filter(isOwn).flatMap(({ words }) => words) };
  };
  return [commandOf(first), ...others.map(commandOf)];
}
