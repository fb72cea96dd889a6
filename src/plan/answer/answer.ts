// A person answers a question. Answers about conflicts and tasks are carried out at once; a planning run reads its own answers.

import { isPerson } from "../../model/actor.js";
import { changeItem, type Item } from "../../model/item/item.js";
import {
  freeOption,
  GO_ON,
  isExpired,
  LANDED,
  type Option,
  pickOption,
  type Question,
  type QuestionKind,
} from "../../model/item/question.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Check, Node } from "../../model/node/node.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { absent, ambiguous, ok, type Result, refused, usage } from "../../model/result.js";
import { dropBranch, dropPatch } from "../../model/rules/give-up.js";
import { acceptPatch, type Settling } from "../../model/rules/task-outcome.js";
import type { Reader, Writer } from "../../store/store.js";
import { latestAttempt } from "../attempt/settle-attempts.js";
import { type Context, withNumber } from "../base/context.js";
import { decideAccept, decideReset, type Settlement } from "../claim/settle-tasks.js";
import { isConflictChoice, resolution } from "../conflict/resolve-conflict.js";
import { findItem } from "../item/find-item.js";
import { decideAdditions } from "../node/add.js";
import type { PreviewSettings, SeenPreview } from "../node/approval-preview.js";
import { actAsSeen, hashOf, previewDecision } from "../node/approve.js";
import { branchOf, colon } from "../node/branch.js";
import { withdraw } from "../question/raise.js";

export interface AnswerInput {
  readonly id: string;
  /** The id of an option, its number, or the beginning of its label. */
  readonly option: string;
  readonly note?: string;
  /** An agent passes on what a person said to it. */
  readonly relayed?: true;
}

export async function answer(context: Context, input: AnswerInput, seen?: SeenPreview) {
  const decided = (writer: Writer, at: number) => decideAnswer(context, input, writer, at);
  return withNumber(await actAsSeen(context, "answer", seen, decided));
}

/** What the same answer would approve. */
export const previewAnswer = (context: Context, input: AnswerInput, settings?: PreviewSettings) =>
  previewDecision(context, settings, (writer, at) => decideAnswer(context, input, writer, at));

async function decideAnswer(context: Context, input: AnswerInput, writer: Writer, at: number) {
  const found = await openQuestion(writer, input.id);
  if (!found.ok) return found;
  const { key, fields } = found.value;
  const chosen = choose(found.value, input.option, input.note ?? "");
  if (!chosen.ok) return chosen;
  const { option: picked, note } = chosen.value;
  const { id: option, label } = picked;
  const settling = { by: context.actor, at, op: writer.op };
  const asked = { question: found.value, option: picked, note };
  const effect = await effectOf(writer, asked, settling, context.head());
  if (!effect.ok) return effect;
  const given = { option, note, by: context.actor, at, ...(input.relayed && { relayed: input.relayed }) };
  const value = {
    id: key,
    option,
    label,
    note,
    /** What waited for it. */
    blocks: fields.blocks,
    /** It had expired already. */
    expired: isExpired(fields, at),
    did: effect.value.did,
    next: /^RUN-\d+$/.test(fields.owner) ? [step("plan.resume", { run: fields.owner })] : effect.value.next,
  };
  const sentence = `${context.actor} ${input.relayed ? "passed on the answer to" : "answered"} ${key} with "${label}"${colon(note === "" ? null : note)}`;
  const answered = changeItem(found.value, { state: "answered", answer: given });
  return ok({ sentence, changes: [...effect.value.changes, ...answered], value });
}

/** Answers about conflicts and tasks take effect here; every other asker reads the answer itself. */
async function effectOf(
  writer: Writer,
  asked: ChosenAnswer,
  settling: Settling,
  commit: string | null,
): Promise<Result<AnswerEffect>> {
  const { kind, owner, merge } = asked.question.fields;
  if (merge) return chooseValue(writer, merge, asked.option.id);
  const item = kind === "conflict" ? await writer.item("conflict", owner) : undefined;
  const choice = asked.option.id;
  if (!item || !isConflictChoice(choice)) return applyAnswer(writer, asked, settling);
  const resolved = await resolution(writer, item, choice, { by: settling.by, at: settling.at, commit });
  return resolved.ok ? ok({ ...NOTHING_DONE, changes: resolved.value.changes, did: resolved.value.effect }) : resolved;
}

