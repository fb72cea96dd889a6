// The plan that all layouts share: its tree, branches that were opened in a large one, the filter, and what waits for you.

import { useCallback, useMemo } from "react";
import { useRead, useReads } from "../api/reads.js";
import { useSignal } from "../api/signal.js";
import type { StatusTree } from "../api/types.js";
import { usePlace } from "../frame/route.js";
import { type Filter, isEmpty, parseFilter } from "./filter.js";
import { openings } from "./open-branches.js";
import { PAGE } from "./pages.js";
import { mayHaveChildren } from "./tree-rows.js";
import { useFound } from "./use-found.js";
import { usePages } from "./use-pages.js";

const isFinished = ({ status }: StatusTree): boolean => status === "done" || status === "waived";

const NONE: readonly StatusTree[] = [];

/** More lanes than a person scrolls through. */
const MOST_LANES = 1_000;

export interface Plan {
  readonly read: ReturnType<typeof useRead<"status">>;
  readonly tree: readonly StatusTree[];
  readonly branch: (id: string) => readonly StatusTree[] | undefined;
  /** In a large plan: all children of a node, those that are not loaded yet as blanks. */
  readonly paged: (id: string) => readonly StatusTree[] | undefined;
  /** In a large plan: what the server found for the filter. */
  readonly found: readonly StatusTree[] | undefined;
  /** Further nodes that fit the filter. */
  readonly moreFound: number;
  /** Says which rows can be seen: what of them is not loaded is loaded. */
  readonly show: (nodes: readonly StatusTree[]) => void;
  readonly isOpen: (node: StatusTree) => boolean;
  readonly filter: Filter;
  readonly named: ReadonlySet<string> | undefined;
  /** Nodes that wait for you. */
  readonly asks: ReadonlySet<string>;
  /** Of a large plan without a filter: the tasks in each column of the board, as the server counts them. */
  readonly counts: Readonly<Record<string, number>> | undefined;
}

type Counts = NonNullable<ReturnType<typeof useRead<"status">>["data"]>["counts"];

/** A manual step whose turn it is is ready. */
const columnCounts = (counts: Counts): Plan["counts"] => ({
  planned: counts.planned,
  blocked: counts.blocked,
  frozen: counts.frozen,
  ready: counts.ready + counts.waitingForPerson,
  "in progress": counts.inProgress,
  rejected: counts.rejected,
  done: counts.finished,
});

export function usePlan(): Plan {
  const place = usePlace();
  const read = useRead("status", { most: place.layout === "tree" ? PAGE : MOST_LANES });
  const waiting = useRead("waiting", { limit: 200 });
  const opened = useSignal(openings);
  const filter = useMemo(() => parseFilter(place.filter), [place.filter]);
  const tree = read.data?.tree ?? NONE;
  const isLarge = read.data?.hidden.deeper ?? false;
  const isTree = place.layout === "tree";
  const byFile = useRead("list", filter.file === null || isLarge ? null : { file: filter.file, limit: 10_000 });
  const byHand = useMemo(() => [...opened].filter(([, open]) => open).map(([id]) => id), [opened]);
  const branch = useBranches(isLarge && !isTree ? byHand : NOTHING);
  const { paged, show } = usePages(isLarge && isTree ? { tree, opened: byHand, item: place.item } : null);
  const { found, moreFound } = useFound(isLarge && !isEmpty(filter) ? filter : null);
  const asks = useMemo(() => {
    const entries = waiting.data?.entries ?? [];
    return new Set(entries.flatMap(({ id, about }) => [id, about]).filter((id) => id !== null));
  }, [waiting.data]);
  const isOpen = useCallback(
    (node: StatusTree) =>
      opened.get(node.id) ??
      (isLarge ? node.tier === "initiative" && node.children.length > 0 : mayHaveChildren(node) && !isFinished(node)),
    [opened, isLarge],
  );
  const named = useMemo(() => byFile.data && new Set(byFile.data.nodes.map(({ id }) => id)), [byFile.data]);
  const tally = read.data?.counts;
  const counts = useMemo(
    () => (isLarge && tally && isEmpty(filter) ? columnCounts(tally) : undefined),
    [isLarge, tally, filter],
  );
  return { read, tree, branch, paged, found, moreFound, show, isOpen, filter, named, asks, counts };
}

const NOTHING: readonly string[] = [];

/** Whole branches, for layouts that show everything in a feature. */
function useBranches(ids: readonly string[]): Plan["branch"] {
  const branches = useReads(
    "status",
    ids.map((reference) => ({ reference })),
  );
  const byId = useMemo(
    () => new Map(ids.map((id, index) => [id, branches[index]?.tree[0]?.children] as const)),
    [ids, branches],
  );
  return useCallback((id: string) => byId.get(id), [byId]);
}
