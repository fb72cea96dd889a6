// What another tool said at the last import, so that the next one knows what changed there and what you changed here. It is one text
// for each tool: a row for each node would take as long to write as the nodes.

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

/** One item of the tool. */
export interface KnownItem {
  /** Of its node. */
  readonly uuid: string;
  /** `<tool>:<container>:<id>`. */
  readonly key: string;
  readonly file: string;
  readonly base: SourceBase;
}

export interface ImportedSource {
  /** The tool. */
  readonly state: string;
  /** The hash of a document: every `KnownItem` of the tool, as JSON. */
  readonly known: string;
}
