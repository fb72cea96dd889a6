// The one stream of the page: what happens in the plan, by operation number. After a break it goes on from the last number.

import type { ChangedRow } from "./patch-rows.js";
import { patchRows, refreshSoon } from "./reads.js";
import { openSession } from "./session.js";
import { signal } from "./signal.js";
import { keepReading } from "./stream.js";
import { isForeign } from "./token.js";

export interface Happening {
  readonly op: number;
  readonly at: number;
  readonly actor: string;
  readonly verb: string;
  readonly sentence: string;
  readonly nodes: readonly string[];
  /** Nodes came, went, or moved. */
  readonly moved?: boolean;
  /** The rows of the tree that changed, if they are few. */
  readonly rows?: readonly ChangedRow[];
}

export interface Connection {
  readonly state: "connecting" | "live" | "broken";
  /** The last operation that is known here. */
  readonly op: number;
  /** When the server was last heard. */
  readonly heardAt: number | null;
}

export const connection = signal<Connection>({ state: "connecting", op: 0, heardAt: null });

const isHappening = (value: unknown): value is Happening =>
  typeof value === "object" && value !== null && "op" in value && typeof value.op === "number";

/** The last operation that came while the page was open. */
export const heardOperations = signal<Happening | undefined>(undefined);

function heard(text: string): void {
  const value: unknown = JSON.parse(text);
  if (!isHappening(value)) return;
  connection.update((known) => ({ state: "live", op: Math.max(known.op, value.op), heardAt: Date.now() }));
  heardOperations.set(value);
  if (value.rows && value.moved === false) patchRows(value.rows);
  else refreshSoon();
}

/** How far a landing is: of the five things that it proves, what is being looked at and what holds. */
export interface LandingProgress {
  readonly feature: string;
  readonly line: "tasks" | "merge" | "commits" | "checkout" | "checks";
  readonly state: "begun" | "proven";
  /** The command that runs. */
  readonly check: string | null;
}

/** Of each feature, the last news of each line. Begins again with its tasks. */
export const landingProgress = signal<ReadonlyMap<string, ReadonlyMap<LandingProgress["line"], LandingProgress>>>(
  new Map(),
);

const isProgress = (value: unknown): value is LandingProgress =>
  typeof value === "object" && value !== null && "feature" in value && "line" in value;

function heardLanding(text: string): void {
  const value: unknown = JSON.parse(text);
  if (!isProgress(value)) return;
  landingProgress.update((known) => {
    const before = value.line === "tasks" ? [] : (known.get(value.feature) ?? []);
    return new Map([...known, [value.feature, new Map([...before, [value.line, value]])]]);
  });
}

/** A sign of life of a running attempt, at most once a second for each. */
export interface Pulse {
  readonly id: string;
  readonly task: string;
  readonly state: string;
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number | null;
  } | null;
  readonly line: string | null;
}

/** The last one of each attempt. */
export const pulses = signal<ReadonlyMap<string, Pulse>>(new Map());

const isPulse = (value: unknown): value is Pulse =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";

const MOST_PULSES = 100;

function heardAttempt(text: string): void {
  const value: unknown = JSON.parse(text);
  if (!isPulse(value)) return;
  connection.update((known) => ({ ...known, heardAt: Date.now() }));
  pulses.update((known) => new Map([...[...known].slice(-MOST_PULSES), [value.id, value]]));
}

const HEARD: Readonly<Record<string, (text: string) => void>> = {
  operation: heard,
  attempt: heardAttempt,
  landing: heardLanding,
};

let isFollowing = false;

/** Follows the plan from an operation on. A second call does nothing. */
export function follow(after: number): void {
  if (isFollowing) return;
  isFollowing = true;
  connection.update((known) => ({ ...known, op: Math.max(known.op, after) }));
  void keepReading({
    path: "/api/events",
    last: () => connection.get().op,
    onEvent: ({ name, data }) => {
      if (!isForeign.get()) HEARD[name]?.(data);
    },
    onOpen: () => {
      const wasBroken = connection.get().state === "broken";
      connection.update((known) => ({ ...known, state: "live", heardAt: Date.now() }));
      // The server may have restarted: what it derives besides the log may differ. Or another program has its port now.
      if (wasBroken) void openSession().then((opened) => opened && refreshSoon());
    },
    onBreak: () => connection.update((known) => ({ ...known, state: "broken" })),
  });
}
