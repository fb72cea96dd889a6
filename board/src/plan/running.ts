// Attempts that run now, by their task.

import { useMemo } from "react";
import { useRead } from "../api/reads.js";
import type { AttemptRow } from "../api/types.js";
import { ago } from "../parts/words.js";

export type Running = ReadonlyMap<string, AttemptRow>;

export function useRunning(): Running {
  const attempts = useRead("attempt.list", {}).data;
  return useMemo(
    () => new Map((attempts ?? []).filter(({ endedAt }) => endedAt === null).map((each) => [each.task, each] as const)),
    [attempts],
  );
}

/** `claude, working for 12 min`. */
export const runningWords = ({ worker, state, startedAt }: AttemptRow, now: number): string => {
  const time = ago(Date.parse(startedAt), now);
  return `${worker.name}, ${state}${time === "now" ? "" : ` for ${time}`}`;
};
