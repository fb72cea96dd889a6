// A plan that a person edited as a document: read back by the program, put in order, linted, and shown again.

import { step } from "../../model/next-step.js";
import { ok, problems, type Result, refused, usage } from "../../model/result.js";
import { withdraw } from "../../plan/question/raise.js";
import { editDraft } from "../document/edit-draft.js";
import { renameIds, unreadLines } from "../document/read-plan.js";
import { reduce } from "../machine/reduce.js";
import { CHOICE } from "./ask-person.js";
import { currentDraft } from "./compare.js";
import { runOfDocument } from "./present.js";
import { revisionRequest } from "./request.js";
import { continueRun, startRun } from "./resume.js";
import type { Hooks, PlanningServices } from "./services.js";
import { diffRun } from "./show.js";
import {
  allTexts,
  currentText,
  findOnlyRun,
  jsonArtifact,
  notNow,
  type Run,
  readRun,
  saveArtifacts,
  stepRun,
} from "./stored-run.js";
import type { PlanningRunView } from "./view.js";

export interface EditedRunView extends PlanningRunView {
  /** What was understood, one line each, and lines that only an agent can act on. */
  readonly edits: { readonly changes: readonly string[]; readonly prose: readonly string[] };
}

/** It is the run of the document, unless one is named. */
export async function editRun(
  services: PlanningServices,
  { run: reference, document }: { readonly run?: string | undefined; readonly document: string },
  hooks: Hooks,
): Promise<Result<EditedRunView>> {
  const { context } = services;
  const named = runOfDocument(document);
  if (reference !== undefined && named !== undefined && reference.toUpperCase() !== named)
    return usage("other-run", `This is the plan document of ${named}, not of ${reference.toUpperCase()}.`, {
      next: [step("plan.show", { run: named })],
    });
  const found = await context.store.read((reader) => findOnlyRun(reader, reference ?? named));
  if (!found.ok) return found;
  const before = await context.store.read((reader) => allTexts(reader, found.value, "plan"));
  const edited = await (found.value.machine.end === null
    ? editOpenRun(services, found.value, document, hooks)
    : reviseByDocument(services, found.value, document, hooks));
  if (!edited.ok) return edited;
  const { view, changes } = edited.value;
  const after = await context.store.read(async (reader) => {
    const run = await readRun(reader, view.id);
    return run.ok ? currentText(reader, run.value, "plan") : undefined;
  });
  const rename = (text: string): string => renameIds(text, found.value.fields.applied);
  const prose = unreadLines(rename(document), [...before.map(rename), after ?? ""].join("\n"));
  return ok({ ...view, edits: { changes, prose } });
}

type Edited = Pick<EditedRunView["edits"], "changes"> & { readonly view: PlanningRunView };

async function editOpenRun(
  services: PlanningServices,
  { key }: Run,
  document: string,
  hooks: Hooks,
): Promise<Result<Edited>> {
  const { context } = services;
  let changes: readonly string[] = [];
  const stepped = await stepRun(
    context,
    key,
    null,
    async (writer, run, at) => {
      const event = { type: "edited" } as const;
      if (reduce(run.machine, event) === run.machine) return notNow(run);
      const draft = await currentDraft(writer, run);
      if (!draft.ok) return draft;
      const read = editDraft(draft.value, document);
      if (!read.ok) return read;
      ({ changes } = read.value);
      if (changes.length === 0) return ok({ sentence: `${context.actor} read the plan of ${key}` });
      const maker = { by: context.actor, at };
      const saved = await saveArtifacts(writer, run, [jsonArtifact("draft", read.value.draft)], maker);
      const { [CHOICE]: _, ...asked } = run.fields.asked;
      return ok({
        sentence: `${context.actor} edited the plan of ${key}: ${changes.slice(0, 10).join(", ")}`,
        changes: [...saved.changes, ...(await withdraw(writer, key))],
        patch: { current: saved.current, editedDraft: saved.current.draft ?? null, asked },
        event,
      });
    },
    "plan-edit",
  );
  if (!stepped.ok) return stepped;
  const view = await continueRun(services, stepped.value, hooks);
  return view.ok ? ok({ view: view.value, changes }) : view;
}

/** The plan is in the graph: the edit becomes a revision that you approve like any other. */
async function reviseByDocument(
  services: PlanningServices,
  run: Run,
  document: string,
  hooks: Hooks,
): Promise<Result<Edited>> {
  if (Object.keys(run.fields.applied).length === 0)
    return refused("run-over", `${run.key} was ${run.machine.end ?? "ended"}, and nothing of it is in the plan.`, {
      next: [step("plan.start", { source: run.key, from: "tasks" })],
    });
  const view = await startRun(services, { ...revisionRequest(services.limits, run.key), document }, hooks);
  if (!view.ok) return view;
  const diff = await diffRun(services, view.value.id);
  if (!diff.ok) return diff;
  const changes = [
    ...diff.value.changed.flatMap(({ id, fields }) => fields.map(({ field }) => `${id} ${field}`)),
    ...diff.value.dropped.map(({ id }) => `${id} removed`),
  ];
  return ok({ view: view.value, changes });
}

/** An edit that the program could not act on at all is a problem: it would be lost without a word. */
export function editResult(edited: Result<EditedRunView>): Result<EditedRunView> {
  if (!edited.ok) return edited;
  const { id, edits } = edited.value;
  if (edits.changes.length > 0 || edits.prose.length === 0) return edited;
  return problems("prose", `Only an agent can act on what you wrote in the plan of ${id}.`, {
    details: { ...edited.value },
    next: [step("plan.revise", { run: id }, "note")],
  });
}
