// Records and runs: which hold for a run, and what becomes of those that it made.

import { contradictions } from "../../model/item/contradictions.js";
import { changeItem } from "../../model/item/item.js";
import type { PlanRecord } from "../../model/item/record.js";
import type { Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { contradicts } from "../../plan/node/check-records.js";
import { activeRecords } from "../../plan/record/save-record.js";
import type { Reader } from "../../store/store.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import type { Run } from "../driver/runs.js";
import { holding, judgedTask } from "../lint/judged.js";

/** Another run's assumptions are about another plan, unless they were made a feature's own. */
export async function recordsFor(
  reader: Reader,
  run: Run,
): Promise<readonly { readonly key: string; readonly record: PlanRecord }[]> {
  const node = run.fields.node === null ? undefined : await reader.node(run.fields.node);
  const records = await activeRecords(reader, node?.feature ?? null);
  // What the run itself assumes binds the run before a person approves it.
  const own = (await reader.items("record", { state: "proposed" })).filter(
    ({ fields }) => fields.run === run.key && fields.kind === "assumption",
  );
  return [...records, ...own]
    .filter(
      ({ fields: { kind, scope, run: by } }) =>
        kind !== "assumption" || scope !== null || by === null || by === run.key,
    )
    .map(({ key, fields }) => ({ key, record: fields }));
}

/** A plan is held against what holds at the moment of approval; against a reason, it may be approved all the same. */
export async function holdToRecords(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  despite: string | undefined,
): Promise<Result<string>> {
  const records = await recordsFor(reader, run);
  const found = contradictions(draft.tasks.map(judgedTask), holding(records));
  if (found.length === 0) return ok("");
  if (despite === undefined || despite.trim() === "") return contradicts(found);
  const keys = [...new Set(found.map(({ record }) => record))];
  return ok(`, despite ${keys.join(", ")}: ${despite.replace(/\s+/g, " ").trim()}`);
}

const madeBy = async (reader: Reader, run: string) =>
  (await reader.items("record", {})).filter(({ fields }) => fields.run === run);

/** The assumptions of an aborted run are no longer in force. */
export async function dropAssumptions(reader: Reader, run: string): Promise<Change[]> {
  const made = await madeBy(reader, run);
  const open = made.filter(({ fields: { kind, state } }) => kind === "assumption" && state !== "superseded");
  return open.flatMap((item) => changeItem(item, { state: "superseded" }));
}

/** The assumptions of a plan with one feature are that feature's. */
export async function placeAssumptions(reader: Reader, run: string, feature: Nr): Promise<Change[]> {
  const made = await madeBy(reader, run);
  return made
    .filter(({ fields: { kind, scope } }) => kind === "assumption" && scope === null)
    .flatMap((item) => changeItem(item, { scope: feature }));
}
