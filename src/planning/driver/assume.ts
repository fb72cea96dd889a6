// The clarifier's assumptions become records, active at once, so that you can see and replace them.

import { saveRecord } from "../../actions/record/save-record.js";
import type { Change } from "../../graph/operation/change.js";
import type { Writer } from "../../store/store.js";
import type { Run } from "./runs.js";

export async function assume(
  writer: Writer,
  run: Run,
  assumptions: readonly { readonly text: string; readonly because: string }[],
  { actor, at }: { readonly actor: string; readonly at: number },
): Promise<Change[]> {
  if (assumptions.length === 0) return [];
  const known = new Set((await writer.items("record", { state: "active" })).map(({ fields }) => fields.title));
  const changes: Change[] = [];
  for (const { text, because } of assumptions) {
    const title = text.replace(/\s+/g, " ").trim();
    if (title === "" || known.has(title)) continue;
    known.add(title);
    const record = { kind: "assumption", title, because, run: run.key } as const;
    changes.push(...(await saveRecord(writer, record, { by: actor, at })).changes);
  }
  return changes;
}