/** The question, if it still waits for an answer. */
export async function openQuestion(reader: Reader, id: string): Promise<Result<Item<"question">>> {
  const found = await findItem(reader, "question", id);
  if (!found.ok) return found;
  const open = requireOpen(found.value);
  return open.ok ? found : open;
}

/** What two clones said differently becomes what the person chose. */
async function chooseValue(
  writer: Writer,
  { node: nr, field, values }: NonNullable<Question["merge"]>,
  option: string,
): Promise<Result<AnswerEffect>> {
  const node = await writer.node(nr);
  const place = Number(option) - 1;
  if (!node || !(place in values)) return ok(NOTHING_DONE);
  const changes = changeNode(node, { [field]: values[place] });
  return ok({ ...NOTHING_DONE, changes, did: changes.length === 0 ? null : `${node.id} has what you chose` });
}

function requireOpen({ key, fields }: Item<"question">): Result<void> {
  if (fields.state === "open") return ok(undefined);
  const next = [step("question.list")];
  if (fields.state === "withdrawn") {
    return refused("withdrawn", `${key} was withdrawn and needs no answer any more.`, { next });
  }
  const { option = "", by = "somebody", note = "" } = fields.answer ?? {};
  const label = fields.options.find(({ id }) => id === option)?.label ?? option;
  return refused("answered", `${by} answered ${key} already: ${label}${note === "" ? "" : ` (${note})`}.`, {
    details: { answer: fields.answer },
    next: [step("show", { reference: key })],
  });
}

/** A question without options is answered in the person's own words. Others may have an option that takes them. */
function choose({ key, fields }: Item<"question">, typed: string, note: string) {
  if (fields.options.length === 0) return ok({ option: { id: typed, label: typed, detail: "" }, note });
  const [first, ...others] = pickOption(fields.options, typed);
  if (first && others.length === 0) {
    if (first.free !== true || note.trim() !== "") return ok({ option: first, note });
    const next = [step("question.answer", { id: key, option: first.id }, "note")];
    return usage("needs-note", `"${first.label}" needs your own words, as the note.`, { next });
  }
  const free = first ? undefined : freeOption(fields.options, typed);
  if (free) return ok({ option: free, note: [typed.trim(), note.trim()].filter((words) => words !== "").join("\n") });
  const details = { options: fields.options.map(({ id }) => id) };
  const rest = { details, next: [step("question.answer", { id: key }, "option")] };
  const choices = `Its options are ${fields.options.map(({ id, label }, i) => `${i + 1} ${id} (${label})`).join(", ")}.`;
  if (!first) return usage("unknown-option", `${key} has no option "${typed.slice(0, 60)}". ${choices}`, rest);
  const labels = [first, ...others].map(({ label }) => label).join(", ");
  return ambiguous("ambiguous", `"${typed.slice(0, 60)}" could be ${labels}. ${choices}`, rest);
}

// What the answer does to a task, in the same operation.

interface AnswerEffect {
  readonly changes: readonly Change[];
  /** What happened to the task, in words. */
  readonly did: string | null;
  readonly next: readonly NextStep[];
}

const NOTHING_DONE: AnswerEffect = { changes: [], did: null, next: [] };

interface ChosenAnswer {
  readonly question: Item<"question">;
  readonly option: Option;
  readonly note: string;
}

interface Case extends ChosenAnswer {
  readonly writer: Writer;
  readonly node: Node;
  readonly settling: Settling;
}

/** Questions of execution: each is about one task, by its id. */
const KINDS: ReadonlySet<string> = new Set<QuestionKind>([
  "rejected",
  "footprint",
  "split",
  "conflict",
  "budget",
  "land",
]);

