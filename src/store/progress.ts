// How far a long job is, for whoever waits for it.

export interface WorkDone {
  /** One word for people: "Writing". */
  readonly doing: string;
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
  /** What is counted. */
  readonly unit: "node" | "change" | "operation";
}

export type ReportWork = (work: WorkDone) => void;
