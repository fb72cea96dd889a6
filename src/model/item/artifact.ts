// What a planning run produces: typed texts, each stored once under its hash, with what it was made from.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";

export const ARTIFACT_KINDS = [
  "spec",
  "research",
  "clarification",
  "capability-map",
  "file-map",
  "draft",
  "findings",
  "responses",
  "verification",
  "plan",
] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

export interface Artifact {
  readonly kind: ArtifactKind;
  readonly run: string;
  /** Counts the artifacts of a kind in a run: no two share one. */
  readonly round: number;
  /** The hash under which the text is kept. */
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

export interface KeyedArtifact {
  readonly key: string;
  readonly fields: Pick<Artifact, "kind" | "run" | "round" | "hash" | "from" | "source">;
}

/** Everything that an artifact was made from, over any number of steps. Itself, only if the links go round. */
function originsOf({ fields }: KeyedArtifact, byKey: ReadonlyMap<string, KeyedArtifact>): Set<string> {
  const origins = new Set<string>();
  const open = [...fields.from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (origins.has(next)) continue;
    origins.add(next);
    open.push(...(byKey.get(next)?.fields.from ?? []));
  }
  return origins;
}

/**
 * Stale artifacts, each with the reason: one of its sources has a newer round that it was not made from, or the spec's
 * file has changed since it was read. `hashNow` gives a file's hash, null if it is gone, undefined if it was not read.
 */
export function staleArtifacts(
  artifacts: readonly KeyedArtifact[],
  hashNow: (source: string) => string | null | undefined,
): Map<string, string> {
  const byKey = new Map(artifacts.map((artifact) => [artifact.key, artifact]));
  const origins = new Map(artifacts.map((artifact) => [artifact.key, originsOf(artifact, byKey)]));
  const latest = new Map<string, KeyedArtifact>();
  const series = ({ fields }: KeyedArtifact): string => `${fields.run} ${fields.kind}`;
  for (const artifact of artifacts) {
    const known = latest.get(series(artifact));
    if (!known || known.fields.round < artifact.fields.round) latest.set(series(artifact), artifact);
  }
  const changed = ({ fields }: KeyedArtifact): string | undefined => {
    const now = fields.kind === "spec" && fields.source !== null ? hashNow(fields.source) : undefined;
    if (now === undefined || now === fields.hash) return undefined;
    return `${fields.source as string} ${now === null ? "is no longer there" : "was changed since it was read"}`;
  };
  const stage = ({ fields }: KeyedArtifact): number => ARTIFACT_KINDS.indexOf(fields.kind);
  const replaced = (artifact: KeyedArtifact, origin: KeyedArtifact): string | undefined => {
    const newest = latest.get(series(origin)) as KeyedArtifact;
    // Findings that a revision answers come from the stage behind it: newer findings are about the revision.
    if (stage(origin) >= stage(artifact) || newest.key === origin.key) return undefined;
    if (origins.get(artifact.key)?.has(newest.key)) return undefined;
    return `it comes from ${origin.key}, which ${newest.key} replaced`;
  };
  const stale = new Map<string, string>();
  for (const artifact of artifacts) {
    const known = [...(origins.get(artifact.key) as Set<string>)].flatMap((key) => byKey.get(key) ?? []);
    const reasons = [...[artifact, ...known].map(changed), ...known.map((origin) => replaced(artifact, origin))];
    const why = reasons.find((reason) => reason !== undefined);
    if (why !== undefined) stale.set(artifact.key, why);
  }
  return stale;
}
