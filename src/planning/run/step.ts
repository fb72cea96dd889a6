// Drives a run: does what its state waits for, and stores each answer together with the state that follows from it. If this
// process is killed, the next one continues from the store.

import { ok, type Result } from "../../model/result.js";
import { settleQuestions } from "./ask-person.js";
import { clearFolders, RoleAsker } from "./ask-role.js";
import { conform, order } from "./conform.js";
import { present } from "./present.js";
import { type Drive, type Hooks, type PlanningServices, saveStep } from "./services.js";
import { type Run, takeRun } from "./stored-run.js";

/** Longer than a role call may take, so that no other process takes over during one. */
const LEASE_MARGIN_MS = 60_000;

/** What a process does first, once the run is its own. */
export type FirstMove = (run: Run, drive: Drive) => Promise<Result<Run>>;

/** Until the run waits for a person, has stopped, or is over. */
export async function driveRun(
  services: PlanningServices,
  hooks: Hooks,
  { key, intake }: Run,
  first: FirstMove,
): Promise<Result<Run>> {
  const { context, process, isAlive } = services;
  const driver = { by: `${process}#${key}`, leaseMs: intake.timeoutMs + LEASE_MARGIN_MS };
  const taken = await takeRun(context, key, driver, isAlive);
  if (!taken.ok) return taken;
  const drive: Drive = { services, hooks, key, driver };
  const asker = new RoleAsker(drive);
  let current: Result<Run>;
  try {
    current = await first(taken.value, drive);
    while (current.ok) {
      const next = await step(drive, asker, current.value);
      if (next === undefined) break;
      current = next;
    }
  } finally {
    asker.letGo();
  }
  const released = await saveStep(drive, {
    sentence: `${context.actor} stopped driving ${key}`,
    patch: { driver: null },
  });
  await clearFolders(services);
  return current.ok ? released : current;
}

/** Begins a new run, continues one that has stopped, and leaves any other as it is. */
export const setGoing: FirstMove = async (run, drive) => {
  const { wait, end } = run.machine;
  if (end === null && wait.for === "resume")
    return saveStep(drive, { sentence: `${run.key} goes on`, event: { type: "resumed" } });
  return end === null && wait.for === "nothing"
    ? saveStep(drive, { sentence: `${run.key} starts`, event: { type: "started" } })
    : ok(run);
};

/** Does the one thing that the run waits for. Undefined when there is nothing more to do here. */
async function step(drive: Drive, asker: RoleAsker, run: Run): Promise<Result<Run> | undefined> {
  const { wait } = run.machine;
  // An interrupted call is closed, and its stop is reported like any other.
  if (drive.hooks.signal.aborted && wait.for !== "role" && wait.for !== "resume") return undefined;
  switch (wait.for) {
    case "role":
      return asker.ask(run, wait);
    case "program":
      return wait.task === "lint" ? conform(drive, run) : order(drive, run);
    case "answers":
    case "choice":
      return settleQuestions(drive, run);
    case "approval":
    case "resume":
      return present(drive, run);
    case "nothing":
    default:
      return undefined;
  }
}
