// The branches in flight, merged with each other in memory while their workers are at work: what does not merge now will
// not merge later. What merges, but changes the same symbol from two sides, is told as well.

import { append } from "../../base/append.js";
import { commitChangeSet } from "../../machine/git/change-set.js";
import { fileAt } from "../../machine/git/files.js";
import { mergeTrees } from "../../machine/git/merge.js";
import { type Attempt, type AttemptState, touchedBy } from "../../model/attempt/attempt.js";
import type { Clash } from "../../model/conflict/conflict.js";
import { LIVE } from "../../model/item/item.js";
import type { Node } from "../../model/node/node.js";
import type { Context } from "../../plan/base/context.js";
import type { Reader, Store } from "../../store/store.js";
import { symbolsChanged } from "./symbols.js";

/** What is worked on in a worktree of its own, as it lies there at the moment. */
type Branch = NonNullable<Awaited<ReturnType<typeof branchOf>>>;

/** More shared files than this are looked at by the merge alone. */
const MAX_FILES_PARSED = 20;

const AT_WORK: ReadonlySet<AttemptState> = new Set(["working", "checking", "reviewing", "integrating"]);

/** Remembers what was merged, so that a pair is looked at again only when one of the two has changed. */
export class BranchConflicts {
  readonly #store: Store;
  readonly #root: string;
  #merged = new Set<string>();

  constructor({ store, root }: Pick<Context, "store" | "root">) {
    this.#store = store;
    this.#root = root;
  }

  /** The one that began earlier goes first. Those of other features meet on the main branch, sooner or later. */
  async conflicts(): Promise<Clash[]> {
    const live = await this.#store.read((reader) => reader.items("attempt", { state: LIVE }));
    const working = live.filter(({ fields }) => AT_WORK.has(fields.state) && fields.feature !== null);
    // A single branch has no conflicts.
    if (working.length < 2) return [];
    const branches: Branch[] = [];
    for (const { fields } of working.sort((a, b) => a.fields.startedAt - b.fields.startedAt)) {
      const branch = await branchOf(fields);
      if (branch) branches.push(branch);
    }
    const pairs = pairsOf(branches);
    const found: Clash[] = [];
    const known: SharedFiles = new Map();
    for (const pair of pairs) {
      if (this.#merged.has(pairKey(pair)) || isCovered(known, pair)) continue;
      const clashes = await this.#compare(pair);
      for (const file of clashes.flatMap(({ files }) => files)) append(known, pair[1], file);
      found.push(...clashes);
    }
    this.#merged = new Set(pairs.map(pairKey));
    return found;
  }

  async #compare([a, b]: Pair): Promise<Clash[]> {
    const nodes = await this.#store.read((reader) => bothOf(reader, a.attempt, b.attempt));
    if (!nodes) return [];
    const [first, second] = nodes;
    const merged = await orNothing(mergeTrees(this.#root, a.tip, b.tip));
    if (!merged) return [];
    if ("conflicts" in merged) {
      const files = between(a, b, merged.conflicts);
      return files.length === 0 ? [] : [{ layer: "merge", first, second, files, symbols: [] }];
    }
    const symbols = await this.#sharedSymbols(a, b);
    if (symbols.length === 0) return [];
    const files = [...new Set(symbols.map((symbol) => symbol.slice(0, symbol.lastIndexOf("#"))))];
    return [{ layer: "symbols", first, second, files, symbols }];
  }

  async #sharedSymbols(a: Branch, b: Branch): Promise<string[]> {
    const others = new Set(b.files);
    const shared: string[] = [];
    for (const file of a.files.filter((each) => others.has(each)).slice(0, MAX_FILES_PARSED)) {
      const own = await this.#changed(a, file);
      const theirs = new Set(await this.#changed(b, file));
      shared.push(...own.filter((name) => theirs.has(name)).map((name) => `${file}#${name}`));
    }
    return shared;
  }

  async #changed({ base, tip }: Branch, file: string): Promise<string[]> {
    const [before, after] = [await fileAt(this.#root, base, file), await fileAt(this.#root, tip, file)];
    return (await symbolsChanged(file, before ?? "", after ?? "")) ?? [];
  }
}

/** This is an early look: what git cannot do now shows when the work is integrated. */
const orNothing = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);

type Pair = readonly [Branch, Branch];

const pairKey = ([a, b]: Pair): string => `${a.base}:${a.tree}:${b.base}:${b.tree}`;

/** Each branch with all earlier ones, the nearest first. */
const pairsOf = (branches: readonly Branch[]): Pair[] =>
  branches.flatMap((b, i) =>
    branches
      .slice(0, i)
      .map((a): Pair => [a, b])
      .reverse(),
  );

/**
 * Files of each branch that are known to conflict with an earlier one. Many branches that change one file form a line: each
 * goes after the one before it, and need not be compared with all of them.
 */
type SharedFiles = Map<Branch, string[]>;

function isCovered(known: SharedFiles, [earlier, later]: Pair): boolean {
  const shared = earlier.files.filter((file) => later.files.includes(file));
  return shared.length > 0 && shared.every((file) => known.get(later)?.includes(file));
}

/** What others did in two features before is not between these two. */
function between(a: Branch, b: Branch, files: readonly string[]): readonly string[] {
  if (a.attempt.feature === b.attempt.feature) return files;
  return files.filter((file) => a.files.includes(file) && b.files.includes(file));
}

/** Undefined if the attempt has changed nothing yet, or its worktree is being removed. */
async function branchOf(attempt: Attempt) {
  const { base, worktree } = attempt;
  if (base === null || worktree === null) return undefined;
  const made = await orNothing(commitChangeSet(worktree, base, "As it lies there\n"));
  if (!made || !("commit" in made)) return undefined;
  return { attempt, base, tip: made.commit, tree: made.tree, files: touchedBy(made.changes) };
}

async function bothOf(reader: Reader, a: Attempt, b: Attempt): Promise<readonly [Node, Node] | undefined> {
  const [first, second] = [await reader.node(a.task), await reader.node(b.task)];
  return first && second ? [first, second] : undefined;
}
