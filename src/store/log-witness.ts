// What is known about a log outside of the plan's file.

/** Something outside of the plan's file that knows how far the log went. */
export interface LogWitness {
  /** For a message: "the git repository". */
  readonly source: string;
  readonly op: number;
  /** Null if only the number is known. */
  readonly link: string | null;
  /** The link of the plan's first operation, which no other plan has. */
  readonly first?: string | null;
  readonly chainedFrom?: number | null;
  /** When that operation happened. A restored backup since then may have taken it out of the plan. */
  readonly at?: number;
}

/** An operation and its hash, which covers everything before it. */
export interface LogLink {
  readonly op: number;
  readonly link: string;
}

export interface PlanEnd extends LogLink {
  /** The link of the first operation. */
  readonly first: string;
  readonly chainedFrom: number;
}
