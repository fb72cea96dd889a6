// What happened, newest first.

import type { Actor } from "../../graph/actor.js";
import type { Operation } from "../../graph/operation/operation.js";
import { isFirstHand } from "../../graph/operation/undo.js";
import { ok, type Result } from "../../graph/result.js";
import type { LogQuery, Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { resolve } from "../resolve.js";
import { isoTime } from "../view.js";
import { latestTurn } from "./reversal.js";

export interface LogEntry {
  readonly op: number;
  readonly at: string;
  readonly actor: Actor;
  readonly verb: string;
  readonly sentence: string;
  readonly commit: string | null;
  /** The operation that this one undid, or did again. */
  readonly undoes: number | null;
  readonly redoes: number | null;
  /** Undone, and not done again since. */
  readonly undone: boolean;
}

export interface Log {
  readonly operations: readonly LogEntry[];
  /** There are older ones. */
  readonly more: boolean;
}

export interface LogInput {
  readonly reference?: string;
  /** How many; 20 unless given. */
  readonly limit?: number;
}

const USUAL = 20;

export function log(context: Context, { reference, limit = USUAL }: LogInput): Promise<Result<Log>> {
  return context.store.read(async (reader) => {
    const node = reference === undefined ? undefined : await resolve(reader, reference, context.actor);
    if (node && !node.ok) return node;
    const query: LogQuery = { limit: limit + 1, ...(node ? { node: node.value.nr } : {}) };
    const found = await reader.operations(query);
    const operations: LogEntry[] = [];
    for (const operation of found.slice(0, limit)) operations.push(await toEntry(reader, operation));
    return ok({ operations, more: found.length > limit });
  });
}

export async function toEntry(reader: Reader, operation: Operation): Promise<LogEntry> {
  const { op, at, actor, verb, sentence, commit, undoes, redoes } = operation;
  const undone = isFirstHand(operation) && (await latestTurn(reader, operation)).undoes === op;
  return { op, at: isoTime(at), actor, verb, sentence, commit, undoes, redoes, undone };
}
