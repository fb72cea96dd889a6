// The end of an attempt's transcript, and what it writes while you watch.

import { useEffect, useState } from "react";
import { pulses } from "../api/live.js";
import { useSignal } from "../api/signal.js";
import type { Output } from "../api/types.js";
import { type TranscriptLine, transcriptLine } from "./transcript-line.js";

const MOST = 2_000;

export function useTranscript(attempt: Output<"attempt.show">): {
  readonly lines: readonly TranscriptLine[];
  readonly earlier: number;
} {
  const known = attempt.transcript?.last ?? [];
  const pulse = useSignal(pulses).get(attempt.id);
  const [heard, setHeard] = useState<readonly string[]>([]);
  useEffect(() => {
    const line = pulse?.line ?? null;
    if (line !== null) setHeard((before) => (before.at(-1) === line ? before : [...before, line].slice(-MOST)));
  }, [pulse]);
  // The server's own end of the transcript comes first; what was heard since is not yet in it.
  const fresh = heard.filter((line) => !known.includes(line));
  return { lines: [...known, ...fresh].map(transcriptLine), earlier: 0 };
}
