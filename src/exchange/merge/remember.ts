// What the source said is kept beside the node, for the next import.

import { changeItem, createItem } from "../../model/item/item.js";
import type { NodeOrigin } from "../../model/item/source.js";
import { uuidOf } from "../source/identity.js";
import type { ImportEntry, ImportRun } from "./run.js";
import { type SourceContent, sourceBase } from "./three-way.js";

export function rememberSource(run: ImportRun, { placed, nr, source }: ImportEntry, wanted: SourceContent): void {
  const { key, at } = placed.item;
  const edges = (run.edges.get(key) ?? []).map(({ on }) => on);
  const fields: NodeOrigin = {
    state: run.importing.tool,
    node: nr,
    key,
    file: at.file,
    line: at.line ?? null,
    base: sourceBase(placed, wanted, edges),
  };
  if (!source) {
    run.changes.push(createItem("source", uuidOf(placed.item), fields));
    return;
  }
  // A line that moved alone is no change.
  const { line } = source.fields;
  run.changes.push(
    ...changeItem(source, { ...fields, line: changeItem(source, { ...fields, line }).length > 0 ? fields.line : line }),
  );
}
