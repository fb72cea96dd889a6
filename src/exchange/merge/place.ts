// Where items of a source go in the plan, whose tasks have no children: what has children becomes a story, or a feature if those
// have children too, and everything deeper is flattened.

import { append } from "../../base/append.js";
import type { Tier } from "../../model/node/node.js";
import { itemName, type SourceItem, type SourceRead, type SourceRemark } from "../source/source.js";

export interface Placed {
  readonly item: SourceItem;
  readonly tier: Tier;
  /** Null: below the mission. */
  readonly parent: string | null;
  /** Titles of containers that the plan has no tier for. */
  readonly path: readonly string[];
  /** What it has to wait for besides, because it contained them. */
  readonly contained: readonly string[];
}

export interface PlacedItems {
  /** Parents before children. */
  readonly placed: readonly Placed[];
  readonly findings: readonly SourceRemark[];
}

/** The feature for what has none. */
export const homeKey = (read: Pick<SourceRead, "tool" | "title">): string => `${read.tool}::${read.title}`;

export const placeItems = (read: SourceRead, tierInPlan: (key: string) => Tier | undefined): PlacedItems =>
  new Placer(read, tierInPlan).place();

class Placer {
  readonly #read: SourceRead;
  readonly #tierInPlan: (key: string) => Tier | undefined;
  readonly #placed: Placed[] = [];
  readonly #findings: SourceRemark[] = [];
  readonly #children = new Map<string | null, SourceItem[]>();
  readonly #heights = new Map<string, number>();
  #home: string | null = null;

  constructor(read: SourceRead, tierInPlan: (key: string) => Tier | undefined) {
    this.#read = read;
    this.#tierInPlan = tierInPlan;
  }

  place(): PlacedItems {
    this.#hang();
    const roots = this.#childrenOf(null);
    const only = roots.length === 1;
    for (const root of roots) this.#root(root, only);
    return { placed: this.#placed, findings: this.#findings };
  }

  #childrenOf(key: string | null): readonly SourceItem[] {
    return this.#children.get(key) ?? [];
  }

