// Starts, resumes, revises and ends runs. Every answer is read back from the store, so it is what the next process would see too.

import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { ok, problems, type Result } from "../../model/result.js";
import { requirePerson } from "../../plan/node/require-person.js";
import { ROLES, roundNumber, toServed } from "../machine/machine.js";
import { abortChanges, guidanceOf } from "./ask-person.js";
import { agentsFor, beginRun, type Request, servedBy } from "./begin.js";
import type { Hooks, PlanningServices } from "./services.js";
import { driveRun, type FirstMove, setGoing } from "./step.js";
import { type DecideStep, findOnlyRun, findRun, type Intake, over, type Run, stepRun } from "./stored-run.js";
import { openTwins } from "./subject.js";
import { type PlanningRunView, toRunView } from "./view.js";

/** From the idea to a plan that waits for a person. */
export async function startRun(
  services: PlanningServices,
  request: Request,
  hooks: Hooks,
): Promise<Result<PlanningRunView>> {
  const begun = await beginRun(services, request);
  return begun.ok ? continueRun(services, begun.value, hooks, false) : begun;
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
  if (Object.keys(changes).length === 0) return continueRun(services, found.value, hooks);
  const given: Intake = { ...intake, ...changes };
  // Another agent may serve other roles.
  const served = changes.agent === undefined ? machine.served : toServed(servedBy(await agentsFor(services, given)));
  const patched = await stepRun(context, key, null, async (_, { machine: now }) =>
    ok({ sentence: `${key} got other settings`, patch: { intake: given, machine: { ...now, served } } }),
  );
  return patched.ok ? continueRun(services, patched.value, hooks) : patched;
}

export async function continueRun(
  services: PlanningServices,
  run: Run,
  hooks: Hooks,
  resumed = true,
): Promise<Result<PlanningRunView>> {
  const first: FirstMove = async (taken, process) => {
    await announce(services, taken, hooks, resumed);
    return setGoing(taken, process);
  };
  return viewOf(services, await driveRun(services, hooks, run, first));
}

const viewOf = async ({ context }: PlanningServices, run: Result<Run>): Promise<Result<PlanningRunView>> =>
  run.ok ? ok(await context.store.read((reader) => toRunView(reader, run.value))) : run;

async function announce(services: PlanningServices, run: Run, hooks: Hooks, resumed: boolean): Promise<void> {
  const { key, machine, fields, intake } = run;
  const { mode, parts, served } = machine;
  const roles = ROLES.filter((role) => served[role]);
  hooks.onProgress({
    type: "started",
    run: key,
    mode,
    title: fields.title,
    resumed,
    unserved: ROLES.filter((role) => !served[role] && role !== "researcher"),
    agents: await agentsFor(services, intake, roles),
    parts,
    alsoOpen: await services.context.store.read((reader) => openTwins(reader, run)),
    standIn: services.isStandIn(intake.agent),
  });
}

/** An agent may end only runs that no person started. */
export async function abortRun(services: PlanningServices, reference?: string): Promise<Result<PlanningRunView>> {
  const { context } = services;
  const ended = await changeRun(services, reference, "plan-abort", async (writer, { key, fields }) => {
    const may = requirePerson(context.actor, "end a run that a person started");
    if (isPerson(fields.createdBy) && !may.ok) return may;
    const changes = await abortChanges(writer, key);
    const sentence = `${context.actor} ended ${key}`;
    return ok({ sentence, changes, patch: { driver: null }, event: { type: "aborted" } });
  });
  return viewOf(services, ended);
}

/** Sends a person's words to the author. It is a problem if the author then changes nothing. */
export async function reviseRun(
  services: PlanningServices,
  { run: reference, note }: { readonly run?: string; readonly note: string },
  hooks: Hooks,
): Promise<Result<PlanningRunView>> {
  const { context } = services;
  const requested = await changeRun(services, reference, "plan-changes", async (_, { key, machine }) =>
    ok({
      sentence: `${context.actor} asked for changes in ${key}`,
      artifacts: [guidanceOf(note, roundNumber(machine))],
      event: { type: "changes-requested" },
    }),
  );
  if (!requested.ok) return requested;
  let isUnchanged = false;
  const onProgress: Hooks["onProgress"] = (progress) => {
    const summary = progress.type === "answered" ? progress.summary : undefined;
    if (summary?.role === "author" && summary.stage === "tasks") isUnchanged = summary.unchanged;
    hooks.onProgress(progress);
  };
  const revised = await continueRun(services, requested.value, { ...hooks, onProgress });
  if (!revised.ok || !isUnchanged) return revised;
  const { id } = revised.value;
  return problems("unchanged", `The author changed nothing in the plan of ${id}. Another agent may do better.`, {
    details: { ...revised.value },
    next: [step("plan.resume", { run: id }, "agent")],
  });
}

async function changeRun(
  { context }: PlanningServices,
  reference: string | undefined,
  verb: string,
  work: DecideStep,
): Promise<Result<Run>> {
  const found = await context.store.read((reader) => findOnlyRun(reader, reference));
  if (!found.ok) return found;
  return found.value.machine.end === null ? stepRun(context, found.value.key, null, work, verb) : over(found.value);
}
