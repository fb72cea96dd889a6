// One signature for many approvals: it signs the root of a tree of hashes, and every approval keeps the hashes on its way up to the root.

import { Sha256 } from "../sha256.js";

const digest = (text: string): string => new Sha256().update(text).digest("base64url");

/** Leaves and branches are hashed differently, so that neither passes for the other. */
export const leafOf = (uuid: string, contentHash: string): string => digest(`leaf ${uuid} ${contentHash}`);

/** The smaller one comes first, so a way up needs no sides. */
const above = (one: string, other: string): string =>
  digest(one < other ? `branch ${one} ${other}` : `branch ${other} ${one}`);

/** The root, and of each leaf the hashes beside its way up. A hash without a neighbour goes up as it is. */
export function growTree(leaves: readonly string[]): { readonly root: string; readonly paths: readonly string[][] } {
  const paths = leaves.map((): string[] => []);
  let level = leaves;
  for (let height = 0; level.length > 1; height++) {
    for (const [index, path] of paths.entries()) {
      const neighbour = level[(index >> height) ^ 1];
      if (neighbour !== undefined) path.push(neighbour);
    }
    level = pairsOf(level).map(([one = "", other]) => (other === undefined ? one : above(one, other)));
  }
  return { root: level[0] ?? "", paths };
}

const pairsOf = (level: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(level.length / 2) }, (_, pair) => level.slice(2 * pair, 2 * pair + 2));

export const climb = (leaf: string, path: readonly string[]): string => path.reduce(above, leaf);