  /** Puts every item below its parent. A parent that is missing, or that goes in circles, is none. */
  #hang(): void {
    const here = this.#read.items.filter(
      (item) => item.leftOut === undefined || this.#tierInPlan(item.key) !== undefined,
    );
    const items = new Map(here.map((item) => [item.key, item]));
    const all = new Set(this.#read.items.map(({ key }) => key));
    const looped = loops(items);
    for (const item of this.#read.items) {
      const { parent = null } = item;
      if (item.leftOut !== undefined && this.#tierInPlan(item.key) === undefined) {
        this.#note(item, `It was left out: ${item.leftOut}.`);
        continue;
      }
      const isLeftOut = parent !== null && !items.has(parent) && all.has(parent);
      const isKnown = parent === null || items.has(parent) || isLeftOut;
      if (!isKnown) this.#note(item, `Its parent ${idInKey(parent)} is not in the source, so it stands at the top.`);
      if (looped.has(item.key)) this.#note(item, "Its parents go in a circle, so it stands at the top.");
      append(this.#children, isKnown && !isLeftOut && !looped.has(item.key) ? parent : null, item);
    }
    this.#measure();
    for (const [key, list] of this.#children) {
      this.#children.set(
        key,
        list.filter((item) => !this.#isEmpty(item)),
      );
    }
  }

  /** How many levels are below each item: without recursion, for a list may be nested without end. */
  #measure(): void {
    const order: SourceItem[] = [];
    for (const queue = [...this.#childrenOf(null)]; queue.length > 0; ) {
      const item = queue.pop() as SourceItem;
      order.push(item);
      queue.push(...this.#childrenOf(item.key));
    }
    for (const item of order.reverse()) {
      const below = this.#childrenOf(item.key).map((child) => (this.#isEmpty(child) ? 0 : this.#heightOf(child) + 1));
      this.#heights.set(
        item.key,
        below.reduce((high, each) => Math.max(high, each), 0),
      );
    }
  }

  #heightOf(item: SourceItem): number {
    return this.#heights.get(item.key) ?? 0;
  }

  /** A heading or a folder with nothing to do in it. */
  #isEmpty(item: SourceItem): boolean {
    return item.isGroup === true && this.#heightOf(item) === 0;
  }

  #note(item: SourceItem, message: string): void {
    this.#findings.push({ at: item.at, message: `${itemName(item)}: ${message}` });
  }

  #put(item: SourceItem, tier: Tier, parent: string | null, rest: Partial<Placed> = {}): void {
    this.#placed.push({ item, tier, parent, path: [], contained: [], ...rest });
  }

  #root(item: SourceItem, isOnly: boolean): void {
    const known = this.#tierInPlan(item.key);
    if (known === "mission") {
      for (const child of this.#childrenOf(item.key)) this.#root(child, false);
      return;
    }
    if ((item.tier === "initiative" && known !== "task") || known === "initiative") {
      this.#put(item, "initiative", null);
      for (const child of this.#childrenOf(item.key)) this.#feature(child, item.key);
      return;
    }
    const height = this.#heightOf(item);
    const isFeature =
      known === undefined ? item.tier === "feature" || height >= 2 || (isOnly && height === 1) : known === "feature";
    if (isFeature) this.#feature(item, null);
    else this.#inFeature(item, this.#homeOf(item));
  }

  /** One feature, named after the source. */
  #homeOf({ at }: SourceItem): string {
    if (this.#home === null) {
      this.#home = homeKey(this.#read);
      const { title } = this.#read;
      const item: SourceItem = {
        key: this.#home,
        id: title,
        title,
        status: null,
        progress: "open",
        isGroup: true,
        at: { file: at.file },
      };
      this.#put(item, "feature", null);
    }
    return this.#home;
  }

  #feature(item: SourceItem, parent: string | null): void {
    this.#put(item, "feature", parent);
    for (const child of this.#childrenOf(item.key)) this.#inFeature(child, item.key);
  }

  #inFeature(item: SourceItem, feature: string): void {
    const known = this.#tierInPlan(item.key);
    if (this.#childrenOf(item.key).length === 0 && item.tier !== "story") {
      this.#put(item, known ?? "task", feature);
      return;
    }
    if (known === "task") {
      this.#note(item, "It is a task in the plan and has children now, so they stand beside it.");
      this.#flatten(item, feature, []);
      return;
    }
    this.#put(item, "story", feature);
    for (const child of this.#childrenOf(item.key)) {
      if (this.#childrenOf(child.key).length === 0) this.#put(child, "task", item.key);
      else this.#flatten(child, item.key, []);
    }
  }

  /** Everything in it stands side by side in the story; what it was in is kept in the text. */
  #flatten(root: SourceItem, parent: string, above: readonly string[]): void {
    const queue: { item: SourceItem; path: readonly string[] }[] = [{ item: root, path: above }];
    while (queue.length > 0) {
      const { item, path } = queue.shift() as { item: SourceItem; path: readonly string[] };
      const children = this.#childrenOf(item.key);
      if (children.length > 0)
        this.#note(item, "It is nested deeper than a plan goes, so what it contains stands beside it.");
      if (!item.isGroup || children.length === 0) {
        const contained = children.flatMap((child) => (child.isGroup ? [] : [child.key]));
        this.#put(item, "task", parent, { path, contained });
      }
      queue.push(...children.map((child) => ({ item: child, path: [...path, item.title].slice(-20) })));
    }
  }
}

/** Items whose parents lead back to themselves. */
function loops(items: ReadonlyMap<string, SourceItem>): Set<string> {
  const safe = new Set<string>();
  const looped = new Set<string>();
  for (const start of items.values()) {
    const way = new Set<string>();
    let at: SourceItem | undefined = start;
    while (at && !safe.has(at.key) && !looped.has(at.key) && !way.has(at.key)) {
      way.add(at.key);
      at = at.parent == null ? undefined : items.get(at.parent);
    }
    const isLoop = at !== undefined && way.has(at.key);
    if (isLoop) looped.add((at as SourceItem).key);
    else for (const key of way) safe.add(key);
  }
  return looped;
}

/** The id at the end of a key. */
export const idInKey = (key: string): string => key.slice(key.indexOf(":", key.indexOf(":") + 1) + 1);
