// Decides whether this program may use a plan's schema. Opening never migrates: an older schema needs `planwright upgrade`; a
// newer one works unless a later migration is marked breaking.

import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Database } from "../database.js";

/** The schema that this program was written for. */
export const SCHEMA = 12;

export interface SchemaState {
  readonly version: number;
  /** The latest breaking migration that was applied. */
  readonly breaking: number;
}

export async function readSchema(db: Database): Promise<SchemaState> {
  const rows = await db.all("select name, value from meta");
  const value = (name: string): number => Number(rows.find((row) => row["name"] === name)?.["value"] ?? 0);
  return { version: value("schema"), breaking: value("breaking") };
}

export function judgeSchema(state: SchemaState, known = SCHEMA): Result<void> {
  if (state.version < known) {
    return refused(
      "needs-upgrade",
      `This plan has schema ${state.version}; this program works with schema ${known}. The upgrade makes a backup first.`,
      { next: [step("upgrade")], details: { found: state.version, wanted: known } },
    );
  }
  if (state.breaking > known) {
    return refused(
      "newer-schema",
      `This plan was written by a newer planwright (schema ${state.version}); this program knows schema ${known}. Install the newer planwright. Nothing was changed.`,
      { details: { found: state.version, known } },
    );
  }
  return ok(undefined);
}
