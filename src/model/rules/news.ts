// The news for subscribers: found by comparing a task before and after an operation, one line for each node and kind.

import type { Actor } from "../actor.js";
import type { News, Subscription } from "../item/subscription.js";
import type { Node, Nr } from "../node/node.js";
import type { Reason } from "../status/status.js";
import { RETRIES_EXHAUSTED } from "./claim.js";

export interface Happening {
  readonly kind: News;
  readonly op: number;
  readonly at: number;
  readonly by: Actor;
  /** The id of a node, or the key of a question. */
  readonly id: string;
  readonly title: string;
  readonly detail: string | null;
  /** The nodes that it is about, and the features around them. */
  readonly nodes: readonly Nr[];
  readonly features: readonly Nr[];
}

/** The latest of its kind about one node, and how often it happened. */
export interface NewsLine extends Pick<Happening, "kind" | "op" | "at" | "by" | "id" | "title" | "detail"> {
  readonly times: number;
}

/** As people and programs get it: with the time in ISO 8601. */
export interface NewsView extends Omit<NewsLine, "at"> {
  readonly at: string;
}

export interface Noticed {
  readonly kind: News;
  readonly detail: string | null;
}

/** News that follow from facts alone. A new node has none. */
export function factNews(before: Node, after: Node): Noticed[] {
  const found: Noticed[] = [];
  const { claim, acceptance, outcome, freeze } = after;
  if (claim && claim.epoch !== before.claim?.epoch) found.push({ kind: "claimed", detail: `by ${claim.by}` });
  if (acceptance?.state === "rejected" && before.acceptance?.state !== "rejected") {
    found.push({ kind: "rejected", detail: acceptance.reason });
  }
  if (freeze?.reason.startsWith(RETRIES_EXHAUSTED) && before.freeze === null) {
    found.push({ kind: "needs-person", detail: freeze.reason });
  }
  if (outcome && outcome.kind !== "dropped" && before.outcome === null) {
    const reason = outcome.reason === null ? "" : `: ${outcome.reason}`;
    if (after.kind !== "land") found.push({ kind: "completed", detail: `${outcome.kind}${reason}` });
    else if (outcome.kind === "done") found.push({ kind: "landed", detail: outcome.reason });
  }
  return found;
}

/** What its derived reason makes of a task: work for a worker, or for a person. */
export type Standing = "ready" | "needs-person" | null;

export function standingOf(reason: Reason): Standing {
  if (reason === "claimable") return "ready";
  return reason === "human" || reason === "budget" ? "needs-person" : null;
}

export function personDetail({ kind, acceptance }: Pick<Node, "kind" | "acceptance">): string {
  if (acceptance?.state === "pending") return "it is handed in and waits for you to accept it";
  if (kind === "gate") return "it is yours to do";
  return kind === "land" ? "everything in it is done, and it can be landed" : "all of its attempts are used";
}

export function isAbout(
  { scope, target }: Pick<Subscription, "scope" | "target">,
  { nodes, features }: Pick<Happening, "nodes" | "features">,
): boolean {
  if (scope === "workspace" || target === null) return scope === "workspace";
  return nodes.includes(target) || (scope === "feature" && features.includes(target));
}

/** New to the subscriber, of a kind and about a node that they asked for. */
export const isWanted = (subscription: Subscription, happening: Happening): boolean =>
  happening.op > subscription.cursor && subscription.news.includes(happening.kind) && isAbout(subscription, happening);

/** In any order; the lines come in the order of their latest operation. */
export function coalesce(happenings: Iterable<Happening>): NewsLine[] {
  const lines = new Map<string, NewsLine>();
  for (const happening of happenings) {
    const { kind, op, at, by, id, title, detail } = happening;
    const name = `${kind} ${id}`;
    const known = lines.get(name);
    const times = (known?.times ?? 0) + 1;
    lines.set(name, known && known.op > op ? { ...known, times } : { kind, op, at, by, id, title, detail, times });
  }
  return [...lines.values()].sort((a, b) => a.op - b.op);
}
