// Lists what planning runs produced, and finds out what of it is stale.

import { type Artifact, type ArtifactKind, staleArtifacts } from "../../model/item/artifact.js";
import type { Item } from "../../model/item/item.js";
import { idKey } from "../../model/node/ids.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { findItem } from "../../plan/item/find-item.js";
import { nameOfNode } from "../../plan/record/record-view.js";
import { resolve } from "../../plan/resolve.js";
import { isoTime } from "../../plan/view.js";
import { hashFile } from "../../plan/workspace-file.js";
import type { Reader } from "../../store/store.js";

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
  /** Of the runs that planned this node, or are planning it. */
  readonly node?: string;
  readonly run?: string;
  readonly kind?: ArtifactKind;
}

export function listArtifacts(
  context: Context,
  { node, run, kind }: ArtifactsInput = {},
): Promise<Result<ArtifactView[]>> {
  return context.store.read(async (reader) => {
    const of = run === undefined ? undefined : await findItem(reader, "run", run);
    if (of && !of.ok) return of;
    const runs = node === undefined ? undefined : await runsOf(reader, node, context.actor);
    if (runs && !runs.ok) return runs;
    const found = await reader.items("artifact", of ? { owner: of.value.key } : {});
    const all = runs ? found.filter(({ fields }) => runs.value.has(fields.run)) : found;
    const stale = staleNow(context, all);
    const views: ArtifactView[] = [];
    for (const item of all) {
      if ((kind ?? item.fields.kind) === item.fields.kind) views.push(await toArtifactView(reader, item, stale));
    }
    return ok(views);
  });
}

/** A run knows which nodes it added or changed, and which node it is about. */
async function runsOf(reader: Reader, reference: string, actor: string): Promise<Result<ReadonlySet<string>>> {
  const node = await resolve(reader, reference, actor);
  if (!node.ok) return node;
  const { id, nr } = node.value;
  const isAbout = ({ fields }: Item<"run">): boolean =>
    fields.node === nr || Object.values(fields.applied).some((each) => idKey(each) === idKey(id));
  return ok(new Set((await reader.items("run", {})).filter(isAbout).map(({ key }) => key)));
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
