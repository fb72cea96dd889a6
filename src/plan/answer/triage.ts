// Suggests what to do about each open question of execution, and does it when a person confirms: the proof is made
// again at that moment, and nothing happens if it no longer holds.

import { isPerson } from "../../model/actor.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import { changeItem, type Item } from "../../model/item/item.js";
import { answerStep, type Question } from "../../model/item/question.js";
import { step } from "../../model/next-step.js";
import type { Check, CheckResult, Node, NodeFields } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused, type ValueOf } from "../../model/result.js";
import { acceptPatch, type Settling } from "../../model/rules/task-outcome.js";
import { maySettleAlone, type ProofKind, type Suggestion, TRIAGED, type TriageVerb } from "../../model/rules/triage.js";
import type { Reader, Writer } from "../../store/store.js";
import { actWithNumber, type Context } from "../base/context.js";
import { pick } from "../base/pick.js";
import { decideReset } from "../claim/settle-tasks.js";
import { findItem } from "../item/find-item.js";
import { requirePerson } from "../node/require-person.js";
import { withdraw } from "../question/raise.js";
import { type Evidence, evidenceOf, rememberEvidence } from "./triage-evidence.js";
import { type Case, caseOf } from "./triage-facts.js";

export type TriageView = ReturnType<typeof toView>;

export type Triaged = ValueOf<ReturnType<typeof confirmTriage>>;

const toView = ({ question: { key, fields }, node, suggestion }: Case) => ({
  id: key,
  kind: fields.kind,
  question: fields.question,
  about: node?.id ?? null,
  ...pick(suggestion, "bucket", "verb", "proof", "why"),
  next:
    suggestion.proof === null
      ? answerStep(key, suggestion.option ?? fields.recommended)
      : step("question.confirm", { id: key }),
});

export type TriageSuggestion = NonNullable<Awaited<ReturnType<typeof suggestionFor>>>;

const WORDS: Readonly<Record<Exclude<TriageVerb, "answer">, (about: string) => string>> = {
  withdraw: () => "withdraw the question",
  accept: (about) => `accept ${about}`,
  reset: (about) => `reset ${about}`,
  replan: (about) => `plan ${about} again`,
};

/** Null where only you can say: a decision, or a question of a planning run. */
export async function suggestionFor(reader: Reader, item: Item<"question">, evidence: Evidence) {
  if (!TRIAGED.has(item.fields.kind) || item.fields.state !== "open") return null;
  const { about, ...view } = toView(await caseOf(reader, item, evidence));
  if (view.verb === "answer") return null;
  const sentence = `Triage suggests: ${WORDS[view.verb](about ?? "it")}. ${view.why}`;
  return { ...pick(view, "bucket", "verb", "proof", "why", "next"), sentence };
}

/** The oldest first. */
export function triage(context: Context): Promise<Result<TriageView[]>> {
  const evidence = evidenceOf(context);
  return context.store.read(async (reader) => {
    const views: TriageView[] = [];
    for (const item of await reader.items("question", { state: "open" })) {
      if (TRIAGED.has(item.fields.kind)) views.push(toView(await caseOf(reader, item, evidence)));
    }
    return ok(views);
  });
}

/** Runs checks of a task on a commit, in a worktree of its own. */
export type CheckCommit = (
  on: { readonly commit: string; readonly task: string },
  checks: readonly Check[],
) => Promise<Result<CheckResult[]>>;

/** A person confirms, or the engine where a machine may settle it alone. */
export async function confirmTriage(context: Context, id: string, check: CheckCommit, evidence = evidenceOf(context)) {
  const look = (found: Evidence) =>
    context.store.read(async (reader) => {
      const item = await findItem(reader, "question", id);
      const open = item.ok ? requireOpen(context, item.value) : item;
      return open.ok ? ok(await caseOf(reader, open.value, found)) : open;
    });
  const seen = await look(evidence);
  if (!seen.ok) return seen;
  const proven = await prove(seen.value, check, evidence);
  if (!proven.ok) return proven;
  const memory = rememberEvidence(evidence);
  const again = await look(memory.evidence);
  if (!again.ok) return again;
  memory.recall();
  return actWithNumber(context, "triage", async (writer, at) => {
    const item = await writer.item("question", seen.value.question.key);
    const open = item ? requireOpen(context, item) : changed(seen.value);
    if (!open.ok) return open;
    const now = await caseOf(writer, open.value, memory.evidence);
    if (!memory.isComplete() || !isSame(seen.value, now)) return changed(now);
    return apply(writer, now, proven.value, { by: context.actor, at, op: writer.op });
  });
}

function requireOpen({ actor }: Context, item: Item<"question">): Result<Item<"question">> {
  const { kind, state } = item.fields;
  if (state !== "open") {
    return refused("stale", `${item.key} is ${state} already.`, { next: [step("question.triage")] });
  }
  const next = [step("show", { reference: item.key })];
  if (!TRIAGED.has(kind)) {
    return refused("no-proof", `${item.key} is a ${kind}: only a person's answer settles it.`, { next });
  }
  const may =
    maySettleAlone(kind) && actor.startsWith("daemon:") ? ok(undefined) : requirePerson(actor, "confirm that");
  return may.ok ? ok(item) : may;
}

