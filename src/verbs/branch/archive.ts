import { isPerson } from "../../model/actor.js";
import { createItem } from "../../model/item/item.js";
import type { Lesson } from "../../model/item/lesson.js";
import { itemKey } from "../../model/item-key.js";
import type { Archive, Node, Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { archiveSummary, toArchive } from "../../model/rules/archive.js";
import { harvest, LESSONS_AT_MOST, lessonKey, type Rejection } from "../../model/rules/harvest.js";
import type { Branch } from "../../model/status/rollup.js";
import { branchesOf, idsOf, summary } from "../../plan/node/branch.js";
import type { Maker } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";
import {
  actWithNumber,
  type Context,
  fields,
  type Infer,
  nodes,
  ok,
  planVerb,
  spoken,
  step,
  undoStep,
} from "../kit/verb.js";
import { harmless, lineOf } from "../kit/wording.js";

export const input = fields({ references: nodes("a finished initiative, feature or story") });

export const verb = planVerb({
  command: { words: "archive", group: "decide", positional: ["references"] },
  summary: "Hide finished nodes, with a summary of what was done",
  description:
    "Every node stays in the plan and still counts for whatever depends on it. An archived branch can be restored.",
  effect: "writes",
  asksFirst: true,
  phrases: spoken(
    "archive, compress, wrap up, wrap … up, finalize feature, finalize, finalise, close out, close … out, " +
      "file … away, file away, retire, put … away",
  ),
  emptyWords: "put move to into finished complete done",
  hints: ["close"],
  tools: [{ tool: "edit", action: "archive", fields: ["references"] }],
  input,
  examples: [{ input: { references: ["FEAT-001"] }, does: "hides the feature and shows its summary" }],
  run: archive,
  text: ({ summary }, style) => `${style.dim("⌂")} archived ${harmless(summary)}`,
  note: ({ lessons }) => lineOf("Lessons kept", lessons),
  next: ({ op, lessons }) => [...(lessons.length > 0 ? [step("lesson.list")] : []), ...undoStep(op)],
});

export function archive(context: Context, asked: Infer<typeof input>) {
  return actWithNumber(context, "archive", async (writer, at) => {
    const maker = { by: context.actor, at };
    const branches = await branchesOf(writer, asked, context);
    if (!branches.ok) return branches;
    const changes: Change[] = [];
    const archived: string[] = [];
    const summaries: string[] = [];
    const lessons: string[] = [];
    for (const branch of branches.value) {
      const nodes = toArchive(branch);
      if (!nodes.ok) return nodes;
      const [root] = branch;
      const text = archiveSummary(branch);
      const fact: Archive = { ...maker, root: root.nr, summary: null };
      for (const node of nodes.value) {
        changes.push(...changeNode(node, { archive: node.nr === root.nr ? { ...fact, summary: text } : fact }));
      }
      const learnt = await keepLessons(writer, branch, maker);
      changes.push(...learnt.changes);
      lessons.push(...learnt.keys);
      archived.push(...idsOf(nodes.value));
      summaries.push(text);
    }
    const value = { archived, summary: summaries.join("\n\n"), lessons };
    return ok({ sentence: `${context.actor} archived ${summary(archived)}`, changes, value });
  });
}

/** Operations of a task that are looked through for what it failed with. */
const MAX_OPERATIONS_READ = 50;

/** Lessons are kept of whole features; a feature that was archived before has given its lessons already. */
async function keepLessons(writer: Writer, [root, ...below]: Branch, { by, at }: Maker) {
  if (root.tier === "story") return { keys: [], changes: [] };
  const gone = new Set(below.flatMap(({ tier, archive, nr }) => (tier === "feature" && archive !== null ? [nr] : [])));
  const branch: Branch = [root, ...below.filter(({ feature }) => feature === null || !gone.has(feature))];
  // What was forgotten once does not come back, and neither does what an earlier archiving has kept.
  const known = new Set((await writer.items("lesson", {})).map(({ fields }) => lessonKey(fields)));
  const lessons = harvest(branch, await failuresOf(writer, branch), known);
  if (lessons.length === 0) return { keys: [], changes: [] };
  const first = await writer.number("MEM", lessons.length);
  // Words stay of whoever wrote them: what an agent wrote is a proposal, whoever archives the branch.
  const made = ({ by: writer, ...lesson }: (typeof lessons)[number]): Lesson => {
    const isKept = isPerson(by) && (writer === null || isPerson(writer));
    return { ...lesson, state: isKept ? "kept" : "proposed", createdAt: at, createdBy: writer ?? by };
  };
  const changes = lessons.map((lesson, i) => createItem("lesson", itemKey("MEM", first + i), made(lesson)));
  return { keys: changes.map(({ key }) => key), changes };
}

async function failuresOf(reader: Reader, branch: Branch): Promise<Map<Nr, Rejection>> {
  const failures = new Map<Nr, Rejection>();
  const repeated = branch.filter((node) => node.tier === "task" && node.epoch > 1 && node.outcome?.kind === "done");
  for (const task of repeated) {
    if (failures.size === LESSONS_AT_MOST) break;
    const rejection = await lastRejection(reader, task);
    if (rejection !== undefined) failures.set(task.nr, rejection);
  }
  return failures;
}

async function lastRejection(reader: Reader, { nr }: Node): Promise<Rejection | undefined> {
  for (const { op } of await reader.operations({ node: nr, limit: MAX_OPERATIONS_READ })) {
    for (const change of await reader.changes(op)) {
      if (change.entity !== "node" || change.key !== nr) continue;
      const rejection = change.after?.acceptance;
      if (rejection?.state !== "rejected") continue;
      const { reason, by } = rejection;
      return reason === null ? undefined : { reason, by: by === "checks" ? null : by };
    }
  }
  return undefined;
}
