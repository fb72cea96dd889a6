// One import while it is decided: what was read, where it goes, and the changes so far.

import type { KnownItem } from "../../model/item/source.js";
import type { Freeze, Node, Nr, Tier } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import type { Writer } from "../../store/store.js";
import type { Place, SourceRemark } from "../source/source.js";
import type { KeptEdge } from "./edges.js";
import type { Importing } from "./facts.js";
import type { Placed } from "./place.js";

/** One item with everything that is decided about it. */
export interface ImportEntry {
  readonly placed: Placed;
  readonly nr: Nr;
  readonly id: string;
  readonly existing: Node | undefined;
  /** What the source said at the last import. */
  readonly known: KnownItem | undefined;
}

export interface ImportedNode {
  readonly id: string;
  readonly title: string;
  readonly tier: Tier;
}

export interface ChangedNode extends ImportedNode {
  readonly fields: readonly string[];
}

export class ImportRun {
  readonly writer: Writer;
  readonly importing: Importing;
  readonly mission: Nr;
  readonly changes: Change[] = [];
  readonly findings: SourceRemark[] = [];
  readonly added: ImportedNode[] = [];
  readonly changed: ChangedNode[] = [];
  readonly kept: { readonly id: string; readonly fields: readonly string[] }[] = [];
  readonly comments: { readonly node: Nr; readonly text: string }[] = [];
  /** What holds for everything in a new container. */
  readonly freezes = new Map<Nr, Freeze>();
  readonly archives = new Map<Nr, Nr>();
  /** What the source says now, by key. */
  readonly remembered = new Map<string, KnownItem>();
  entries: ReadonlyMap<string, ImportEntry> = new Map();
  edges: ReadonlyMap<string, readonly KeptEdge[]> = new Map();

  constructor(writer: Writer, importing: Importing, mission: Nr) {
    this.writer = writer;
    this.importing = importing;
    this.mission = mission;
  }

  note(at: Place, message: string): void {
    this.findings.push({ at, message });
  }

  nrOf(key: string | null): Nr {
    return key === null ? this.mission : (this.entries.get(key) as ImportEntry).nr;
  }

  featureOf({ tier, item, parent }: Placed): string | undefined {
    if (tier === "feature") return item.key;
    const above = parent === null ? undefined : this.entries.get(parent);
    return above && this.featureOf(above.placed);
  }
}
