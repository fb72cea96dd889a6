// Compares what is about to be approved with the records in force. Loaded only when there are any.

import {
  brokenConstraints,
  type Contradiction,
  type JudgedTask,
  missedRequirements,
  overriding,
} from "../../model/item/contradictions.js";
import { changeItem, type Item } from "../../model/item/item.js";
import type { Override } from "../../model/item/record.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";

export interface Approving {
  readonly node: Node;
  /** The feature that it will be in. */
  readonly feature: Nr | null;
  /** Of the content that is approved now. */
  readonly hash?: string;
}

const isOpenTask = ({ tier, outcome, archive }: Node): boolean =>
  tier === "task" && outcome?.kind !== "dropped" && archive === null;

/** What is approved gets another hash, so earlier overrides of another content say nothing about it. */
const judged = ({ node, feature, hash }: Approving): JudgedTask => ({ ...node, feature, hash: hash ?? node.hash });

/** `asked`: what is being approved now; `around`: everything in the branches that were named. */
export async function contradictionsOf(
  reader: Reader,
  records: readonly Item<"record">[],
  asked: readonly Approving[],
  around: readonly Approving[],
): Promise<Contradiction[]> {
  const tasks = asked.filter(({ node }) => isOpenTask(node) && node.kind !== "land").map(judged);
  const broken = brokenConstraints(tasks, records);
  // A requirement concerns whole features, not a task or a story alone.
  const features = new Set(around.filter(({ node }) => node.tier === "feature").map(({ node }) => node.nr));
  if (features.size === 0 || asked.length === 0) return broken;
  const concerned = records.filter(({ fields: { scope } }) => scope === null || features.has(scope));
  const within = around.filter(({ node }) => isOpenTask(node)).map(judged);
  const missed = missedRequirements(within, concerned);
  if (missed.length === 0) return broken;
  const unsure = concerned.filter(({ key }) => missed.some(({ record }) => record === key));
  return [...broken, ...missedRequirements(await allTasks(reader, within), unsure)];
}

/** Another feature may meet a requirement of the whole workspace. */
async function allTasks(reader: Reader, within: readonly JudgedTask[]): Promise<JudgedTask[]> {
  const known = new Set(within.map(({ nr }) => nr));
  const all = [...within];
  for await (const node of reader.scan()) if (isOpenTask(node) && !known.has(node.nr)) all.push(node);
  return all;
}

/** Notes on the records that what is approved here may break them: every judge honours that until the content changes. */
export async function overridesOf(
  reader: Reader,
  found: readonly Contradiction[],
  approving: readonly Change[],
  made: Pick<Override, "by" | "at" | "reason">,
): Promise<Change[]> {
  const approved = new Map<string, Pick<Override, "task" | "hash">>();
  for (const change of approving) {
    const hash = change.entity === "node" ? change.after?.approval?.hash : undefined;
    if (change.entity !== "node" || hash === undefined) continue;
    const id = change.after?.id ?? (await reader.idOf(change.key));
    if (id !== undefined) approved.set(id, { task: change.key, hash });
  }
  const changes: Change[] = [];
  for (const key of new Set(found.flatMap(({ task, record }) => (task === null ? [] : [record])))) {
    const item = await reader.item("record", key);
    if (item)
      changes.push(
        ...changeItem(
          item,
          overriding(item, found, (id) => approved.get(id), made),
        ),
      );
  }
  return changes;
}

const MAX_LISTED = 5;

export function contradicts(found: readonly Contradiction[]): Result<never> {
  const listed = found.slice(0, MAX_LISTED).map(({ message }) => message);
  const more = found.length > MAX_LISTED ? [`And ${found.length - MAX_LISTED} more.`] : [];
  const message = `This contradicts records in force. ${[...listed, ...more].join(" ")} Change the plan, or give a reason to approve it anyway.`;
  return refused("contradicts-record", message, { next: [step("record.list")], details: { contradictions: found } });
}
