// Lists what planning runs produced, and finds out what of it is stale.

import { type Artifact, type ArtifactKind, staleArtifacts } from "../../graph/item/artifact.js";
import type { Item } from "../../graph/item/item.js";
import { ok, type Result } from "../../graph/result.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { nameOfNode } from "../record/record-view.js";
import { isoTime } from "../view.js";
import { hashFile } from "../workspace-file.js";
import { findItem } from "./find-item.js";

export interface ArtifactView
  extends Pick<Artifact, "kind" | "run" | "round" | "hash" | "bytes" | "format" | "from" | "source"> {
  readonly id: string;
  readonly node: string | null;
  /** Why it is out of date; null if it is not. */
  readonly stale: string | null;
  readonly createdAt: string;
  readonly createdBy: string;
}

export interface ArtifactsInput {
  readonly run?: string;
  readonly kind?: ArtifactKind;
}

export function listArtifacts(context: Context, { run, kind }: ArtifactsInput = {}): Promise<Result<ArtifactView[]>> {
  return context.store.read(async (reader) => {
    const of = run === undefined ? undefined : await findItem(reader, "run", run);
    if (of && !of.ok) return of;
    const all = await reader.items("artifact", of ? { owner: of.value.key } : {});
    const stale = staleNow(context, all);
    const views: ArtifactView[] = [];
    for (const item of all) {
      if ((kind ?? item.fields.kind) === item.fields.kind) views.push(await toArtifactView(reader, item, stale));
    }
    return ok(views);
  });
}

/** A file outside of the workspace is never read. */
export function staleNow(context: Context, items: readonly Item<"artifact">[]): Map<string, string> {
  const hashes = new Map<string, string | null | undefined>();
  const look = (source: string): string | null | undefined => {
    const hash = hashFile(context.root, source);
    return hash === null ? undefined : hash || null;
  };
  return staleArtifacts(items, (source) => {
    if (!hashes.has(source)) hashes.set(source, look(source));
    return hashes.get(source);
  });
}

export const toArtifactView = async (
  reader: Reader,
  { key, fields }: Item<"artifact">,
  stale: ReadonlyMap<string, string>,
): Promise<ArtifactView> => ({
  id: key,
  kind: fields.kind,
  run: fields.run,
  round: fields.round,
  hash: fields.hash,
  bytes: fields.bytes,
  format: fields.format,
  from: fields.from,
  source: fields.source,
  node: fields.node === null ? null : await nameOfNode(reader, fields.node),
  stale: stale.get(key) ?? null,
  createdAt: isoTime(fields.createdAt),
  createdBy: fields.createdBy,
});
