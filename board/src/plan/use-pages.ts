// In a large plan only the pages of the tree are loaded that can be seen. What is on the screen is asked again when the plan changes;
// the rest keeps its place.

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useReads } from "../api/reads.js";
import type { StatusTree } from "../api/types.js";
import { useMoment } from "../frame/route.js";
import { setOpen } from "./open-branches.js";
import { Branches, PAGE, type PageOf, type Pages } from "./pages.js";

export interface LargeTree {
  readonly tree: readonly StatusTree[];
  /** Branches that were opened by hand. */
  readonly opened: readonly string[];
  readonly item: string | null;
}

export interface PagedTree {
  readonly paged: (id: string) => readonly StatusTree[] | undefined;
  readonly show: (nodes: readonly StatusTree[]) => void;
}

const keyOf = ({ reference, from }: PageOf): string => `${reference} ${from}`;

/** Nodes of which the tree has only the first children. */
function cutIn(tree: readonly StatusTree[]): StatusTree[] {
  return tree.flatMap((node) => [...((node.more ?? 0) > 0 ? [node] : []), ...cutIn(node.children)]);
}

/** Pages on the way to a node: those of its own row, and of everything around it. Opens what is around it. */
function useWayTo(item: string | null): readonly PageOf[] {
  const [own] = useReads("children", item === null ? [] : [{ reference: item, limit: 1 }]);
  const around = useMemo(() => own?.above.map(({ id }) => id) ?? [], [own]);
  const above = useReads(
    "children",
    around.map((reference) => ({ reference, limit: 1 })),
  );
  useEffect(() => {
    for (const id of around) setOpen(id, true);
  }, [item, around.join(" ")]);
  return useMemo(() => {
    const ways: PageOf[] = [];
    for (const page of [own, ...above]) {
      const reference = page?.above[0]?.id;
      if (page && reference !== undefined && page.index !== null)
        ways.push({ reference, from: Math.floor(page.index / PAGE) * PAGE });
    }
    return ways;
  }, [own, above]);
}

export function usePages(large: LargeTree | null): PagedTree {
  const moment = useMoment();
  const branches = useRef<{ readonly at: number | null; readonly known: Branches }>(undefined);
  if (branches.current?.at !== moment || !branches.current) branches.current = { at: moment, known: new Branches() };
  const { known } = branches.current;
  const [seen, setSeen] = useState<readonly PageOf[]>([]);
  const way = useWayTo(large?.item ?? null);
  const cut = useMemo(() => cutIn(large?.tree ?? []), [large?.tree]);
  const opened = large?.opened.join(" ") ?? "";
  const wanted = useMemo(() => {
    if (!large) return [];
    const first = large.opened.filter((id) => !known.knows(id)).map((reference) => ({ reference, from: 0 }));
    const ofTree = new Set(cut.map(({ id }) => keyOf({ reference: id, from: 0 })));
    const pages = new Map([...seen, ...way, ...first].map((page) => [keyOf(page), page]));
    return [...pages.values()].filter((page) => !ofTree.has(keyOf(page)));
  }, [large === null, opened, seen, way, cut, known]);
  const answers = useReads(
    "children",
    wanted.map(({ reference, from }) => ({ reference, from, limit: PAGE })),
  );
  const lists = useRef(new Map<string, readonly StatusTree[]>());
  const all = useMemo(() => {
    const pages = new Map<string, { total: number; readonly loaded: Pages[] }>();
    for (const node of cut) {
      const loaded = [{ from: 0, rows: node.children }];
      pages.set(node.id, { total: node.children.length + (node.more ?? 0), loaded });
    }
    for (const [index, page] of wanted.entries()) {
      const answer = answers[index];
      if (!answer) continue;
      const ofNode = pages.get(page.reference) ?? { total: answer.total, loaded: [] };
      ofNode.total = answer.total;
      ofNode.loaded.push({ from: answer.from, rows: answer.children.map((row) => known.rowOf(row)) });
      pages.set(page.reference, ofNode);
    }
    for (const [id, { total, loaded }] of pages) lists.current.set(id, known.list(id, total, loaded));
    return new Map(lists.current);
  }, [cut, wanted, answers, known]);
  const show = useCallback(
    (nodes: readonly StatusTree[]) => {
      const pages = new Map<string, PageOf>();
      for (const node of nodes) {
        const page = known.placeOf(node);
        if (page) pages.set(keyOf(page), page);
      }
      setSeen((before) => (before.map(keyOf).join() === [...pages.keys()].join() ? before : [...pages.values()]));
    },
    [known],
  );
  const paged = useCallback((id: string) => (large ? all.get(id) : undefined), [all, large === null]);
  return { paged, show };
}