interface TriageProof {
  readonly kind: ProofKind;
  readonly text: string;
  readonly checks: readonly CheckResult[];
}

/** What costs time is done before the operation; what it was done on must be the same then. */
async function prove(seen: Case, check: CheckCommit, evidence: Evidence) {
  const { question, node, suggestion, branch, work, failed } = seen;
  const { proof, why, bucket } = suggestion;
  const next = [step("show", { reference: question.key })];
  if (proof === null) {
    const message = `Nothing proves what to do about ${question.key}: ${why}`;
    return refused("no-proof", message, { next, details: { bucket } });
  }
  if (proof !== "checks-green" && proof !== "foreign-failure") return ok({ kind: proof, text: why, checks: [] });
  const wanted = (node?.checks ?? []).filter(({ run }) => proof === "checks-green" || failed.includes(run));
  if (!node || !branch || wanted.length === 0) {
    return refused("no-proof", `Nothing can prove an answer to ${question.key}.`, { next });
  }
  const together = proof === "foreign-failure" && work !== null ? await evidence.withWork(branch.tip, work) : null;
  const checks = await check({ commit: together ?? branch.tip, task: node.id }, wanted);
  if (!checks.ok) return checks;
  const red = checks.value.find(hasFailed);
  const where = `${branch.name} at ${branch.tip.slice(0, 10)}${together === null ? "" : " with its work"}`;
  if (!red) return ok({ kind: proof, text: `the checks of ${node.id} pass on ${where}`, checks: checks.value });
  const details = { output: red.output };
  return refused("checks-failed", `On ${where} "${red.run}" does not pass: ${red.outcome}.`, { next, details });
}

const isSame = (seen: Case, now: Case): boolean =>
  seen.suggestion.verb === now.suggestion.verb &&
  seen.suggestion.proof === now.suggestion.proof &&
  seen.node?.revision === now.node?.revision &&
  seen.branch?.tip === now.branch?.tip;

const changed = ({ question: { key }, suggestion: { why } }: Case): Result<never> =>
  refused("stale", `What ${key} is about has changed meanwhile: ${why}`, { next: [step("question.triage")] });

async function apply(writer: Writer, now: Case, proven: TriageProof, settling: Settling) {
  const { question, node, suggestion } = now;
  const done = await changesFor(writer, now, proven, settling);
  if (!done.ok) return done;
  const others = done.value.filter((change) => change.entity !== "question");
  // All that was asked about a task goes with it, as it does when a person resets or accepts it.
  const rest = suggestion.verb === "withdraw" || !node ? [] : await withdraw(writer, node.id, question.key);
  const changes = [...others, ...rest, ...changeItem(question, settledAs(suggestion, proven, settling))];
  const about = node?.id ?? null;
  const did = suggestion.verb === "withdraw" ? "took it back" : `${PAST[suggestion.verb]} ${about ?? ""}`;
  return ok({
    sentence: `${settling.by} confirmed what triage suggests for ${question.key} and ${did}: ${proven.text}`,
    changes,
    /** `seen`: when it was confirmed. */
    value: { id: question.key, about, verb: suggestion.verb, proof: proven.kind, seen: proven.text },
  });
}

/** The proof is kept with the answer that it stands for. */
const settledAs = ({ option }: Suggestion, { text }: TriageProof, { by, at }: Settling): Partial<Question> =>
  option === null
    ? { state: "withdrawn", withdrawnBecause: text }
    : { state: "answered", answer: { option, note: text, by, at } };

export const PAST: Readonly<Record<TriageVerb, string>> = {
  withdraw: "withdrawn",
  accept: "accepted",
  reset: "reset",
  answer: "answered",
  replan: "planned again",
};

async function changesFor(
  writer: Writer,
  { node, suggestion, commit }: Case,
  proven: TriageProof,
  settling: Settling,
): Promise<Result<readonly Change[]>> {
  if (suggestion.verb === "withdraw" || !node) return ok([]);
  if (suggestion.verb === "accept") return ok(changeNode(node, acceptance(node, commit, proven, settling)));
  const reset = await decideReset(writer, node, settling, proven.text);
  return reset.ok ? ok([...changeNode(node, reset.value.patch), ...(reset.value.also ?? [])]) : reset;
}

/** What a machine accepts, the checks have proven; a person who confirms it answers for it. */
function acceptance(node: Node, commit: string | null, proven: TriageProof, settling: Settling): Partial<NodeFields> {
  const patch = acceptPatch(settling, proven.text);
  const report = node.report && { ...node.report, commit, checks: proven.checks, failure: null };
  if (node.kind === "land") return patch;
  const by = isPerson(settling.by) ? settling.by : "checks";
  return { ...patch, report, acceptance: { state: "accepted", by, at: settling.at, reason: proven.text } };
}
