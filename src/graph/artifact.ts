// What a planning run leaves behind: typed texts, each stored once under its hash, and what it was made from.

import type { Actor } from "./actor.js";
import type { Nr } from "./node.js";

export const ARTIFACT_KINDS = [
  "spec",
  "research",
  "clarification",
  "capability-map",
  "file-map",
  "draft",
  "findings",
  "verification",
  "plan",
] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

export interface Artifact {
  readonly kind: ArtifactKind;
  readonly run: string;
  /** Counts the artifacts of a kind in a run: no two share one. */
  readonly round: number;
  /** Of the text, under which it is kept. */
  readonly hash: string;
  readonly bytes: number;
  readonly format: "markdown" | "json" | "text";
  /** Keys of the artifacts that it was made from. */
  readonly from: readonly string[];
  /** The file that a spec was read from, relative to the workspace; null for an idea or a stream. */
  readonly source: string | null;
  /** The feature or other node that it is about. */
  readonly node: Nr | null;
  readonly createdAt: number;
  readonly createdBy: Actor;
}
