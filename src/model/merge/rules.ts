// How the writes of several clones to one field become one value: the same in every clone that knows the same writes.

import { same } from "../item/item.js";
import { mergeLines } from "./lines.js";
import { byTime, type SharedOperation, saw } from "./shared-operation.js";

export interface Write {
  readonly op: SharedOperation;
  readonly was: unknown;
  readonly is: unknown;
}

export interface Resolved {
  readonly value: unknown;
  /** Writes that did not know each other and disagree, the one that stands last. A person decides. */
  readonly differ: readonly Write[];
}

/** Writes in order. There is at least one. */
export type Rule = (writes: readonly Write[], start: unknown) => Resolved;

/** The writes that no later one knew. */
export function headsOf(writes: readonly Write[]): readonly Write[] {
  const heads: Write[] = [];
  for (let i = writes.length - 1; i >= 0; i--) {
    const write = writes[i] as Write;
    if (!heads.some(({ op }) => op === write.op || saw(op, write.op))) heads.unshift(write);
  }
  return heads;
}

const lastOf = (writes: readonly Write[]): Write => writes.at(-1) as Write;

const agreed = (value: unknown): Resolved => ({ value, differ: [] });

/** The last one of each value. */
function distinct(heads: readonly Write[]): readonly Write[] {
  return heads.filter((write, i) => !heads.slice(i + 1).some(({ is }) => same(is, write.is)));
}

/** The later one stands, and a person is asked about the other. */
export const askWhichOne: Rule = (writes) => {
  const values = distinct(headsOf(writes));
  return { value: lastOf(values).is, differ: values.length > 1 ? values : [] };
};

export const latestWins: Rule = (writes) => agreed(lastOf(writes).is);

/** Where some say that there is something, and others that there is nothing. */
export const somethingWins: Rule = (writes) => {
  const heads = headsOf(writes);
  return agreed((heads.findLast(({ is }) => is !== null) ?? lastOf(heads)).is);
};

export const nothingWins: Rule = (writes) => {
  const heads = headsOf(writes);
  return agreed((heads.find(({ is }) => is === null) ?? lastOf(heads)).is);
};

const numberIn = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Each clone counts for itself. */
export const sumUp: Rule = (writes) =>
  agreed(
    Math.max(
      0,
      writes.reduce((sum, { was, is }) => sum + numberIn(is) - numberIn(was), 0),
    ),
  );

/** The one that is furthest on. `rank` of equal ones: the later one. */
export const furthest =
  (rank: (value: unknown) => number, asks: (values: readonly unknown[]) => boolean): Rule =>
  (writes) => {
    const heads = headsOf(writes);
    const highest = Math.max(...heads.map(({ is }) => rank(is)));
    const winner = lastOf(heads.filter(({ is }) => rank(is) === highest));
    const isAsked = asks(heads.map(({ is }) => is));
    return { value: winner.is, differ: isAsked ? [...heads.filter((head) => head !== winner), winner] : [] };
  };

/** Texts are merged line by line. */
export const mergeTexts: Rule = (writes, start) => {
  const heads = headsOf(writes);
  let merged = String((heads[0] as Write).is);
  for (const [i, head] of heads.entries()) {
    if (i === 0) continue;
    const earlier = heads.slice(0, i + 1);
    const base = writes.findLast((each) => earlier.every(({ op }) => saw(op, each.op)));
    const both = mergeLines(String(base?.is ?? start), merged, String(head.is));
    if (both === null) return askWhichOne(heads, start);
    merged = both;
  }
  return agreed(merged);
};

interface Element {
  readonly value: unknown;
  readonly added: Write[];
  readonly removed: Write[];
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const textOf = (value: unknown): string => JSON.stringify(value);

function elementsOf(writes: readonly Write[]): readonly Element[] {
  const elements = new Map<string, Element>();
  const noted = (value: unknown): Element => {
    const known = elements.get(textOf(value)) ?? { value, added: [], removed: [] };
    elements.set(textOf(value), known);
    return known;
  };
  for (const write of writes) {
    const [was, is] = [listIn(write.was), listIn(write.is)];
    const [before, after] = [new Set(was.map(textOf)), new Set(is.map(textOf))];
    for (const value of is) if (!before.has(textOf(value))) noted(value).added.push(write);
    for (const value of was) if (!after.has(textOf(value))) noted(value).removed.push(write);
  }
  return [...elements.values()];
}

/** A person added it, and no one who knew that removed it. */
const stays = ({ added, removed }: Element): boolean =>
  added.some((add) => !removed.some(({ op }) => op === add.op || saw(op, add.op)));

/** What one added stays, unless it was removed by a person who knew it. `keyOf`: of two with the same key the later one stays. */
export const unite =
  (keyOf: (value: unknown) => string, asks = false): Rule =>
  (writes) => {
    const heads = headsOf(writes);
    const last = listIn(lastOf(heads).is);
    if (heads.length === 1) return agreed(last);
    const place = new Map(last.map((value, i) => [textOf(value), i]));
    const placeOf = ({ value }: Element): number => place.get(textOf(value)) ?? last.length;
    const kept = elementsOf(writes).filter(stays);
    const byKey = new Map<string, Element>();
    const twins: Write[] = [];
    for (const element of kept.sort((a, b) => byTime(lastOf(a.added).op, lastOf(b.added).op))) {
      const twin = byKey.get(keyOf(element.value));
      if (twin) twins.push(lastOf(twin.added), lastOf(element.added));
      byKey.set(keyOf(element.value), element);
    }
    const value = [...byKey.values()].sort((a, b) => placeOf(a) - placeOf(b)).map((element) => element.value);
    return { value, differ: asks ? distinct(twins) : [] };
  };
