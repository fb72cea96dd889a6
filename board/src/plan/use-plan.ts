// The plan that all layouts share: its tree, branches that were opened in a large one, the filter, and what waits for you.

import { useCallback, useMemo } from "react";
import { useRead, useReads } from "../api/reads.js";
import { signal, useSignal } from "../api/signal.js";
import type { StatusTree } from "../api/types.js";
import { usePlace } from "../frame/route.js";
import { type Filter, parseFilter } from "./filter.js";
import { mayHaveChildren } from "./tree-rows.js";

/** What was opened and closed by hand, while the page is open. */
const openings = signal<ReadonlyMap<string, boolean>>(new Map());

export const setOpen = (id: string, open: boolean): void => openings.update((known) => new Map([...known, [id, open]]));

const isFinished = ({ status }: StatusTree): boolean => status === "done" || status === "waived";

const NONE: readonly StatusTree[] = [];

export interface Plan {
  readonly read: ReturnType<typeof useRead<"status">>;
  readonly tree: readonly StatusTree[];
  readonly branch: (id: string) => readonly StatusTree[] | undefined;
  readonly isOpen: (node: StatusTree) => boolean;
  readonly filter: Filter;
  readonly named: ReadonlySet<string> | undefined;
  /** Nodes that wait for you. */
  readonly asks: ReadonlySet<string>;
}

export function usePlan(): Plan {
  const place = usePlace();
  const read = useRead("status", {});
  const waiting = useRead("waiting", { limit: 200 });
  const opened = useSignal(openings);
  const filter = useMemo(() => parseFilter(place.filter), [place.filter]);
  const byFile = useRead("list", filter.file === null ? null : { file: filter.file, limit: 10_000 });
  const tree = read.data?.tree ?? NONE;
  const isDeeper = read.data?.hidden.deeper ?? false;
  // In a large plan only what is open is loaded.
  const lazy = useMemo(() => {
    if (!isDeeper) return [];
    return [...opened].filter(([, open]) => open).map(([id]) => id);
  }, [opened, isDeeper]);
  const branches = useReads(
    "status",
    lazy.map((reference) => ({ reference })),
  );
  const byId = useMemo(
    () => new Map(lazy.map((id, index) => [id, branches[index]?.tree[0]?.children] as const)),
    [lazy, branches],
  );
  const asks = useMemo(() => {
    const entries = waiting.data?.entries ?? [];
    return new Set(entries.flatMap(({ id, about }) => [id, about]).filter((id) => id !== null));
  }, [waiting.data]);
  const branch = useCallback((id: string) => byId.get(id), [byId]);
  const isOpen = useCallback(
    (node: StatusTree) => opened.get(node.id) ?? (mayHaveChildren(node) && !isDeeper && !isFinished(node)),
    [opened, isDeeper],
  );
  const named = useMemo(() => byFile.data && new Set(byFile.data.nodes.map(({ id }) => id)), [byFile.data]);
  return { read, tree, branch, isOpen, filter, named, asks };
}
