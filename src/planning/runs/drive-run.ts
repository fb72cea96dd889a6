// Starts and resumes runs. Every answer is read back from the store, so it is what the next process would see too.

import { ok, type Result } from "../../model/result.js";
import { beginRun, type Request, servedRoles } from "../driver/begin.js";
import { RunDriver } from "../driver/driver.js";
import type { Intake } from "../driver/intake.js";
import { over } from "../driver/refusals.js";
import { findRun, type Run, readRun, stepRun } from "../driver/runs.js";
import { openTwins } from "../driver/same-subject.js";
import type { Hooks, PlanningServices } from "../driver/services.js";
import { type PlanningRunView, toRunView } from "../driver/view.js";
import { ROLES, type Role } from "../machine/machine.js";

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
