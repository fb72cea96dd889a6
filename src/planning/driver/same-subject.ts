// Runs about the same thing: the same node, the same file, or the same words. Two of them may be open at once, but only one
// of them can be added to the plan.

import { step } from "../../model/next-step.js";
import { idKey, MISSION } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { type PlanDraft, parentsIn } from "../contracts/plan-draft.js";
import type { DraftDiff } from "../draft/diff.js";
import { listRuns, type Run } from "./runs.js";

async function specHash(reader: Reader, { fields: { current } }: Run): Promise<string | undefined> {
  const artifact = current.spec === undefined ? undefined : await reader.item("artifact", current.spec);
  return artifact?.fields.hash;
}

/** The newest first. A review changes nothing, so it is never meant. */
async function runsAbout(reader: Reader, run: Run, counts: (other: Run) => boolean): Promise<Run[]> {
  if (run.machine.mode === "review") return [];
  const found: Run[] = [];
  for (const other of await listRuns(reader)) {
    if (other.key === run.key || other.machine.mode === "review" || !counts(other)) continue;
    if (await isSame(reader, run, other)) found.push(other);
  }
  return found;
}

async function isSame(reader: Reader, run: Run, other: Run): Promise<boolean> {
  if (run.fields.node !== null || other.fields.node !== null) return run.fields.node === other.fields.node;
  const { source } = run.intake;
  if (source !== null && source === other.intake.source) return true;
  const hash = await specHash(reader, run);
  return hash !== undefined && hash === (await specHash(reader, other));
}

/** Other runs about the same thing that are not over. */
export const openTwins = async (reader: Reader, run: Run): Promise<string[]> =>
  run.machine.end !== null
    ? []
    : (await runsAbout(reader, run, ({ machine }) => machine.end === null)).map(({ key }) => key);

/** Refuses a plan that is in the graph already: from a run about the same thing, or node by node. */
export async function refuseDuplicate(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  { added }: Pick<DraftDiff, "added">,
): Promise<Result<void>> {
  if (added.length === 0) return ok(undefined);
  const { begunBy = Infinity, node } = run.fields;
  const isLater = ({ fields: { appliedBy } }: Run): boolean => (appliedBy ?? 0) > begunBy;
  const [twin] = run.machine.mode === "revise" ? [] : await runsAbout(reader, run, isLater);
  if (twin) {
    const subject = node === null ? "the same spec" : `${(await reader.node(node))?.id ?? "the same node"} too`;
    return refused(
      "duplicate",
      `${twin.key} planned ${subject} and was added while ${run.key} was open. ${run.key} would add it twice.`,
      {
        next: [step("plan.start", { revise: twin.key }), step("plan.diff", { run: run.key })],
        details: { run: twin.key },
      },
    );
  }
  const same = await sameNode(reader, draft, added);
  if (same === undefined) return ok(undefined);
  return refused(
    "duplicate",
    `${same.there.id} is in the plan already as "${same.there.title}", where ${run.key} adds it again.`,
    {
      next: [step("show", { reference: same.there.id }), step("plan.revise", { run: run.key }, "note")],
      details: { node: same.there.id, draft: same.id },
    },
  );
}

const words = (title: string): string => title.trim().replace(/\s+/g, " ").toLowerCase();

/** A new node with the title of an open one below the same parent. */
async function sameNode(
  reader: Reader,
  draft: PlanDraft,
  added: DraftDiff["added"],
): Promise<{ readonly id: string; readonly there: Node } | undefined> {
  const parents = new Map(parentsIn(draft).map(([id, parent]) => [idKey(id), parent]));
  const children = new Map<string, readonly Node[]>();
  for (const { id, tier, title } of added) {
    const parent = parents.get(idKey(id)) ?? MISSION;
    if (!children.has(parent)) {
      const holder = await reader.byId(parent);
      children.set(parent, holder ? await reader.children(holder.nr) : []);
    }
    const there = children
      .get(parent)
      ?.find((node) => node.outcome === null && node.tier === tier && words(node.title) === words(title));
    if (there) return { id, there };
  }
  return undefined;
}
