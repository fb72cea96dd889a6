// What a person can ask of a run that is not over: to end, or to be written differently.

import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { ok, problems, type Result } from "../../model/result.js";
import { requirePerson } from "../../plan/node/require-person.js";
import type { Writer } from "../../store/store.js";
import { guidanceOf } from "../dialogue/guidance.js";
import { saveArtifacts } from "../driver/artifacts.js";
import { abortChanges } from "../driver/ending.js";
import { notNow, over } from "../driver/refusals.js";
import { findOnlyRun, type Run, type StepWork, stepRun } from "../driver/runs.js";
import type { Hooks, PlanningServices } from "../driver/services.js";
import { type PlanningRunView, toRunView } from "../driver/view.js";
import { type Event, roundNumber } from "../machine/machine.js";
import { reduce } from "../machine/reduce.js";
import { driveRun } from "./drive-run.js";

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
