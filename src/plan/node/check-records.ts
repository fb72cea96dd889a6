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
  const check = new RecordCheck(records);
  check.look(asked, around);
  return check.found(reader);
}

/** The same for a branch that is looked at in parts. */
export class RecordCheck {
  readonly #records: readonly Item<"record">[];
  /** Requirements that nothing so far takes up. */
  #missed: readonly Item<"record">[];
  readonly #features = new Set<Nr>();
  readonly #within = new Set<Nr>();
  readonly #broken: Contradiction[] = [];
  #isAsked = false;
  /** What is approved against a constraint. */
  readonly broken = new Set<Nr>();

  constructor(records: readonly Item<"record">[]) {
    this.#records = records;
    this.#missed = records.filter((record) => missedRequirements([], [record]).length > 0);
  }

  look(asked: readonly Approving[], around: readonly Approving[]): void {
    const tasks = asked.filter(({ node }) => isOpenTask(node) && node.kind !== "land").map(judged);
    const broken = brokenConstraints(tasks, this.#records);
    const ids = new Set(broken.map(({ task }) => task));
    for (const { id, nr } of tasks) if (nr !== null && ids.has(id)) this.broken.add(nr);
    for (const each of broken) this.#broken.push(each);
    this.#isAsked ||= asked.length > 0;
    for (const { node } of around) if (node.tier === "feature") this.#features.add(node.nr);
    if (this.#missed.length > 0) this.#take(around.filter(({ node }) => isOpenTask(node)).map(judged));
  }

  #take(tasks: readonly JudgedTask[]): void {
    for (const { nr } of tasks) if (nr !== null) this.#within.add(nr);
    this.#missed = this.#missed.filter((record) => missedRequirements(tasks, [record]).length > 0);
  }

  /** A requirement concerns whole features, not a task or a story alone. Another feature may meet one of the whole workspace. */
  async found(reader: Reader): Promise<Contradiction[]> {
    if (this.#features.size === 0 || !this.#isAsked) return this.#broken;
    let missed = this.#missed.filter(({ fields: { scope } }) => scope === null || this.#features.has(scope));
    if (missed.length === 0) return this.#broken;
    for await (const node of reader.scan()) {
      if (!isOpenTask(node) || this.#within.has(node.nr)) continue;
      missed = missed.filter((record) => missedRequirements([node], [record]).length > 0);
    }
    return [...this.#broken, ...missedRequirements([], missed)];
  }
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
