// What can be read of runs: all of them, one with its role calls, and what one would change.

import type { Item } from "../../model/item/item.js";
import { isDriven } from "../../model/item/planning-run.js";
import { ok, type Result } from "../../model/result.js";
import { lastLines } from "../../plan/attempt/list-attempts.js";
import type { Reader } from "../../store/store.js";
import type { DraftDiff } from "../draft/plan-nodes.js";
import { diffOfRun } from "./apply-draft.js";
import { agentsFor, type Request, readStart } from "./begin.js";
import { callsOf } from "./calls.js";
import { currentDraft } from "./compare.js";
import { type ExportedFiles, exportRun } from "./present.js";
import type { PlanningServices } from "./services.js";
import { findRun, listRuns, type Run } from "./stored-run.js";
import { type PlanningRunView, toRunView } from "./view.js";

export const listPlans = (services: PlanningServices): Promise<PlanningRunView[]> =>
  services.context.store.read(async (reader) => {
    const runs = await listRuns(reader);
    return Promise.all(runs.map((run) => viewNow(services, reader, run)));
  });

/** A run whose program was killed has stopped, although nobody could write that down. A host's run has no program. */
async function viewNow({ context }: PlanningServices, reader: Reader, run: Run): Promise<PlanningRunView> {
  const view = await toRunView(reader, run);
  const { status, driver } = run.fields;
  if (status !== "running" || view.host) return view;
  const isAlive = driver !== null && (await context.isAlive(driver.by));
  if (isDriven(run.fields, context.now(), () => isAlive)) return view;
  return { ...view, status: "halted", stopped: "its program has ended" };
}

export type ShownRun = PlanningRunView & { readonly roleCalls: readonly CallView[] };

export const showRun = (services: PlanningServices, reference?: string): Promise<Result<ShownRun>> =>
  services.context.store.read(async (reader) => {
    const run = await findRun(reader, reference);
    if (!run.ok) return run;
    const calls = await callsOf(reader, run.value.key);
    const roleCalls = await Promise.all(calls.map((call) => toCallView(reader, call)));
    return ok({ ...(await viewNow(services, reader, run.value)), roleCalls });
  });

export type RunDiff = DraftDiff & Pick<PlanningRunView, "status" | "next"> & { readonly run: string };

export async function diffRun({ context }: PlanningServices, reference?: string): Promise<Result<RunDiff>> {
  const found = await context.store.read(async (reader) => {
    const run = await findRun(reader, reference);
    if (!run.ok) return run;
    const draft = await currentDraft(reader, run.value);
    return draft.ok ? ok({ run: run.value, draft: draft.value, view: await toRunView(reader, run.value) }) : draft;
  });
  if (!found.ok) return found;
  const { run, draft, view } = found.value;
  return ok({ run: run.key, status: view.status, next: view.next, ...(await diffOfRun(context, run, draft)) });
}

/** The documents of a run as files, committed on request with nothing but themselves. */
export async function exportDocuments(
  { context }: PlanningServices,
  { run: reference, to, commit = false }: { readonly run?: string; readonly to?: string; readonly commit?: boolean },
): Promise<Result<ExportedFiles>> {
  const run = await context.store.read((reader) => findRun(reader, reference));
  return run.ok ? exportRun(context, run.value, to ?? null, commit) : run;
}

export type Outlook = Extract<Awaited<ReturnType<typeof previewPlanningRun>>, { ok: true }>["value"];

const BELOW: Readonly<Record<string, string>> = {
  initiative: "features with their tasks",
  feature: "stories and tasks",
  story: "tasks",
};

/** What a request would lead to. Nothing is started. */
export async function previewPlanningRun(services: PlanningServices, request: Request) {
  const { context } = services;
  const roles = await agentsFor(services, request);
  return context.store.read(async (reader) => {
    const start = await readStart(reader, context, request);
    if (!start.ok) return start;
    const { node } = start.value;
    const below = BELOW[node?.tier ?? ""] ?? "features, stories and tasks";
    return ok({ node: node?.id ?? null, tier: node?.tier ?? null, mode: request.mode, below, roles });
  });
}

export type CallView = Awaited<ReturnType<typeof toCallView>>;

async function toCallView(reader: Reader, { key, fields }: Item<"call">) {
  const { run: _, input, output, startedAt, commit = null, wrote = [], ...shown } = fields;
  return {
    id: key,
    ...shown,
    commit,
    wrote,
    last: fields.state === "asked" && fields.transcript !== null ? lastLines(fields.transcript) : [],
    startedAt: new Date(startedAt).toISOString(),
    input: (await reader.document(input)) ?? "",
    output: output === null ? null : ((await reader.document(output)) ?? null),
  };
}
