// Puts the plan of a run into the graph as one operation, and approves it on request.

import { changeItem } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { act } from "../../plan/base/context.js";
import type { ApprovalPreview, PreviewSettings, SeenPreview } from "../../plan/node/approval-preview.js";
import { actAsSeen, previewDecision } from "../../plan/node/approve.js";
import { overridesOf } from "../../plan/node/check-records.js";
import type { Writer } from "../../store/store.js";
import { reduce } from "../machine/reduce.js";
import { type Application, decideApplication, landsMadeBy } from "./apply-draft.js";
import { currentDraft, plannedDrops } from "./compare.js";
import { type Dossier, type ExportedFiles, exportRun, gatherDossier, specLinesOf } from "./present.js";
import { holdToRecords } from "./run-records.js";
import type { PlanningServices } from "./services.js";
import { findOnlyRun, findRun, notNow, over, type Run, readRun, saveArtifacts, statusOf } from "./stored-run.js";
import { renamed, retireIdea } from "./subject.js";

interface Applied extends Omit<Application, "names" | "changes"> {
  readonly run: string;
  /** The captured idea that this plan replaces in the inbox. */
  readonly idea: string | null;
}

export interface AppliedRun extends Applied {
  readonly op: number | null;
  /** What was committed to git, if the run was started with that wish. */
  readonly documents: (ExportedFiles & { readonly problem: string | null }) | null;
}

export interface ApplyInput {
  /** The only run that is not over, unless one is named. */
  readonly run?: string | undefined;
  readonly approve: boolean;
  readonly despite?: string | undefined;
  readonly yes?: boolean | undefined;
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
  /** What the person was shown before they approved it. */
  readonly seen?: SeenPreview | undefined;
}

export async function applyRun(services: PlanningServices, input: ApplyInput): Promise<Result<AppliedRun>> {
  const { context } = services;
  const confirmed = await confirmDrops(services, input);
  if (!confirmed.ok) return confirmed;
  const dossier = await dossierOf(services, input.run);
  const committed = await actAsSeen<Applied>(
    context,
    input.approve ? "approve" : "plan-apply",
    input.seen,
    (writer, at) => decide(services, input, { writer, at, dossier, confirmed: confirmed.value }),
  );
  if (!committed.ok) return committed;
  const { op, value } = committed.value;
  const lands = op === null ? [] : await context.store.read((reader) => landsMadeBy(reader, op));
  return ok({
    op,
    ...value,
    added: [...value.added, ...lands.map(({ id }) => id)],
    approved: [...value.approved, ...lands.filter(({ approval }) => approval !== null).map(({ id }) => id)],
    documents: input.approve ? await commitDocuments(services, value.run) : null,
  });
}

export const previewRunApproval = (
  services: PlanningServices,
  { run, despite }: Pick<ApplyInput, "run" | "despite">,
  settings: PreviewSettings,
): Promise<Result<ApprovalPreview>> =>
  previewDecision(services.context, settings, (writer, at) => {
    const asked = { run, despite, approve: true, yes: true };
    return decide(services, asked, { writer, at, dossier: undefined, confirmed: new Set() });
  });

interface Moment {
  readonly writer: Writer;
  readonly at: number;
  readonly dossier: Dossier | undefined;
  readonly confirmed: ReadonlySet<string>;
}