/** Changes nothing for questions whose asker reads the answer itself. */
async function applyAnswer(writer: Writer, chosen: ChosenAnswer, settling: Settling): Promise<Result<AnswerEffect>> {
  const { kind, owner } = chosen.question.fields;
  // Engines read the answer: the pause of the feature is over.
  if (kind === "budget" && chosen.option.id === GO_ON) {
    return ok({ ...NOTHING_DONE, did: `Work on ${owner} goes on`, next: [step("run", { within: owner })] });
  }
  const apply = KINDS.has(kind) && Object.hasOwn(EFFECTS, chosen.option.id) ? EFFECTS[chosen.option.id] : undefined;
  const node = apply ? await writer.byId(owner) : undefined;
  if (!apply || node?.tier !== "task") return ok(NOTHING_DONE);
  const done = await apply({ ...chosen, writer, node, settling });
  if (!done.ok) return done;
  const others = await withdraw(writer, owner, chosen.question.key);
  return ok({ ...done.value, changes: [...done.value.changes, ...others] });
}

/** What each option does, by its id. */
const EFFECTS: Readonly<Record<string, (given: Case) => Promise<Result<AnswerEffect>>>> = {
  reset: async ({ writer, node, settling, note, option }) => {
    const reason = note === "" ? option.label : note;
    const decided = await decideReset(writer, node, settling, reason);
    return decided.ok ? ok({ ...settle(node, decided.value), did: `${node.id} is open again` }) : decided;
  },

  accept: async ({ writer, node, settling, note, question }) => {
    if (note === "") {
      return refused("needs-reason", `Accepting ${node.id} overrides its checks, so it needs a reason.`, {
        next: [step("question.answer", { id: question.key, option: "accept" }, "note")],
      });
    }
    return accepted(writer, node, settling, note);
  },

  "accept-once": async ({ writer, node, settling, note }) =>
    accepted(writer, node, settling, note === "" ? `accepted once: ${await doubtAbout(writer, node)}` : note),

  widen: async ({ writer, node, settling, note }) => {
    const reason = note === "" ? "its footprint was widened" : note;
    const done = await accepted(writer, node, settling, reason);
    if (!done.ok) return done;
    const files = [...new Set([...node.files, ...(await outsideOf(writer, node))])];
    // You change the content and approve it in one step.
    const approval = { by: settling.by, at: settling.at, hash: await hashOf(writer, { ...node, files }) };
    const [change] = changeNode(node, { ...acceptPatch(settling, reason), files, approval });
    const others = done.value.changes.filter(({ entity }) => entity !== "node");
    return ok({ ...done.value, changes: [...(change ? [change] : []), ...others] });
  },

  reject: async ({ writer, node, settling, note }) => {
    const reason = note === "" ? `it ${await doubtAbout(writer, node)}` : note;
    const { by, at } = settling;
    const changes = changeNode(node, { acceptance: { state: "rejected", by, at, reason } });
    return ok({ changes, did: `${node.id} is rejected`, next: [step("reset", { references: [node.id] })] });
  },

  drop: async ({ writer, node, settling, note }) => {
    const going = dropBranch(await branchOf(writer, node));
    if (!going.ok) return going;
    const patch = dropPatch(settling, note === "" ? null : note);
    const changes = going.value.flatMap((each) => changeNode(each, patch));
    return ok({ changes, did: `${node.id} is dropped`, next: [] });
  },

  /** Planning is a run of its own, which takes a while and asks questions. */
  replan: async ({ writer, node }) => {
    const reference = (node.parent === null ? undefined : await writer.idOf(node.parent)) ?? node.id;
    return changeLater(`replan ${reference} to plan it again`, step("replan", { reference }, "reason"));
  },

  /** The landing itself proves it. */
  [LANDED]: async ({ writer, node }) => {
    const reference = (node.feature === null ? undefined : await writer.idOf(node.feature)) ?? node.id;
    return changeLater(`land ${reference} to prove it`, step("land", { reference }));
  },

  split: async ({ writer, node, settling, question }) => {
    const { decideSplit } = await import("./apply-answer-split.js");
    const split = await decideSplit(writer, node, settling, question);
    if (!split.ok) return split;
    const { changes, made, unchecked } = split.value;
    const waits = unchecked.length === 0 ? "" : `; ${unchecked.join(", ")} without a check: a person accepts it`;
    return ok({ changes, did: `${node.id} is split into ${made.join(", ")}, approved${waits}`, next: [] });
  },

  /** The task needs approval like any other before work on it begins. */
  [MERGE_MAIN]: async ({ writer, node, settling, question }) => {
    const made = await decideMergeMain(writer, node, settling, question.fields.context);
    if (!made.ok) return made;
    const { id, changes } = made.value;
    const next = [step("approve", { references: [id] }), step("run", { reference: id })];
    return ok({ changes, did: `${id} merges main into the feature's branch, once you approve it`, next });
  },

  /** The next worker reads the answer itself. */
  linear: async ({ node }) => {
    const { freeze } = node;
    const stopped = freeze !== null && freeze.from === node.nr && !isPerson(freeze.by);
    const changes = stopped ? changeNode(node, { freeze: null }) : [];
    return ok({ changes, did: `${node.id} will be done in one piece`, next: [] });
  },
};

