import { isoTime } from "../../model/iso-time.js";
import { ARTIFACT_KINDS, staleArtifacts } from "../../model/item/artifact.js";
import type { Item } from "../../model/item/item.js";
import { idKey } from "../../model/node/ids.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { resolve } from "../../plan/base/resolve.js";
import { hashFile } from "../../plan/base/workspace-file.js";
import { findItem } from "../../plan/item/find-item.js";
import { nameOfNode } from "../../plan/record/record-view.js";
import type { Reader } from "../../store/store.js";
import { choice, fields, type Infer, key, node, optional, planVerb, type Style, step, widest } from "../kit/verb.js";
import { harmless } from "../kit/wording.js";

export const input = fields({
  node: optional(node("only of the runs that planned this node, or are planning it")),
  run: optional(key("run", "only of this planning run", "RUN")),
  kind: optional(choice(ARTIFACT_KINDS, "only this kind", "KIND")),
});

export const verb = planVerb({
  command: { words: "artifact", group: "record", positional: ["node"], aliases: ["artifact list", "artifacts"] },
  summary: "List what planning runs produced",
  description:
    "Specs, maps, drafts, findings and plans, each with its round. An artifact is stale when something that it was made from was replaced, or when the spec's file has changed.",
  effect: "reads",
  input,
  examples: [
    { input: { node: "FEAT-001" }, does: "lists the spec, the drafts, the reviews and the plan of a feature" },
    { input: { run: "RUN-001" }, does: "lists what one run made, in order" },
    { input: { kind: "findings" }, does: "lists all findings" },
  ],
  run: listArtifacts,
  text: (found, style) => (found.length === 0 ? style.dim("No artifacts.") : renderArtifacts(found, style)),
  note: (found) => {
    const stale = firstStale(found);
    return stale ? `${stale.id} is stale: ${stale.stale ?? ""}.` : "";
  },
  next: (found) => {
    const stale = firstStale(found);
    if (stale) return [step("plan.revise", { run: stale.run }, "note")];
    return found[0] ? [step("show", { reference: found[0].id })] : [];
  },
});

const firstStale = (found: readonly ArtifactView[]) => found.find(({ stale }) => stale !== null);

function renderArtifacts(found: readonly ArtifactView[], style: Style): string {
  const kinds = widest(found.map(({ kind, round }) => `${kind} ${round}`));
  const sizes = widest(found.map(({ bytes }) => sizeOf(bytes)));
  return found
    .map(({ id, kind, round, run, bytes, hash, source, stale }) => {
      const state = stale === null ? "" : style.yellow("  stale");
      const file = source === null ? "" : style.dim(`  ${harmless(source)}`);
      const name = `${kind} ${round}`.padEnd(kinds);
      return `${style.bold(id)}  ${name}  ${style.dim(run)}  ${sizeOf(bytes).padStart(sizes)}  ${style.dim(hash.slice(0, 12))}${file}${state}`;
    })
    .join("\n");
}

export type ArtifactView = Awaited<ReturnType<typeof toArtifactView>>;

export function listArtifacts(context: Context, { node, run, kind }: Infer<typeof input> = {}) {
  return context.store.read(async (reader) => {
    const of = run === undefined ? undefined : await findItem(reader, "run", run);
    if (of && !of.ok) return of;
    const runs = node === undefined ? undefined : await runsOf(reader, node, context);
    if (runs && !runs.ok) return runs;
    const found = await reader.items("artifact", of ? { owner: of.value.key } : {});
    const all = runs ? found.filter(({ fields }) => runs.value.has(fields.run)) : found;
    const stale = staleNow(context, all);
    const wanted = all.filter(({ fields }) => (kind ?? fields.kind) === fields.kind);
    return ok(await Promise.all(wanted.map((item) => toArtifactView(reader, item, stale))));
  });
}

/** A run knows which nodes it added or changed, and which node it is about. */
async function runsOf(reader: Reader, reference: string, context: Context): Promise<Result<ReadonlySet<string>>> {
  const node = await resolve(reader, reference, context);
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
) => ({
  id: key,
  ...fields,
  node: fields.node === null ? null : await nameOfNode(reader, fields.node),
  stale: stale.get(key) ?? null,
  createdAt: isoTime(fields.createdAt),
});

const sizeOf = (bytes: number): string => (bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`);
