// A split as a worker drafted it, held against what a plan can take. A draft with problems changes nothing.

import type { SplitDraft, SplitPart } from "../attempt/attempt.js";
import { overlap } from "../conflict/overlap.js";
import { contentProblem } from "../node/content.js";
import { findCycle } from "../order/cycle.js";

/** What is wrong with a draft, each as one sentence; none, if it can be carried out. */
export function lintSplit({ parts }: Pick<SplitDraft, "parts">): string[] {
  if (parts.length < 2) return [`A split needs at least 2 parts, and this has ${parts.length}.`];
  const form = parts.flatMap(misformed);
  const order = parts.flatMap((part, i) => misplaced(part, i, parts.length));
  if (order.length > 0) return [...form, ...order];
  const before = (part: SplitPart): SplitPart[] => part.after.map((i) => parts[i] as SplitPart);
  const circle = findCycle(parts, before);
  if (circle) {
    const positions = new Set(circle.map((part) => numberOf(parts.indexOf(part))));
    return [...form, `Parts ${[...positions].join(", ")} wait for each other.`];
  }
  return [...form, ...shared(parts, before)];
}

/** As people count. */
const numberOf = (position: number): string => String(position + 1);

function misformed({ title, body, files, profile, checks }: SplitPart, i: number): string[] {
  const problem = contentProblem({ title, body, files, profile, checks });
  return problem === undefined ? [] : [`Part ${numberOf(i)}: ${problem}.`];
}

function misplaced({ after }: SplitPart, own: number, count: number): string[] {
  return after.flatMap((i) => {
    if (i === own) return [`Part ${numberOf(own)} comes after itself.`];
    const known = Number.isInteger(i) && i >= 0 && i < count;
    return known ? [] : [`Part ${numberOf(own)} comes after part ${numberOf(i)}, which is not there.`];
  });
}

type Before = (part: SplitPart) => SplitPart[];

/** Parts that could run together and would write to the same files. */
function shared(parts: readonly SplitPart[], before: Before): string[] {
  const earlier = new Map(parts.map((part) => [part, everythingBefore(part, before)]));
  const inOrder = (a: SplitPart, b: SplitPart): boolean => earlier.get(a)?.has(b) === true;
  const found: string[] = [];
  for (const [i, a] of parts.entries()) {
    for (const [j, b] of parts.entries()) {
      if (j <= i || inOrder(a, b) || inOrder(b, a)) continue;
      const problem = meeting(a, b);
      if (problem !== null) found.push(`Parts ${numberOf(i)} and ${numberOf(j)} could run together, but ${problem}.`);
    }
  }
  return found;
}

function meeting(a: SplitPart, b: SplitPart): string | null {
  if (a.files.length === 0 || b.files.length === 0) return "not both say which files they touch";
  const met = overlap({ files: a.files, symbols: [] }, { files: b.files, symbols: [] });
  return met && `both touch ${met.files.join(", ")}`;
}

function everythingBefore(part: SplitPart, before: Before): Set<SplitPart> {
  const found = new Set<SplitPart>();
  const waiting = before(part);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...before(next));
  }
  return found;
}
