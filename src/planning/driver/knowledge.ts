// What is known around a run that is no artifact of it: the node it is about, answers, records, lessons.

import type { PlanRecord } from "../../model/item/record.js";
import type { Brief, Material } from "../roles/brief.js";

export interface Knowledge {
  readonly node: Brief["node"];
  readonly answers: Brief["answers"];
  readonly records: readonly { readonly key: string; readonly record: PlanRecord }[];
  readonly memories: readonly string[];
  readonly materials: readonly Material[];
  /** Nodes of the draft that are done, approved or in progress. */
  readonly settled: Brief["settled"];
  readonly initiatives: Brief["initiatives"];
  /** Why the last reply was sent back. */
  readonly problems: readonly string[];
  /** How much of the spec one call is given. */
  readonly partTokens: number;
  readonly windowTokens: number;
}
