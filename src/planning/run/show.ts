// What can be read of runs: all of them, one with its role calls, and what one would change.

import type { Item } from "../../model/item/item.js";
import type { RoleCall } from "../../model/item/planning-run.js";
import { ok, type Result } from "../../model/result.js";
import { lastLines } from "../../plan/attempt/list-attempts.js";
import type { Reader } from "../../store/store.js";
import type { DraftDiff } from "../draft/plan-nodes.js";
import { ROLES, type Role } from "../machine/machine.js";
import { diffOfRun } from "./apply-draft.js";
import { type Request, readStart } from "./begin.js";
import { callsOf } from "./calls.js";
import { currentDraft } from "./compare.js";
import { type Exported, exportRun } from "./present.js";
import type { PlanningServices } from "./services.js";
import { findRun, listRuns } from "./stored-run.js";
import { type PlanningRunView, toRunView } from "./view.js";

export const listPlans = ({ context }: PlanningServices): Promise<PlanningRunView[]> =>
  context.store.read(async (reader) => {
    const views: PlanningRunView[] = [];
    for (const run of await listRuns(reader)) views.push(await toRunView(reader, run));
    return views;
  });

export interface ShownRun extends PlanningRunView {
  readonly roleCalls: readonly CallView[];
}

export const showRun = ({ context }: PlanningServices, reference?: string): Promise<Result<ShownRun>> =>
  context.store.read(async (reader) => {
    const run = await findRun(reader, reference);
    if (!run.ok) return run;
    const roleCalls: CallView[] = [];
    for (const call of await callsOf(reader, run.value.key)) roleCalls.push(await toCallView(reader, call));
    return ok({ ...(await toRunView(reader, run.value)), roleCalls });
  });

export interface RunDiff extends DraftDiff {
  readonly run: string;
  readonly status: PlanningRunView["status"];
  readonly next: PlanningRunView["next"];
}

/** What applying the plan would do. */
export const diffRun = ({ context }: PlanningServices, reference?: string): Promise<Result<RunDiff>> =>
  context.store.read(async (reader) => {
    const run = await findRun(reader, reference);
    if (!run.ok) return run;
    const draft = await currentDraft(reader, run.value);
    if (!draft.ok) return draft;
    const { status, next } = await toRunView(reader, run.value);
    return ok({ run: run.value.key, status, next, ...(await diffOfRun(reader, run.value, draft.value)) });
  });

/** The documents of a run as files, committed on request with nothing but themselves. */
export async function exportDocuments(
  { context }: PlanningServices,
  { run: reference, to, commit = false }: { readonly run?: string; readonly to?: string; readonly commit?: boolean },
): Promise<Result<Exported>> {
  const run = await context.store.read((reader) => findRun(reader, reference));
  return run.ok ? exportRun(context, run.value, to ?? null, commit) : run;
}

export interface Outlook {
  readonly node: string | null;
  readonly tier: string | null;
  readonly mode: Request["mode"];
  /** What would be written. */
  readonly below: string;
  readonly roles: Readonly<Partial<Record<Role, string>>>;
}

const BELOW: Readonly<Record<string, string>> = {
  initiative: "features with their tasks",
  feature: "stories and tasks",
  story: "tasks",
};

/** What a request would lead to. Nothing is started. */
export async function previewPlanningRun(services: PlanningServices, request: Request): Promise<Result<Outlook>> {
  const { context, serverFor } = services;
  const roles: Partial<Record<Role, string>> = {};
  for (const role of ROLES) {
    const server = role === "researcher" && !request.research ? null : await serverFor(role, request);
    if (server) roles[role] = server.agent;
  }
  return context.store.read(async (reader) => {
    const start = await readStart(reader, context, request);
    if (!start.ok) return start;
    const { node } = start.value;
    const below = BELOW[node?.tier ?? ""] ?? "features, stories and tasks";
    return ok({ node: node?.id ?? null, tier: node?.tier ?? null, mode: request.mode, below, roles });
  });
}

export interface CallView {
  readonly id: string;
  readonly number: number;
  readonly role: string;
  readonly stage: string;
  readonly repair: number;
  readonly agent: string;
  readonly agentVersion: string | null;
  readonly model: string | null;
  readonly state: RoleCall["state"];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
  readonly durationMs: number | null;
  readonly startedAt: string;
  readonly session: string | null;
  readonly transcript: string | null;
  /** The commit that the role read. */
  readonly commit: string | null;
  /** Files that it wrote although it may only read. They were thrown away. */
  readonly wrote: readonly string[];
  /** What was said last, while it is being asked. */
  readonly last: readonly string[];
  readonly error: RoleCall["error"];
  readonly input: string;
  readonly output: string | null;
}

async function toCallView(reader: Reader, { key, fields }: Item<"call">): Promise<CallView> {
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
