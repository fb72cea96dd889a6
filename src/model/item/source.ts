// Where a node came from, and what its source said when it was imported last: so that another import knows what changed there and
// what you changed here.

import type { Nr } from "../node/node.js";

/** Short values as they were; of long ones a hash. What was empty is left out. */
export interface SourceBase {
  readonly title?: string;
  readonly body?: string;
  readonly checks?: string;
  readonly priority?: number;
  readonly estimateHours?: number;
  readonly files?: readonly string[];
  readonly labels?: readonly string[];
  /** Keys in the source. */
  readonly dependsOn?: readonly string[];
  readonly parent?: string;
  readonly progress?: string;
  /** Hashes. */
  readonly comments?: readonly string[];
}

export interface NodeOrigin {
  /** The tool, in lower case. */
  readonly state: string;
  readonly node: Nr;
  /** `<tool>:<container>:<id>`. */
  readonly key: string;
  readonly file: string;
  readonly line: number | null;
  readonly base: SourceBase;
}
