// Clones of this plan in other folders and on other machines, and how far this one knows them. It never goes back, not even by undo:
// what another clone did stays known.

export interface KnownClone {
  /** `own`: what this clone has told the others. */
  readonly state: "own" | "other";
  /** Whose it is, for people: `kim (laptop)`. */
  readonly name: string;
  /** Its last operation that is known. */
  readonly seq: number;
  /** The time of that operation, as clones count it. */
  readonly time: number;
  /** What it had seen by then. */
  readonly seen: Readonly<Record<string, number>>;
  /** A hash over all of its operations so far. */
  readonly digest: string;
  /** The document with the last of its operations, which names the one before. */
  readonly latest: string;
  readonly sealed: CloneSeal | null;
}

/** A person who has a key stands for what a clone says, up to one operation. */
export interface CloneSeal {
  readonly seq: number;
  readonly digest: string;
  /** Empty until the store has signed it. */
  readonly seal: string;
}

export const cloneText = (clone: string, { seq, digest }: CloneSeal): string =>
  ["planwright clone", clone, seq, digest].join("\n");
