// Stores what a planning run made, as a step of an operation: the text once under its hash, with a round number that is
// never used twice for the same kind and run.

import type { Artifact } from "../../model/item/artifact.js";
import { createItem } from "../../model/item/item.js";
import { itemKey } from "../../model/item/item-key.js";
import type { Writer } from "../../store/store.js";
import type { Maker } from "../record/save-record.js";

export interface NewArtifact extends Pick<Artifact, "kind" | "run" | "format"> {
  readonly text: string;
  readonly from?: readonly string[];
  readonly source?: string | null;
  readonly node?: Artifact["node"];
}

export async function saveArtifact(writer: Writer, made: NewArtifact, { by, at }: Maker) {
  const { kind, run, format, text } = made;
  const known = await writer.items("artifact", { owner: run, state: kind });
  const highest = Math.max(0, ...known.map(({ fields }) => fields.round));
  // A counter, because artifacts that were undone or made by this same operation count too.
  let round = await writer.number(`round ${kind} ${run}`);
  while (round <= highest) round = await writer.number(`round ${kind} ${run}`);
  const key = itemKey("ART", await writer.number("ART"), 5);
  const fields: Artifact = {
    kind,
    run,
    round,
    hash: await writer.keep(text),
    bytes: Buffer.byteLength(text),
    format,
    from: made.from ?? [],
    source: made.source ?? null,
    node: made.node ?? null,
    createdAt: at,
    createdBy: by,
  };
  return { key, fields, changes: [createItem("artifact", key, fields)] };
}
