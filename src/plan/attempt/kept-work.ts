// Work that was never merged is kept for a while. What goes is said before it goes, and what a person may still accept
// stays.

import { keptRef, listRefs, moveRefs } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import { changeItem, type Item } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Change } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { actWithNumber, type Context } from "../base/context.js";
import { isoTime } from "../node/view.js";
import { toAttemptLine } from "./list-attempts.js";
import { latestAttempt } from "./settle-attempts.js";

interface Expired {
  readonly op: number | null;
  readonly gone: readonly string[];
  /** Nothing was removed yet. */
  readonly dryRun: boolean;
  /** What goes within the next days. */
  readonly soon: readonly { readonly id: string; readonly until: string }[];
}

const DAY_MS = 86_400_000;
/** Kept work is announced so long before it goes. */
const SOON_DAYS = 7;
const KEPT_REFS = "refs/planwright/kept";

interface KeptWork {
  readonly item: Item<"attempt">;
  readonly ref: string;
  readonly commit: string;
  readonly until: number | null;
}

/** Whatever is kept, what goes first at the top. */
export async function keptWork(context: Context, keepDays: number) {
  const now = context.now();
  const refs = await listRefs(context.root, KEPT_REFS);
  return context.store.read(async (reader) => {
    const views: Awaited<ReturnType<typeof toKeptView>>[] = [];
    for (const kept of await allKept(reader, refs, keepDays)) views.push(await toKeptView(reader, kept, now));
    return ok(views);
  });
}

const toKeptView = async (reader: Reader, { item, commit, until }: KeptWork, now: number) => ({
  ...(await toAttemptLine(reader, item, now)),
  commit,
  /** Null while a person may still accept it: then it stays. */
  until: until === null ? null : isoTime(until),
  soon: isSoon(until, now),
});

const isSoon = (until: number | null, now: number): boolean => until !== null && until - SOON_DAYS * DAY_MS <= now;

async function allKept(reader: Reader, refs: ReadonlyMap<string, string>, keepDays: number): Promise<KeptWork[]> {
  const kept: KeptWork[] = [];
  for (const [ref, commit] of refs) {
    const item = await reader.item("attempt", ref.slice(KEPT_REFS.length + 1));
    if (!item || keptRef(item.key) !== ref) continue;
    const { endedAt, startedAt } = item.fields;
    const until = (await isWaiting(reader, item)) ? null : (endedAt ?? startedAt) + keepDays * DAY_MS;
    kept.push({ item, ref, commit, until });
  }
  return kept.sort((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity));
}

/** It is not over, or a person may still accept it. */
async function isWaiting(reader: Reader, { key, fields }: Item<"attempt">): Promise<boolean> {
  if (fields.endedAt === null || fields.state === "pending") return true;
  const task = await reader.node(fields.task);
  if (task?.outcome !== null || task.acceptance?.state !== "rejected") return false;
  return (await latestAttempt(reader, fields.task))?.key === key;
}

/** People ask for it, and a pass of the daemon does. `dryRun`: only say what would go. */
export async function expireKept(
  context: Context,
  { keepDays, dryRun = false }: { readonly keepDays: number; readonly dryRun?: boolean },
): Promise<Result<Expired>> {
  if (!isPerson(context.actor) && !context.actor.startsWith("daemon:")) {
    const message = `Only a person or the daemon removes kept work, and ${context.actor} is neither.`;
    return refused("needs-person", message, { next: [step("attempt.kept")] });
  }
  const refs = await listRefs(context.root, KEPT_REFS);
  const now = context.now();
  const all = await context.store.read((reader) => allKept(reader, refs, keepDays));
  const over = all.filter(({ until }) => until !== null && until <= now);
  const soon = all
    .filter((each) => !over.includes(each) && isSoon(each.until, now))
    .map(({ item, until }) => ({ id: item.key, until: isoTime(until as number) }));
  if (dryRun || over.length === 0) return ok({ op: null, gone: over.map(({ item }) => item.key), dryRun, soon });
  // Written down first: a ref that is still there afterwards is found again.
  const settled = await writeDown(context, over, keepDays);
  if (!settled.ok) return settled;
  const going = over.filter(({ item }) => settled.value.gone.includes(item.key));
  const moves = going.map(({ ref, commit }) => ({ ref, from: commit, to: null }));
  const moved = await moveRefs(context.root, moves);
  const next = [step("gc")];
  if (!moved.ok) return refused("git", `Git could not remove the refs: ${moved.problem}`, { next });
  return ok({ ...settled.value, dryRun, soon });
}

const writeDown = (context: Context, over: readonly KeptWork[], keepDays: number) =>
  actWithNumber(context, "attempt", async (writer) => {
    const gone: string[] = [];
    const changes: Change[] = [];
    for (const { item } of over) {
      const now = await writer.item("attempt", item.key);
      // It may have been accepted meanwhile.
      if (!now || (await isWaiting(writer, now))) continue;
      gone.push(now.key);
      changes.push(...changeItem(now, { kept: null }));
    }
    const sentence = `what ${gone.join(", ")} left unmerged went after ${keepDays} days`;
    return ok({ sentence, changes, value: { gone } });
  });
