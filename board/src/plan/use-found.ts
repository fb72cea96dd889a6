// What fits the filter in a large plan: the server looks, because the page has only a part of it.

import { useMemo } from "react";
import { useRead } from "../api/reads.js";
import type { Input, StatusTree } from "../api/types.js";
import type { Filter } from "./filter.js";
import { nested } from "./pages.js";

const MOST = 200;

type ListInput = Input<"list">;

const toInput = ({ words, status, reason, within, by, file }: Filter): ListInput => ({
  rows: true,
  limit: MOST,
  ...(words.length > 0 && { words: [...words] }),
  // What is no status is for the server to refuse: then nothing fits.
  ...(status.length > 0 && { status: [...status] as NonNullable<ListInput["status"]> }),
  ...(reason.length > 0 && { reason: [...reason] as NonNullable<ListInput["reason"]> }),
  ...(within[0] !== undefined && { in: within[0] }),
  ...(by[0] !== undefined && { by: by[0] }),
  ...(file !== null && { file }),
});

const NONE: readonly StatusTree[] = [];

/** Undefined where there is nothing to look for, or no answer yet. */
export function useFound(filter: Filter | null): {
  readonly found: readonly StatusTree[] | undefined;
  /** Infinity where the server did not count them. */
  readonly moreFound: number;
} {
  const { data, error } = useRead("list", filter && toInput(filter));
  const found = useMemo(() => data?.rows && nested(data.rows), [data]);
  if (!filter) return { found: undefined, moreFound: 0 };
  return {
    found: error ? NONE : found,
    moreFound: error || !data ? 0 : (data.total ?? Number.POSITIVE_INFINITY) - data.nodes.length,
  };
}
