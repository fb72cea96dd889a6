// Attempts as people see them: which there are, and one of them whole.

import { readPlainFile } from "../../base/plain-file.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import { transcriptWords } from "../../model/attempt/transcript-line.js";
import { type Item, LIVE } from "../../model/item/item.js";
import { ok, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { pick } from "../base/pick.js";
import { resolve } from "../base/resolve.js";
import { findItem } from "../item/find-item.js";
import { isoTime } from "../node/view.js";

const LAST_LINES = 10;
/** Many entries, such as the ends of reads, have no words. */
const RECENT_LINES = 100;
const LINE_LENGTH = 300;

/** What the worker did last, in words. None, if nothing was said yet or the file is gone. */
export function lastLines(file: string): string[] {
  try {
    const lines = readPlainFile(file).trimEnd().split("\n").slice(-RECENT_LINES);
    return lines
      .map(transcriptWords)
      .filter((line) => line !== "")
      .slice(-LAST_LINES)
      .map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line));
  } catch {
    return [];
  }
}

export type AttemptLine = Awaited<ReturnType<typeof toAttemptLine>>;

/** The token of its claim is the driver's alone and never shown. */
export type AttemptView = Awaited<ReturnType<typeof toAttemptView>>;

const RECENT_ATTEMPTS = 20;

/** The newest first: what goes on now, and the last that ended; of one task all. */
export function listAttempts(
  context: Context,
  { reference: task, all = false }: { readonly reference?: string; readonly all?: boolean },
): Promise<Result<AttemptLine[]>> {
  const now = context.now();
  return context.store.read(async (reader) => {
    const node = task === undefined ? undefined : await resolve(reader, task, context);
    if (node && !node.ok) return node;
    const owner = node ? { owner: String(node.value.nr) } : {};
    const listed = await reader.items("attempt", {
      ...owner,
      newest: true,
      ...(all || node ? {} : { limit: RECENT_ATTEMPTS }),
    });
    const known = new Set(listed.map(({ key }) => key));
    const live = (await reader.items("attempt", { ...owner, state: LIVE, newest: true })).filter(
      ({ key }) => !known.has(key),
    );
    const lines: AttemptLine[] = [];
    for (const item of [...listed, ...live]) lines.push(await toAttemptLine(reader, item, now));
    return ok(lines);
  });
}

export async function toAttemptLine(reader: Reader, item: Item<"attempt">, now: number) {
  const { fields } = item;
  const { inputTokens, outputTokens, costUsd } = fields.usage;
  return {
    id: item.key,
    task: (await reader.idOf(fields.task)) ?? fields.taskId,
    ...pick(fields, "state", "worker"),
    startedAt: isoTime(fields.startedAt),
    endedAt: fields.endedAt === null ? null : isoTime(fields.endedAt),
    durationMs: (fields.endedAt ?? now) - fields.startedAt,
    tokens: inputTokens + outputTokens,
    costUsd,
    /** The ref that keeps what it left unmerged. */
    kept: fields.kept,
    note: fields.note,
  };
}

export function showAttempt(context: Context, { id }: { readonly id: string }) {
  return context.store.read(async (reader) => {
    const found = await findItem(reader, "attempt", id);
    if (!found.ok) return found;
    return ok({ ...(await toAttemptView(reader, found.value, context.now())), entity: "attempt" as const });
  });
}

export async function toAttemptView(reader: Reader, item: Item<"attempt">, now: number) {
  const { fields } = item;
  const { failure } = fields;
  return {
    ...(await toAttemptLine(reader, item, now)),
    ...pick(fields, "number", "by", "driver"),
    steps: stepsOf(fields, now),
    ...pick(fields, "rounds", "usage", "worktree", "branch", "base", "tip", "merged"),
    ...pick(fields, "changes", "checks", "mergedChecks"),
    /** Files of the change that are outside of the task's footprint. */
    outside: fields.outside ?? [],
    failure: failure && {
      ...pick(failure, "class", "reason", "action"),
      notBefore: failure.notBefore === null ? null : isoTime(failure.notBefore),
    },
    /** Files of the main checkout that changed while it worked without a sandbox, perhaps by others. */
    meanwhile: fields.meanwhile ?? [],
    /** What reviewers found, oldest first. */
    reviews: (fields.reviews ?? []).map((review) => ({ ...review, at: isoTime(review.at) })),
    ...pick(fields, "split", "bundle"),
    transcript: fields.transcript === null ? null : { file: fields.transcript, last: lastLines(fields.transcript) },
  };
}

/** How long each state lasted; the one in which it ended has no end. */
function stepsOf({ steps, endedAt }: Attempt, now: number) {
  return steps.map(({ state, at }, i) => {
    const until = steps[i + 1]?.at ?? (endedAt === null ? now : null);
    return { state, at: isoTime(at), durationMs: until === null ? null : until - at };
  });
}
