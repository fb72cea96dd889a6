// What a wave and a lane say about themselves in a few words. Pure: it only counts what the server derived.

import type { Graph, GraphNode } from "./geometry.js";

const FINISHED: ReadonlySet<string> = new Set(["done", "waived"]);

const count = (nodes: readonly GraphNode[], status: GraphNode["status"]): number =>
  nodes.filter((node) => node.status === status).length;

/** `done`; `1 runs, 1 rejected`; `2 ready`; `waits`. */
export function wordsOf(nodes: readonly GraphNode[]): string {
  if (nodes.every(({ status }) => FINISHED.has(status))) return nodes.length === 0 ? "" : "done";
  const parts = [
    [count(nodes, "in_progress"), nodes.filter(({ status }) => status === "in_progress").length === 1 ? "runs" : "run"],
    [count(nodes, "rejected"), "rejected"],
    [count(nodes, "ready"), "ready"],
  ] as const;
  const words = parts.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`);
  return words.length === 0 ? "waits" : words.slice(0, 2).join(", ");
}

export interface WaveWords {
  readonly words: readonly string[];
  /** The wave in which most happens now. */
  readonly here: number;
}

const MOVES: ReadonlySet<string> = new Set(["in_progress", "rejected", "ready"]);

export function waveWords({ nodes, columns }: Pick<Graph, "nodes" | "columns">): WaveWords {
  const waves = Array.from({ length: columns }, () => [] as GraphNode[]);
  for (const node of nodes) waves[node.column]?.push(node);
  const busy = waves.map((wave) => wave.filter(({ status }) => MOVES.has(status)).length);
  const most = Math.max(0, ...busy);
  return { words: waves.map(wordsOf), here: most === 0 ? -1 : busy.indexOf(most) };
}

/** Of a lane that is shut. */
export function laneWords(nodes: readonly GraphNode[], asks: ReadonlySet<string>): string {
  const open = nodes.filter(({ status }) => !FINISHED.has(status));
  const [only] = open;
  if (only && open.length === 1 && only.kind === "land") {
    return asks.has(only.id) || only.reason === "human"
      ? "every task is done; the land task waits for you"
      : "every task is done";
  }
  return wordsOf(nodes);
}
