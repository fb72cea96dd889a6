import { describe, expect, it } from "vitest";
import { climb, Digests, HashTree, leafOf } from "./merkle.js";

const leavesOf = (count: number): string[] => Array.from({ length: count }, (_, i) => leafOf(`u${i}`, `h${i}`));

function growTree(leaves: readonly string[]) {
  const digests = new Digests();
  for (const leaf of leaves) digests.push(leaf);
  const tree = new HashTree(digests);
  return { root: tree.root, paths: leaves.map((_, index) => tree.path(index)) };
}

describe("a tree of hashes", () => {
  it.each([1, 2, 3, 4, 5, 8, 13, 100])(
    "leads from each of %i leaves to its root, in as few steps as it can",
    (count) => {
      const leaves = leavesOf(count);
      const { root, paths } = growTree(leaves);
      for (const [index, leaf] of leaves.entries()) {
        const path = paths[index] as string[];
        expect(climb(leaf, path)).toBe(root);
        expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      }
    },
  );

  it("leads nothing else to its root", () => {
    const leaves = leavesOf(5);
    const { root, paths } = growTree(leaves);
    const [path = [], other = []] = paths;
    expect(climb(leafOf("u0", "h1"), path)).not.toBe(root);
    expect(climb(leafOf("u1", "h0"), path)).not.toBe(root);
    expect(climb(leaves[0] as string, other)).not.toBe(root);
    expect(climb(leaves[0] as string, path.slice(1))).not.toBe(root);
    expect(climb(leaves[0] as string, [])).not.toBe(root);
    // A branch passes for no leaf, although its way up is whole.
    expect(climb(leafOf(leaves[0] as string, leaves[1] as string), path.slice(1))).not.toBe(root);
  });

  it("has another root if anything is left out, added or exchanged", () => {
    const roots = [leavesOf(3), leavesOf(4), leavesOf(2), leavesOf(3).reverse()].map((each) => growTree(each).root);
    expect(new Set(roots).size).toBe(4);
  });
});