const changeLater = (what: string, next: NextStep): Result<AnswerEffect> =>
  ok({ changes: [], did: `Nothing has changed yet: ${what}`, next: [next] });

async function accepted(writer: Writer, node: Node, settling: Settling, reason: string): Promise<Result<AnswerEffect>> {
  const decided = await decideAccept(writer, node, settling, reason);
  if (!decided.ok) return decided;
  const attempt = decided.value.details.integrates;
  const rest = attempt === null ? "" : `. The next run merges the work of ${attempt}`;
  return ok({
    ...settle(node, decided.value),
    did: `${node.id} is done: accepted${rest}`,
    next: attempt === null ? [] : [step("run")],
  });
}

/** Files of the latest attempt that are outside of the footprint. */
const outsideOf = async (writer: Writer, { nr }: Node): Promise<readonly string[]> =>
  (await latestAttempt(writer, nr))?.fields.outside ?? [];

async function doubtAbout(writer: Writer, { nr }: Node): Promise<string> {
  const { protectedFiles = [] } = (await latestAttempt(writer, nr))?.fields ?? {};
  return protectedFiles.length === 0
    ? "changed files outside of its footprint"
    : `changed what judges it: ${protectedFiles.join(", ")}`;
}

const settle = (node: Node, { patch, also = [] }: Settlement): AnswerEffect => ({
  ...NOTHING_DONE,
  // The caller withdraws every other open question about the task.
  changes: [...changeNode(node, patch), ...also.filter(({ entity }) => entity !== "question")],
});

/** `problem`: why the feature did not land; it names the files. */
async function decideMergeMain(writer: Writer, land: Node, { by, at }: Settling, problem: string) {
  const feature = land.feature === null ? undefined : await writer.node(land.feature);
  if (!feature) return absent("not-found", `${land.id} is in no feature.`);
  const tasks = (await writer.descendants(feature.nr)).filter(({ outcome }) => outcome?.kind === "done");
  const distinct = new Map(tasks.flatMap(({ checks }) => checks).map((check) => [JSON.stringify(check), check]));
  const input = {
    tier: "task",
    title: `Merge main into ${feature.id}`,
    parent: feature.id,
    profile: MERGE_MAIN,
    body: [
      problem,
      "The worktree begins with that merge. Files that both sides changed have git's conflict markers (<<<<<<<, =======, >>>>>>>).",
      "Resolve each of them so that what both sides meant holds, and remove the markers. Change nothing else.",
    ].join("\n\n"),
    checks: [NO_MARKERS, ...distinct.values()],
  } as const;
  const made = await decideAdditions(writer, { actor: by }, at, [{ input, where: "", isNew: true }]);
  return made.ok ? ok({ id: made.value.value.added[0] ?? "", changes: made.value.changes }) : made;
}

/** `git grep` fails if it finds nothing, which is what is wanted. */
const NO_MARKERS: Check = { run: "! git grep -nE '^(<<<<<<<|>>>>>>>) '" };
