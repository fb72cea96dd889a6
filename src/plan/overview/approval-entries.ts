// What waits for your approval: changes after one, texts of agents, and parts that nobody approved yet.

import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { isFrame, isStale, isUnconfirmed } from "../../model/status/stale-approval.js";
import type { WaitingEntry } from "../../model/status/waiting.js";
import type { Reader } from "../../store/store.js";
import { textWaits } from "../node/vouched-text.js";
import { NOTHING_HELD, tenths, USUAL_HOURS } from "./held-up.js";

/** An entry with what it says beyond its sentence. */
export const entry = (
  kind: WaitingEntry["kind"],
  id: string | null,
  sentence: string,
  rest: Pick<WaitingEntry, "since" | "next" | "headline"> & Partial<WaitingEntry>,
): WaitingEntry => ({
  kind,
  id,
  about: null,
  detail: null,
  suggestion: null,
  failed: [],
  holdsUp: NOTHING_HELD,
  ...rest,
  sentence,
});

/** One entry for a feature, however many of its nodes changed. */
export async function staleApprovals(reader: Reader, nodes: readonly Node[]): Promise<WaitingEntry[]> {
  const changed = new Map<string, { count: number; first: Node }>();
  const stale = nodes.filter((each) => isStale(each) && each.kind !== "land");
  for (const node of stale.filter((each) => !isUnconfirmed(each))) {
    const id = (node.feature === null ? undefined : await reader.idOf(node.feature)) ?? node.id;
    const known = changed.get(id);
    changed.set(id, { count: (known?.count ?? 0) + 1, first: known?.first ?? node });
  }
  const entries: WaitingEntry[] = [];
  for (const [id, { count, first }] of changed) {
    const isOne = count === 1;
    const reference = isOne ? first.id : id;
    const what = isOne ? `${first.id} "${first.title}"` : `${count} nodes of ${id}`;
    const next = [
      step("log", { reference: first.id }),
      step("approve", approvalOf(isOne && isFrame(first), reference)),
    ];
    const headline = `${isOne ? first.title : what} changed after you approved ${isOne ? "it" : "them"}`;
    const words = { ...(await lastChange(reader, first)), headline, next };
    entries.push(entry("stale", reference, `${what} changed after the approval: approve it again.`, words));
  }
  return [...entries, ...(await waitingTexts(reader)), ...unconfirmed(stale.filter(isUnconfirmed))];
}

const approvalOf = (isAlone: boolean, reference: string) => ({
  references: [reference],
  ...(isAlone && { alone: true }),
});

/** An agent wrote this about a mission or an initiative, and no person approved it yet: workers read the old text, or none. */
async function waitingTexts(reader: Reader): Promise<WaitingEntry[]> {
  const entries: WaitingEntry[] = [];
  for (const node of await reader.frames()) {
    const isOpen = node.outcome === null && node.archive === null && node.approval === null;
    if (!isOpen || !(await textWaits(reader, node))) continue;
    const { id, title } = node;
    const next = [step("log", { reference: id }), step("approve", approvalOf(true, id))];
    const words = { ...(await lastChange(reader, node)), headline: `An agent wrote about ${title}`, next };
    entries.push(
      entry("stale", id, `An agent wrote about ${id} "${title}": no worker reads it before you approve it.`, words),
    );
  }
  return entries;
}

/** One entry for all of them: they are confirmed in one step. */
function unconfirmed(nodes: readonly Node[]): WaitingEntry[] {
  const [first, ...more] = nodes;
  if (!first) return [];
  const what = more.length === 0 ? `${first.id} "${first.title}" was` : `${nodes.length} nodes were`;
  const sentence = `${what} approved with a secret that this plan does not know: look, and confirm.`;
  const headline = `${what} approved with an unknown secret`;
  const words = { since: null, headline, next: [step("people.confirm"), step("people.list")] };
  return [entry("stale", first.id, sentence, words)];
}

async function lastChange(reader: Reader, { nr, id }: Node): Promise<Pick<WaitingEntry, "since" | "detail">> {
  const [last] = await reader.operations({ node: nr, limit: 1 });
  if (!last) return { since: null, detail: null };
  return { since: last.at, detail: `${last.actor} ${last.sentence.replace(` of ${id}`, "")}` };
}

/** Features are the unit: what belongs to none is listed by its first task. */
export async function unapproved(reader: Reader): Promise<WaitingEntry[]> {
  const entries: WaitingEntry[] = [];
  for (const { id, title, inFeature, tasks, hours, unestimated } of await reader.unapproved()) {
    const what = tasks === 1 ? "1 task" : `${tasks} tasks`;
    const where = inFeature ? `of ${id} "${title}"` : `in no feature, such as ${id},`;
    const sentence = `${what} ${where} ${tasks === 1 ? "is" : "are"} not approved.`;
    const next = [step("status", { reference: id }), step("approve", { references: [id] })];
    const holdsUp = { nodes: tasks, hours: tenths(hours + unestimated * USUAL_HOURS), more: false };
    const headline = `Approve ${inFeature ? `${what} of ${title}` : title}`;
    entries.push(entry("unapproved", id, sentence, { since: null, headline, next, holdsUp }));
  }
  return entries;
}
