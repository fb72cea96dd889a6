// The end of an attempt's transcript, which grows while you watch, and earlier parts of it when you ask for them.

import { useEffect, useMemo, useState } from "react";
import { ask } from "../api/client.js";
import { pulses } from "../api/live.js";
import { useRead } from "../api/reads.js";
import { say } from "../api/say.js";
import { useSignal } from "../api/signal.js";
import type { Output } from "../api/types.js";

/** Lines of the end, and of each part before it. */
const PART = 400;
/** So many are in memory; what is older is asked for again. */
const MOST = 2_000;

interface Earlier {
  readonly from: number;
  readonly lines: readonly string[];
}

export interface TranscriptWindow {
  readonly lines: readonly string[];
  /** The number of the first line that is shown. */
  readonly from: number;
  readonly loading: boolean;
  readonly loadEarlier: () => void;
}

export function useTranscript({ id, transcript }: Output<"attempt.show">): TranscriptWindow {
  const pulse = useSignal(pulses).get(id);
  const hasText = (transcript?.last.length ?? 0) > 0 || (pulse?.line ?? null) !== null;
  const { data, error, again } = useRead("attempt.transcript", hasText ? { id, limit: PART } : null);
  const [earlier, setEarlier] = useState<Earlier | null>(null);
  useEffect(() => {
    if (pulse) again();
  }, [pulse]);
  const from = earlier?.from ?? data?.from ?? 0;
  const lines = useMemo(() => {
    const end = data?.lines ?? [];
    if (!earlier || !data) return end;
    // The end has moved on since: what lies between is part of both.
    const kept = earlier.lines.slice(0, Math.max(0, data.from - earlier.from));
    return [...kept, ...end];
  }, [data, earlier]);
  const loadEarlier = async (): Promise<void> => {
    const begin = Math.max(0, from - PART);
    const { answer } = await ask("attempt.transcript", { id, from: begin, limit: from - begin });
    if (!answer.ok) return say(answer.error.message, { tone: "stop" });
    const before = earlier?.lines ?? [];
    setEarlier({ from: begin, lines: [...answer.data.lines, ...before].slice(0, MOST) });
  };
  return {
    lines,
    from,
    loading: hasText && data === undefined && error === undefined,
    loadEarlier: () => void loadEarlier(),
  };
}
