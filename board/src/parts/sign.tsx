// One shape for each status, so that colour is never the only difference; and the line drawings of the frame.

import type { ReactNode } from "react";
import type { StatusTree } from "../api/types.js";

export type Status = StatusTree["status"];
export type SignName = Status | "ask" | "pending" | "skipped";
export type Tone = "ask" | "move" | "prove" | "stop" | "frozen" | "wait";

const ring = (inner: ReactNode) => (
  <>
    <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
    {inner}
  </>
);
const stroke = { fill: "none", stroke: "currentColor", strokeWidth: 1.5, strokeLinecap: "round" as const };
const onSurface = { ...stroke, stroke: "var(--surface)", strokeWidth: 1.8, strokeLinejoin: "round" as const };
const dashed = <circle cx="8" cy="8" r="5.8" {...stroke} strokeLinecap="butt" strokeDasharray="2.4 2.1" />;

const SIGNS: Readonly<Record<SignName, readonly [tone: Tone, words: string, shape: ReactNode]>> = {
  planned: ["wait", "planned", dashed],
  pending: ["wait", "not yet", dashed],
  blocked: ["wait", "blocked", <rect key="s" x="3" y="3" width="10" height="10" rx="2" fill="currentColor" />],
  ready: ["move", "ready", <path key="s" d="M8 1.7 14.3 8 8 14.3 1.7 8Z" {...stroke} strokeLinejoin="round" />],
  in_progress: [
    "move",
    "in progress",
    <g key="s">
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M6.2 4.9 11.3 8l-5.1 3.1Z" fill="var(--surface)" />
    </g>,
  ],
  rejected: [
    "stop",
    "rejected",
    <g key="s">
      <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z" fill="currentColor" />
      <path d="M8 4.4v4.2M8 11.3v.3" {...onSurface} />
    </g>,
  ],
  frozen: [
    "frozen",
    "frozen",
    <path key="s" d="M8 1v14M2 4.5l12 7M14 4.5l-12 7M6 2l2 2 2-2M6 14l2-2 2 2" {...stroke} strokeLinejoin="round" />,
  ],
  done: [
    "prove",
    "done",
    <g key="s">
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="m4.9 8.3 2.1 2.1 4.2-4.6" {...onSurface} />
    </g>,
  ],
  waived: ["prove", "waived", ring(<path d="M4.8 8.6c1-1.6 2.2-1.6 3.2-.6s2.2 1 3.2-.6" {...stroke} />)],
  dropped: ["wait", "dropped", ring(<path d="M5 8h6" {...stroke} />)],
  skipped: ["wait", "skipped", ring(<path d="M5.2 10.8 10.8 5.2" {...stroke} />)],
  archived: [
    "wait",
    "archived",
    <path key="s" d="M2.5 3h11v3h-11ZM3.5 6v7h9V6M6.5 8.5h3" {...stroke} strokeLinejoin="round" />,
  ],
  ask: [
    "ask",
    "waits for you",
    <g key="s">
      <path
        d="M2.6 1.5h10.8c.9 0 1.6.7 1.6 1.6v7c0 .9-.7 1.6-1.6 1.6H9.2L6 14.6v-2.9H2.6c-.9 0-1.6-.7-1.6-1.6v-7c0-.9.7-1.6 1.6-1.6Z"
        fill="var(--ask-mark)"
      />
      <path d="M5.9 5a2.1 2.1 0 1 1 2.9 1.9c-.6.3-.8.5-.8 1M8 9.9v.1" {...onSurface} stroke="var(--on-ask)" />
    </g>,
  ],
};

export function Sign({ name, size = 14 }: { readonly name: SignName; readonly size?: number }) {
  const [tone, words, shape] = SIGNS[name];
  return (
    <svg className={`sign ${tone}`} width={size} height={size} viewBox="0 0 16 16" role="img" aria-label={words}>
      <title>{words}</title>
      {shape}
    </svg>
  );
}

const LINES = {
  now: "M2 9h3l1.5-5 3 9L11 9h3",
  plan: "M3 3h4M6 8h5M6 13h7M3 3v10h3M3 8h3",
  planning: "m3 13 1-3.5 7-7L13.500 5l-7 7ZM9.500 4 12 6.500",
  history: "M2.500 8A5.500 5.500 0 1 0 4.400 3.800M2.500 2.500v3h3M8 5v3.200l2.200 1.300",
  insights: "M2.500 13.500h11M4 11V8M8 11V3.500M12 11V6",
  settings:
    "M2 5h7M13 5h1M2 11h1M7 11h7M11 3.200a1.800 1.800 0 1 1 0 3.600 1.800 1.800 0 0 1 0-3.600M5 9.200a1.800 1.800 0 1 1 0 3.600 1.800 1.800 0 0 1 0-3.600",
  search: "M7 2.800a4.200 4.200 0 1 1 0 8.400 4.200 4.200 0 0 1 0-8.400M10.200 10.200l3.300 3.300",
  close: "m4 4 8 8M12 4l-8 8",
  undo: "M3 6h6.500a3.500 3.500 0 0 1 0 7H6M3 6l3-3M3 6l3 3",
  right: "m6 4 4 4-4 4",
  down: "m4 6 4 4 4-4",
  land: "M8 2v8M4.800 7 8 10.200 11.200 7M2.500 13.500h11",
  gate: "M3 14V3M13 14V3M3 5h10M3 9h10",
  approval:
    "M8 1.800 13 3.600v4c0 3.200-2.200 5.400-5 6.600-2.800-1.200-5-3.400-5-6.600v-4ZM5.700 7.900l1.700 1.700 3-3.300",
  question: "M2.500 2.500h11v8h-5L5.500 13v-2.500h-3Z",
  file: "M4 1.800h5l3 3v9.400H4ZM9 1.800v3h3",
  thread:
    "M5 8h6M3 6.200a1.800 1.800 0 1 1 0 3.600 1.800 1.800 0 0 1 0-3.600M13 6.200a1.800 1.800 0 1 1 0 3.600 1.800 1.800 0 0 1 0-3.600",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10",
  daemon: "M3 3h10v7H3ZM6 13.500h4M8 10v3.500",
} as const;

export type LineName = keyof typeof LINES;

export function Line({ name, size = 16 }: { readonly name: LineName; readonly size?: number }) {
  return (
    <svg className="line" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={LINES[name]} />
    </svg>
  );
}
