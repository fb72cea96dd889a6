// Merges two versions of a text that were made from the same one, line by line.

interface Match {
  readonly base: number;
  readonly side: number;
}

/** More pairs of lines than this are not compared: the texts then count as different from the first changed line to the last. */
const PAIRS_LIMIT = 4_000_000;

/** Null if both changed the same lines in different ways. */
export function mergeLines(base: string, one: string, other: string): string | null {
  if (one === other || other === base) return one;
  if (one === base) return other;
  const [old, left, right] = [base, one, other].map((text) => text.split("\n")) as [string[], string[], string[]];
  const merged: string[] = [];
  const [inLeft, inRight] = [matchesOf(old, left), matchesOf(old, right)];
  let [atBase, atLeft, atRight] = [0, 0, 0];
  for (const line of [...commonLines(inLeft, inRight), { base: old.length, left: left.length, right: right.length }]) {
    const chunk = mergeChunk(
      old.slice(atBase, line.base),
      left.slice(atLeft, line.left),
      right.slice(atRight, line.right),
    );
    if (chunk === null) return null;
    merged.push(...chunk, ...old.slice(line.base, line.base + 1));
    [atBase, atLeft, atRight] = [line.base + 1, line.left + 1, line.right + 1];
  }
  return merged.join("\n");
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, i) => line === other[i]);

function mergeChunk(
  base: readonly string[],
  left: readonly string[],
  right: readonly string[],
): readonly string[] | null {
  if (isSame(left, right) || isSame(right, base)) return left;
  return isSame(left, base) ? right : null;
}

/** Lines that neither side changed. */
function commonLines(left: readonly Match[], right: readonly Match[]) {
  const inRight = new Map(right.map(({ base, side }) => [base, side]));
  return left.flatMap(({ base, side }) => {
    const other = inRight.get(base);
    return other === undefined ? [] : [{ base, left: side, right: other }];
  });
}

/** The longest common subsequence of lines. */
function matchesOf(base: readonly string[], side: readonly string[]): Match[] {
  let start = 0;
  while (start < base.length && start < side.length && base[start] === side[start]) start++;
  let end = 0;
  const shorter = Math.min(base.length, side.length) - start;
  while (end < shorter && base[base.length - 1 - end] === side[side.length - 1 - end]) end++;
  const head = Array.from({ length: start }, (_, i) => ({ base: i, side: i }));
  const tail = Array.from({ length: end }, (_, i) => ({ base: base.length - end + i, side: side.length - end + i }));
  const middle = longestCommon(base.slice(start, base.length - end), side.slice(start, side.length - end));
  return [...head, ...middle.map((match) => ({ base: match.base + start, side: match.side + start })), ...tail];
}

function longestCommon(base: readonly string[], side: readonly string[]): Match[] {
  if (base.length * side.length > PAIRS_LIMIT) return [];
  const width = side.length + 1;
  const lengths = new Uint32Array((base.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] as number;
  for (let i = base.length - 1; i >= 0; i--) {
    for (let j = side.length - 1; j >= 0; j--) {
      lengths[i * width + j] = base[i] === side[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: Match[] = [];
  for (let i = 0, j = 0; i < base.length && j < side.length; ) {
    if (base[i] === side[j]) found.push({ base: i++, side: j++ });
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}
