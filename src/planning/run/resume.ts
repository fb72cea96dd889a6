// Starts, resumes, revises and ends runs. Every answer is read back from the store, so it is what the next process would see too.

import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { ok, problems, type Result } from "../../model/result.js";
import { requirePerson } from "../../plan/require-person.js";
import type { Writer } from "../../store/store.js";
import { type Event, ROLES, type Role, roundNumber } from "../machine/machine.js";
import { reduce } from "../machine/reduce.js";
import { abortChanges, guidanceOf } from "./ask-person.js";
import { beginRun, type Request, servedRoles } from "./begin.js";
import type { Hooks, PlanningServices } from "./services.js";
import { RunDriver } from "./step.js";
import {
  findOnlyRun,
  findRun,
  type Intake,
  notNow,
  over,
  type Run,
  readRun,
  type StepWork,
  saveArtifacts,
  stepRun,
} from "./stored-run.js";
import { openTwins } from "./subject.js";
import { type PlanningRunView, toRunView } from "./view.js";

/** From the idea to a plan that waits for a person. */
export async function startRun(
  services: PlanningServices,
  request: Request,
  hooks: Hooks,
): Promise<Result<PlanningRunView>> {
  const begun = await beginRun(services, request);
  return begun.ok ? driveRun(services, begun.value, hooks, false) : begun;
}

/** Continues the run that is named, or the latest that is not over. */
export async function resumeRun(
  services: PlanningServices,
  reference: string | undefined,
  changes: Partial<Intake>,
  hooks: Hooks,
): Promise<Result<PlanningRunView>> {
  const { context } = services;
  const found = await context.store.read((reader) => findRun(reader, reference));
  if (!found.ok) return found;
  const { key, machine, intake } = found.value;
  if (machine.end !== null) return over(found.value);
  if (Object.keys(changes).length > 0) {
    const patch: Intake = { ...intake, ...changes };
    // Another agent may serve other roles.
    const served = changes.agent === undefined ? machine.served : await servedBy(services, patch);
    const patched = await stepRun(context, key, null, async (_, { machine: now }) =>
      ok({ sentence: `${key} got other settings`, patch: { intake: patch, machine: { ...now, served } } }),
    );
    if (!patched.ok) return patched;
  }
  return driveRun(services, key, hooks, true);
}

async function servedBy(services: PlanningServices, intake: Intake): Promise<Run["machine"]["served"]> {
  const served = await servedRoles(services, intake);
  return Object.fromEntries(ROLES.map((role) => [role, served.includes(role)])) as Record<Role, boolean>;
}

export async function driveRun(
  services: PlanningServices,
  key: string,
  hooks: Hooks,
  resumed: boolean,
): Promise<Result<PlanningRunView>> {
  const { context } = services;
  const run = await context.store.read((reader) => readRun(reader, key));
  if (!run.ok) return run;
  const driver = new RunDriver(services, hooks, key, run.value.intake.timeoutMs);
  const driven = await driver.drive((taken) => announce(services, taken, hooks, resumed));
  if (!driven.ok) return driven;
  return ok(await context.store.read((reader) => toRunView(reader, driven.value)));
}

async function announce(services: PlanningServices, run: Run, hooks: Hooks, resumed: boolean): Promise<void> {
  const { key, machine, fields, intake } = run;
  const agents: Partial<Record<Role, string>> = {};
  for (const role of ROLES.filter((each) => machine.served[each])) {
    const server = await services.serverFor(role, intake);
    if (server) agents[role] = server.agent;
  }
  const unserved = ROLES.filter((role) => !machine.served[role] && role !== "researcher");
  hooks.onProgress({
    type: "started",
    run: key,
    mode: machine.mode,
    title: fields.title,
    resumed,
    unserved,
    agents,
    parts: machine.parts,
    alsoOpen: await services.context.store.read((reader) => openTwins(reader, run)),
    standIn: services.isStandIn(intake.agent),
  });
}

/** An agent may end only runs that no person started. */
export async function abortRun(services: PlanningServices, reference?: string): Promise<Result<PlanningRunView>> {
  const { context } = services;
  const mayEnd = ({ fields }: Run): Result<unknown> =>
    isPerson(fields.createdBy) ? requirePerson(context.actor, "end a run that a person started") : ok(undefined);
  const turn = { verb: "plan-abort", event: { type: "aborted" }, may: mayEnd } as const;
  return changeRun(services, reference, turn, async (writer, run) => ({
    sentence: `${context.actor} ended ${run.key}`,
    changes: await abortChanges(writer, run.key),
    patch: { driver: null },
  }));
}

/** Sends a person's words to the author. It is a problem if the author then changes nothing. */
export async function reviseRun(
  services: PlanningServices,
  { run: reference, note }: { readonly run?: string; readonly note: string },
  hooks: Hooks,
): Promise<Result<PlanningRunView>> {
  const { context } = services;
  const turn = { verb: "plan-changes", event: { type: "changes-requested" } } as const;
  const requested = await changeRun(services, reference, turn, async (writer, run, at) => {
    const said = guidanceOf(note, roundNumber(run.machine));
    const saved = await saveArtifacts(writer, run, [said], { actor: context.actor, at });
    const sentence = `${context.actor} asked for changes in ${run.key}`;
    return { sentence, changes: saved.changes, patch: { current: saved.current } };
  });
  if (!requested.ok) return requested;
  let isUnchanged = false;
  const revised = await driveRun(
    services,
    requested.value.id,
    {
      ...hooks,
      onProgress: (progress) => {
        const summary = progress.type === "answered" ? progress.summary : undefined;
        if (summary?.role === "author" && summary.stage === "tasks") isUnchanged = summary.unchanged;
        hooks.onProgress(progress);
      },
    },
    true,
  );
  if (!revised.ok || !isUnchanged) return revised;
  const { id } = revised.value;
  return problems("unchanged", `The author changed nothing in the plan of ${id}. Another agent may do better.`, {
    details: { ...revised.value },
    next: [step("plan.resume", { run: id }, "agent")],
  });
}

interface Turn {
  readonly verb: string;
  readonly event: Event;
  readonly may?: (run: Run) => Result<unknown>;
}

async function changeRun(
  { context }: PlanningServices,
  reference: string | undefined,
  { verb, event, may = () => ok(undefined) }: Turn,
  work: (writer: Writer, run: Run, at: number) => Promise<Omit<StepWork, "event">>,
): Promise<Result<PlanningRunView>> {
  const found = await context.store.read((reader) => findOnlyRun(reader, reference));
  if (!found.ok) return found;
  if (found.value.machine.end !== null) return over(found.value);
  const allowed = may(found.value);
  if (!allowed.ok) return allowed;
  const decide = async (writer: Writer, run: Run, at: number): Promise<Result<StepWork>> =>
    reduce(run.machine, event).machine === run.machine ? notNow(run) : ok({ ...(await work(writer, run, at)), event });
  const stepped = await stepRun(context, found.value.key, null, decide, verb);
  if (!stepped.ok) return stepped;
  return ok(await context.store.read((reader) => toRunView(reader, stepped.value)));
}
