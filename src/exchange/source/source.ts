// What a reader brings from another tool, before anything of it is in the plan: items with the tool's own ids and words, and a list
// of what could not be carried over.

import type { Check, Tier } from "../../model/node/node.js";

/** Where something was written. */
export interface Place {
  readonly file: string;
  readonly line?: number | undefined;
}

/** What a status word of another tool comes to. `active` and `review` are comments: a status is derived. */
export type SourceProgress = "open" | "active" | "review" | "done" | "dropped" | "waived" | "frozen" | "rejected";

export interface SourceItem {
  /** Unique in all sources, and the same at every import: `<tool>:<container>:<id>`. */
  readonly key: string;
  /** As the tool names it. */
  readonly id: string;
  /** The id to give it in the plan, if that is free. Without one it gets the next number. */
  readonly displayId?: string | undefined;
  readonly title: string;
  readonly body?: string | undefined;
  /** Keys of other items. */
  readonly parent?: string | null | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  /** Keys of items that come before it, only because the source lists them so. */
  readonly after?: readonly string[] | undefined;
  /** The tool's word. */
  readonly status: string | null;
  readonly progress: SourceProgress;
  /** Why it was finished, dropped or stopped, in the words of the source. */
  readonly reason?: string | undefined;
  readonly isArchived?: boolean | undefined;
  /** Why it stays out of the plan unless it is there already: deleted in the tool, or no work at all. */
  readonly leftOut?: string | undefined;
  /** A heading or a folder: without tasks in it there is nothing to import. */
  readonly isGroup?: boolean | undefined;
  /** What it should be in the plan, where the tool has such a thing. */
  readonly tier?: Exclude<Tier, "task" | "mission"> | undefined;
  readonly isGate?: boolean | undefined;
  readonly files?: readonly string[] | undefined;
  readonly checks?: readonly Check[] | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly priority?: number | null | undefined;
  readonly estimateHours?: number | null | undefined;
  readonly comments?: readonly string[] | undefined;
  /** An export wrote it: the node that it is about. Then only progress is read, and what is new. */
  readonly uuid?: string | undefined;
  readonly at: Place;
}

/** Something that could not be carried over, or was changed on the way. */
export interface SourceRemark {
  readonly at: Place;
  readonly message: string;
}

export interface SourceRead {
  /** What the tool is called. */
  readonly tool: string;
  /** What a feature for everything without one is called. */
  readonly title: string;
  readonly items: readonly SourceItem[];
  readonly findings: readonly SourceRemark[];
  /** The tool lets work go on that waits for something cancelled. */
  readonly droppedFrees?: boolean;
  /** Its sub-tasks do not wait for what their parent waits for. */
  readonly looseParents?: boolean;
}

/** Collects what a reader finds. Ids may be anything, so they are keys of maps, never of objects. */
export class Collected {
  readonly items: SourceItem[] = [];
  readonly findings: SourceRemark[] = [];

  note(at: Place, message: string): void {
    this.findings.push({ at, message });
  }
}

export const placeText = ({ file, line }: Place): string => (line === undefined ? file : `${file}:${line}`);

/** The file is broken or refused. Nothing of it is imported. */
export class SourceProblem extends Error {
  readonly at: Place & { readonly column?: number | undefined };

  constructor(at: SourceProblem["at"], problem: string) {
    super(problem);
    this.at = at;
  }
}

/** How messages name an item: by its own id, or by its title where it has none. */
export const itemName = ({ displayId, title }: Pick<SourceItem, "displayId" | "title">): string =>
  displayId ?? `"${title.length > 60 ? `${title.slice(0, 59)}…` : title}"`;
