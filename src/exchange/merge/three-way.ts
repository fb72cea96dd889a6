// What another import changes of a node that is in the plan: what changed in the source since the last import, and nothing that you
// changed here.

import type { SourceBase } from "../../model/item/source.js";
import type { Check, Node } from "../../model/node/node.js";
import { shortHash } from "../source/identity.js";
import type { Placed } from "./place.js";

export interface SourceContent {
  readonly title: string;
  readonly body: string;
  readonly priority: number | null;
  readonly estimateHours: number | null;
  readonly checks: readonly Check[];
  readonly files: readonly string[];
  readonly labels: readonly string[];
}

export function wantedOf({ item, path }: Placed): SourceContent {
  const way = path.length === 0 ? "" : `From: ${path.join(" / ")}`;
  return {
    title: item.title,
    body: [way, item.body ?? ""].filter((part) => part !== "").join("\n\n"),
    priority: item.priority ?? null,
    estimateHours: item.estimateHours ?? null,
    checks: item.checks ?? [],
    files: item.files ?? [],
    labels: item.labels ?? [],
  };
}

const hashOf = (value: string | readonly unknown[]): string | undefined =>
  value.length === 0 ? undefined : shortHash(typeof value === "string" ? value : JSON.stringify(value));

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What the source says, to compare with at the next import. Empty values are left out. */
export function sourceBase({ item, parent }: Placed, wanted: SourceContent, edges: readonly string[]): SourceBase {
  const base: Mutable<SourceBase> = { title: wanted.title, progress: item.progress };
  const body = hashOf(wanted.body);
  const checks = hashOf(wanted.checks);
  if (body !== undefined) base.body = body;
  if (checks !== undefined) base.checks = checks;
  if (wanted.priority !== null) base.priority = wanted.priority;
  if (wanted.estimateHours !== null) base.estimateHours = wanted.estimateHours;
  if (wanted.files.length > 0) base.files = wanted.files;
  if (wanted.labels.length > 0) base.labels = wanted.labels;
  if (edges.length > 0) base.dependsOn = edges;
  if (parent !== null) base.parent = parent;
  const comments = (item.comments ?? []).map((text) => shortHash(text));
  if (comments.length > 0) base.comments = comments;
  return base;
}

/** `ours`: changed here alone; `theirs`: in the source alone; `both`: and not to the same. */
type Side = "same" | "ours" | "theirs" | "both";

function sideOf(base: unknown, here: unknown, there: unknown): Side {
  const [was, now, says] = [base, here, there].map((value) => JSON.stringify(value ?? null));
  if (now === says) return "same";
  if (was === now) return "theirs";
  return was === says ? "ours" : "both";
}

export interface ContentMerge {
  readonly patch: Partial<Pick<Node, "title" | "body" | "priority" | "estimateHours" | "checks" | "files">>;
  /** Fields that changed here and in the source: they stay as they are here. */
  readonly kept: readonly string[];
}

/** `base`: null if the node was never imported here, so no one knows who changed what. */
export function mergeContent(node: Node, wanted: SourceContent, base: SourceBase | null): ContentMerge {
  const patch: Record<string, unknown> = {};
  const kept: string[] = [];
  const decide = (field: keyof ContentMerge["patch"], was: unknown, here: unknown, there: unknown): void => {
    const side = sideOf(base === null ? {} : was, here, there);
    if (side === "theirs") patch[field] = wanted[field];
    if (side === "both") kept.push(field);
  };
  decide("title", base?.title, node.title, wanted.title);
  decide("body", base?.body, hashOf(node.body), hashOf(wanted.body));
  decide("checks", base?.checks, hashOf(node.checks), hashOf(wanted.checks));
  decide("priority", base?.priority, node.priority, wanted.priority);
  decide("estimateHours", base?.estimateHours, node.estimateHours, wanted.estimateHours);
  const files = mergeSet(base?.files, node.files, wanted.files);
  if (JSON.stringify(files) !== JSON.stringify(node.files)) patch["files"] = files;
  return { patch, kept };
}

/** What was added on either side is in it, and what was removed on either side is not. */
export function mergeSet<T>(base: readonly T[] | undefined, here: readonly T[], there: readonly T[]): readonly T[] {
  const was = new Set(base);
  const says = new Set(there);
  const stays = here.filter((each) => says.has(each) || !was.has(each));
  const has = new Set(here);
  const added = there.filter((each) => !has.has(each) && !was.has(each));
  return added.length === 0 && stays.length === here.length ? here : [...stays, ...added];
}
