// Keys of a layout that is a list of tasks: one of them is the current one.

import { useEffect, useState } from "react";
import { useKeys } from "../frame/keys.js";
import { go, usePlace } from "../frame/route.js";
import { useNodeKeys } from "./node-keys.js";
import { toggleSelected } from "./selection.js";

/** Answers with the current task: what `j` and `k` move, `Enter` opens and `x` selects. */
export function useListKeys(ids: readonly string[]): string | null {
  const { item } = usePlace();
  const [cursor, setCursor] = useState<string | null>(item);
  const at = cursor === null ? -1 : ids.indexOf(cursor);
  const move = (by: number): void => {
    const next = ids[Math.max(0, Math.min(ids.length - 1, at + by))];
    if (next === undefined) return;
    setCursor(next);
    document.getElementById(`task-${next}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (item !== null) go({ item: next, tab: "overview" }, { replace: true });
  };
  useEffect(() => {
    if (item !== null) setCursor(item);
  }, [item]);
  const open = (full: boolean) => (): void => {
    if (cursor !== null) go({ item: cursor, tab: "overview", full });
  };
  useNodeKeys(cursor);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: open(false),
    "shift+Enter": open(true),
    x: () => cursor !== null && toggleSelected(cursor),
  });
  return at < 0 ? null : cursor;
}