async function decide(
  { context }: PlanningServices,
  { run: reference, approve, despite, yes }: ApplyInput,
  { writer, at, dossier, confirmed }: Moment,
): ReturnType<Parameters<typeof act<Applied>>[2]> {
  const run = await findOnlyRun(writer, reference);
  if (!run.ok) return run;
  const { key, machine, fields } = run.value;
  if (machine.wait.for !== "approval") return machine.end === null ? notNow(run.value) : over(run.value);
  const draft = await currentDraft(writer, run.value);
  if (!draft.ok) return draft;
  const decided = await decideApplication(writer, context, run.value, draft.value, at, approve);
  if (!decided.ok) return decided;
  const { added, changed, dropped, approved, names, changes } = decided.value;
  if (yes !== true && dropped.some((id) => !confirmed.has(id))) return needsYes(key, dropped, approve);
  const held = approve ? await holdToRecords(writer, run.value, draft.value, despite) : ok({ words: "", found: [] });
  if (!held.ok) return held;
  const inThePlan = held.value.found.map((each) => ({ ...each, task: each.task && (names[each.task] ?? each.task) }));
  const overrides = await overridesOf(writer, inThePlan, changes, { by: context.actor, at, reason: despite ?? "" });
  const next = reduce(machine, { type: approve ? "approved" : "applied" });
  const maker = { by: context.actor, at };
  const isSame = dossier !== undefined && dossier.from === fields.current.draft;
  const inPlan = renamed(draft.value, names);
  const documents = isSame ? dossier.documentsOf(inPlan, names, approve ? maker : undefined) : [];
  const saved = await saveArtifacts(writer, run.value, documents, maker);
  const applied = { ...fields.applied, ...names };
  const retired = await retireIdea(writer, run.value, draft.value, names, maker);
  const patch = {
    machine: next,
    status: statusOf(next),
    applied,
    appliedBy: writer.op,
    specLines: await specLinesOf(writer, run.value, inPlan),
    current: saved.current,
    driver: null,
  };
  const done = approve ? "approved" : "applied";
  const sentence = `${context.actor} ${done} ${key}: ${added.length} added, ${changed.length} changed, ${dropped.length} dropped${held.value.words}`;
  const value = { run: key, added, changed, dropped, approved, idea: retired.idea };
  const all = [...changes, ...overrides, ...retired.changes, ...saved.changes, ...changeItem(run.value, patch)];
  return ok({ sentence, changes: all, value });
}

/** Everything that the plan would drop, with the claims on it, is confirmed first. */
async function confirmDrops(
  { context }: PlanningServices,
  { run: reference, yes, confirm }: ApplyInput,
): Promise<Result<ReadonlySet<string>>> {
  if (confirm === undefined || yes === true) return ok(new Set());
  const drops = await context.store.read(async (reader) => {
    const run = await findOnlyRun(reader, reference);
    return run.ok ? { run: run.value.key, ...(await plannedDrops(reader, run.value)) } : undefined;
  });
  if (drops === undefined || drops.ids.length === 0) return ok(new Set());
  const { run, ids, claimed } = drops;
  const claims = claimed.length === 1 ? "its claim" : "their claims";
  const lost = claimed.length === 0 ? "" : ` ${claimed.join(", ")} would lose ${claims}.`;
  if (await confirm(`${run} drops ${ids.join(", ")}.${lost} Drop ${ids.length === 1 ? "it" : "them"}?`))
    return ok(new Set(ids));
  return refused("declined", "Nothing was changed.", { next: [step("plan.diff", { run })] });
}

const needsYes = (run: string, drops: readonly string[], approve: boolean): Result<never> =>
  refused("needs-yes", `${run} would drop ${drops.join(", ")}, and that needs confirmation.`, {
    details: { drops },
    next: [
      step("plan.diff", { run }),
      approve ? step("approve", { references: [run], yes: true }) : step("plan.apply", { run, yes: true }),
    ],
  });

/** What the documents say, read before the write begins; undefined if the run is not ready. */
async function dossierOf(services: PlanningServices, reference: string | undefined): Promise<Dossier | undefined> {
  const run = await services.context.store.read((reader) => findRun(reader, reference));
  return run.ok && run.value.machine.wait.for === "approval" ? gatherDossier(services, run.value) : undefined;
}

/** Trouble with git undoes nothing; the answer names it. */
async function commitDocuments({ context }: PlanningServices, key: string): Promise<AppliedRun["documents"]> {
  const run: Result<Run> = await context.store.read((reader) => readRun(reader, key));
  if (!run.ok || run.value.intake.commitTo === null) return null;
  const exported = await exportRun(context, run.value, run.value.intake.commitTo, true);
  return exported.ok
    ? { ...exported.value, problem: null }
    : { files: [], commit: null, problem: exported.error.message };
}
