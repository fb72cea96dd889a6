// The clarifier's assumptions become proposed records: you can see and replace them, and they come into force when you approve
// the plan that rests on them.

import type { Change } from "../../model/operation/change.js";
import { saveRecord } from "../../plan/record/save-record.js";
import type { Writer } from "../../store/store.js";
import type { Run } from "../driver/runs.js";

export async function assume(
  writer: Writer,
  run: Run,
  assumptions: readonly { readonly text: string; readonly because: string }[],
  { actor, at }: { readonly actor: string; readonly at: number },
): Promise<Change[]> {
  if (assumptions.length === 0) return [];
  const records = [
    ...(await writer.items("record", { state: "active" })),
    ...(await writer.items("record", { state: "proposed" })),
  ];
  const known = new Set(records.map(({ fields }) => fields.title));
  const changes: Change[] = [];
  for (const { text, because } of assumptions) {
    const title = text.replace(/\s+/g, " ").trim();
    if (title === "" || known.has(title)) continue;
    known.add(title);
    const record = { kind: "assumption", title, because, run: run.key, proposed: true } as const;
    changes.push(...(await saveRecord(writer, record, { by: actor, at })).changes);
  }
  return changes;
}
