// What a plan that waits for approval would take away: open nodes, and the claims of people and agents who work on them.

import type { Reader } from "../../store/store.js";
import { currentDraft } from "../driver/refusals.js";
import type { Run } from "../driver/runs.js";
import { compare } from "./compare.js";
import { namesIn, renamed } from "./scope.js";

export interface PlannedDrops {
  readonly ids: readonly string[];
  /** Those of them that somebody works on now. */
  readonly claimed: readonly string[];
}

const NO_DROPS: PlannedDrops = { ids: [], claimed: [] };

export async function plannedDrops(reader: Reader, run: Run): Promise<PlannedDrops> {
  if (run.machine.wait.for !== "approval") return NO_DROPS;
  const draft = await currentDraft(reader, run);
  if (!draft.ok) return NO_DROPS;
  const named = renamed(draft.value, namesIn(draft.value, run.fields.applied));
  const { diff, dropped } = await compare(reader, run, named);
  const claimed = dropped.filter(({ claim }) => claim !== null);
  return { ids: diff.dropped.map(({ id }) => id), claimed: claimed.map(({ id }) => id) };
}
