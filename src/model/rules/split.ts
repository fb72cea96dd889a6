// A task that is too big becomes several beside it, and one that looks at all of them. What waited for the task waits for
// that one; the task itself is dropped.

import type { SplitDraft, SplitPart } from "../attempt/attempt.js";
import { overlap } from "../conflict/overlap.js";
import { contentProblem } from "../node/content.js";
import { contentHash, type Digest } from "../node/content-hash.js";
import { type Birth, BLANK, type Edge, type Freeze, type Node, type Nr } from "../node/node.js";
import { inferProfile } from "../node/profile.js";
import { changeNode, createNode } from "../operation/change.js";
import { findCycle } from "../order/cycle.js";
import { isApproved } from "../status/status.js";
import { dropPatch } from "./give-up.js";
import { cutTitle } from "./land.js";
import type { Settling } from "./task-outcome.js";

export interface Naming {
  readonly nr: Nr;
  readonly id: string;
  readonly uuid: string;
}

export interface Split {
  readonly task: Node;
  readonly draft: SplitDraft;
  /** One for each part, and the last one for the review of them all. */
  readonly names: readonly Naming[];
  /** What is open and waits for the task. */
  readonly dependents: readonly Node[];
  /** The freeze of the node that contains them. */
  readonly freeze: Freeze | null;
  readonly settling: Settling;
  uuidOf(nr: Nr): string;
  readonly digest: Digest;
}

export type SplitChanges = ReturnType<typeof splitTask>;

/** The draft has been linted. A person who says yes to it approves exactly this. `made`: ids of the parts, then of the review. */
export function splitTask(split: Split) {
  const { task, names, dependents, settling, digest } = split;
  const review = names.at(-1) as Naming;
  const parts = names.slice(0, -1);
  const known = new Map(names.map(({ nr, uuid }) => [nr, uuid]));
  const hash: Hash = (content) => contentHash(content, (nr) => known.get(nr) ?? split.uuidOf(nr), digest);
  const births = [
    ...parts.map((name, i) => ({ nr: name.nr, birth: partOf(split, i, name) })),
    { nr: review.nr, birth: reviewOf(split, review, parts) },
  ].map(({ nr, birth }) => ({ nr, birth: approved(birth, settling, hash) }));
  const made = names.map(({ id }) => id);
  return {
    births,
    made,
    changes: [
      ...births.map(({ nr, birth }) => createNode(nr, birth)),
      ...dependents.flatMap((node) => changeNode(node, redirected(node, task.nr, review.nr, settling, hash))),
      ...changeNode(task, dropPatch(settling, `split into ${made.join(", ")}`)),
    ],
  };
}

const stated = (on: Nr): Edge => ({ on, origin: "stated" });

function partOf({ task, draft, names, freeze, settling }: Split, i: number, { id, uuid }: Naming): Birth {
  const { title, body, files, profile, after, checks } = draft.parts[i] as SplitPart;
  const before = after.map((position) => stated((names[position] as Naming).nr));
  return {
    uuid,
    id,
    tier: "task",
    kind: "work",
    title,
    body,
    parent: task.parent,
    // What comes after another part waits for everything that the other one waits for.
    dependsOn: before.length === 0 ? task.dependsOn : before,
    files,
    checks,
    profile: profile ?? inferProfile(files) ?? task.profile,
    priority: task.priority,
    estimateHours: share(task.estimateHours, draft.parts.length),
    budgets: task.budgets,
    freeze,
    createdAt: settling.at,
    createdBy: settling.by,
  };
}

/** To a hundredth, which is the least that an estimate can be. */
const share = (hours: number | null, parts: number): number | null =>
  hours === null ? null : Math.max(0.01, Math.round((hours / parts) * 100) / 100);

/** The review needs the text of the original task, which is dropped. */
const originalText = ({ title, body }: Pick<Node, "title" | "body">): string =>
  `\n\n## What it was meant to be\n\n${title}${body === "" ? "" : `\n\n${body}`}`;

function reviewOf({ task, freeze, settling }: Split, { id, uuid }: Naming, parts: readonly Naming[]): Birth {
  return {
    uuid,
    id,
    tier: "task",
    kind: "review",
    title: cutTitle(`Review: ${task.title}`),
    body: `${task.id} was split into ${parts.map((part) => part.id).join(", ")}. Do they add up to what it was meant to be?${originalText(task)}`,
    parent: task.parent,
    dependsOn: parts.map(({ nr }) => stated(nr)),
    checks: task.checks,
    profile: task.profile,
    priority: task.priority,
    freeze,
    createdAt: settling.at,
    createdBy: settling.by,
  };
}

type Hash = (content: Parameters<typeof contentHash>[0]) => string;

const approved = (birth: Birth, { by, at }: Settling, hash: Hash): Birth => ({
  ...birth,
  approval: { by, at, hash: hash({ ...BLANK, ...birth }) },
});

/** Tasks that were allowed to run beside a conflict after the task may run after the review: you decided that already. */
function redirected(node: Node, from: Nr, to: Nr, { by, at }: Settling, hash: Hash): Partial<Node> {
  const dependsOn = node.dependsOn.map((edge) => (edge.on === from ? { ...edge, on: to } : edge));
  if (!isApproved(node)) return { dependsOn };
  return { dependsOn, approval: { by, at, hash: hash({ ...node, dependsOn }) } };
}

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

/** People count from 1. */
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
export interface SplitSigns {
  /** The profiles that its files belong to. */
  readonly profiles: readonly string[];
  readonly files: number;
  /** What the worker is given to read, as it is estimated. */
  readonly bundleTokens: number;
  /** What its agent can hold; null if it is not known. */
  readonly windowTokens: number | null;
}

const FILES = 12;
/** This part of the window may be full: the worker still has to think and to read. */
const FULL = 0.8;

/** Why it should be split, in words; null if nothing speaks for it. */
export function shouldSplit({ profiles, files, bundleTokens, windowTokens }: SplitSigns): string | null {
  const kinds = new Set(profiles);
  if (kinds.size > 1) return `it needs ${kinds.size} profiles: ${[...kinds].join(", ")}`;
  if (files > FILES) return `it names ${files} files; ${FILES} are a lot for one`;
  if (windowTokens !== null && bundleTokens > windowTokens * FULL) {
    return `its text alone would take ${Math.round((bundleTokens / windowTokens) * 100)} % of what the agent can hold`;
  }
  return null;
}
