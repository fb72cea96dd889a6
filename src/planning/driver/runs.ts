// Runs in the store: read, stepped, and driven by one process at a time. A step is one operation: the event, the
// new state, and everything that came with it, or nothing.

import { changeItem, type Item } from "../../model/item/item.js";
import { isDriven, type PlanningRun, type RunStatus } from "../../model/item/planning-run.js";
import { step } from "../../model/next-step.js";
import type { Change } from "../../model/operation/change.js";
import { absent, ambiguous, ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { act } from "../../plan/base/context.js";
import type { Reader, Writer } from "../../store/store.js";
import type { Event, Machine } from "../machine/machine.js";
import { reduce } from "../machine/reduce.js";
import type { Intake } from "./intake.js";

export interface Run extends Item<"run"> {
  readonly machine: Machine;
  readonly intake: Intake;
}

const LATER_FIELDS: Partial<Machine> = {
  errors: [],
  skipped: [],
  declined: [],
  requested: null,
  edited: false,
  before: { rounds: 0, overviews: 0 },
};

const toRun = (item: Item<"run">): Run => ({
  ...item,
  // A run that began under an earlier version lacks what came later.
  machine: { ...LATER_FIELDS, ...(item.fields.machine as object) } as unknown as Machine,
  intake: item.fields.intake as Intake,
});

export async function readRun(reader: Reader, key: string): Promise<Result<Run>> {
  const item = await reader.item("run", key.toUpperCase());
  if (item) return ok(toRun(item));
  return absent("not-found", `There is no planning run ${key.slice(0, 40)}.`, {
    next: [step("plan.list")],
  });
}

/** The run that is named, or the latest that is not over. */
export async function findRun(reader: Reader, reference: string | undefined): Promise<Result<Run>> {
  if (reference !== undefined) return readRun(reader, reference);
  const [latest] = await openRuns(reader);
  return latest ? ok(latest) : absent("not-found", "Every planning run is over.", { next: [step("plan.list")] });
}

/** The run that is named, or the only one that is not over: what ends a run must not hit another. */
export async function findOnlyRun(reader: Reader, reference: string | undefined): Promise<Result<Run>> {
  const open = reference === undefined ? await openRuns(reader) : [];
  if (open.length < 2) return findRun(reader, reference);
  const keys = open.map(({ key }) => key);
  return ambiguous("ambiguous", `Which run? These are not over: ${keys.join(", ")}.`, {
    details: { runs: keys },
    next: [step("plan.list")],
  });
}

const openRuns = async (reader: Reader): Promise<Run[]> =>
  (await listRuns(reader)).filter(({ machine }) => machine.end === null);

export const listRuns = async (reader: Reader): Promise<Run[]> =>
  (await reader.items("run", { newest: true })).map(toRun);

/** The runs that this one goes back to, the latest first. */
export async function earlierRuns(reader: Reader, { intake, key }: Run): Promise<Run[]> {
  const found = new Map<string, Run>();
  for (let at = intake.earlier ?? null; at !== null && at !== key && !found.has(at); ) {
    const run = await readRun(reader, at);
    if (!run.ok) break;
    found.set(at, run.value);
    at = run.value.intake.earlier ?? null;
  }
  return [...found.values()];
}

export function statusOf({ end, wait }: Machine): RunStatus {
  if (end !== null) return end === "aborted" ? "aborted" : "finished";
  switch (wait.for) {
    case "answers":
    case "choice":
      return "waiting";
    case "approval":
      return "ready";
    case "resume":
      return "halted";
    case "role":
    case "program":
    case "nothing":
    default:
      return "running";
  }
}

/** What a step changes, with the event that it reduces. */
export interface StepWork {
  readonly sentence: string;
  readonly event?: Event;
  readonly changes?: readonly Change[];
  readonly patch?: Partial<PlanningRun>;
}

export interface Driver {
  /** Unique to this process and run. */
  readonly by: string;
  /** How long no other process may drive it, from now on. */
  readonly leaseMs: number;
}

/** Verbs of a person use their own word; the run itself steps. */
export async function stepRun(
  context: Context,
  key: string,
  driver: Driver | null,
  decide: (writer: Writer, run: Run, at: number) => Promise<Result<StepWork>>,
  verb = "plan-step",
): Promise<Result<Run>> {
  const committed = await act<Run>(context, verb, async (writer, at) => {
    const run = await readRun(writer, key);
    if (!run.ok) return run;
    const { fields } = run.value;
    if (driver !== null && fields.driver?.by !== driver.by) return drivenByAnother(run.value);
    const work = await decide(writer, run.value, at);
    if (!work.ok) return work;
    const { event, changes = [], patch = {}, sentence } = work.value;
    const machine = event ? reduce(run.value.machine, event).machine : run.value.machine;
    const lease = driver ? { driver: { by: driver.by, until: at + driver.leaseMs } } : {};
    const next: Partial<PlanningRun> = { machine, status: statusOf(machine), ...lease, ...patch };
    const value = toRun({ ...run.value, fields: { ...fields, ...next } });
    return ok({ sentence, changes: [...changes, ...changeItem(run.value, next)], value });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

const drivenByAnother = ({ key, machine, fields: { driver } }: Run): Result<never> => {
  if (machine.end !== null)
    return refused("run-over", `${key} was ${machine.end} in the meantime. Nothing more was done.`, {
      next: [step("plan.show", { run: key })],
    });
  return refused(
    "driven-elsewhere",
    `Another process is working on ${key}${driver ? ` (${driver.by.split("#")[0]})` : ""}.`,
    { next: [step("plan.show", { run: key })] },
  );
};

/** Checks that no other process has ended the run or taken it over. */
export const stillHeld = (context: Context, key: string, driver: Driver): Promise<Result<void>> =>
  context.store.read(async (reader) => {
    const run = await readRun(reader, key);
    if (!run.ok) return run;
    return run.value.fields.driver?.by === driver.by ? ok(undefined) : drivenByAnother(run.value);
  });

/** `isAlive`: whether a process of this machine still runs. */
export const takeRun = (
  context: Context,
  key: string,
  driver: Driver,
  isAlive: (by: string) => boolean,
): Promise<Result<Run>> =>
  stepRun(context, key, null, async (_, run, at) => {
    const { driver: other } = run.fields;
    if (other?.by !== driver.by && isDriven(run.fields, at, isAlive)) return drivenByAnother(run);
    return ok({
      sentence: `${context.actor} works on ${key}`,
      patch: { driver: { by: driver.by, until: at + driver.leaseMs } },
    });
  });

export const letGo = (context: Context, key: string, driver: Driver): Promise<Result<Run>> =>
  stepRun(context, key, driver, async () =>
    ok({ sentence: `${context.actor} stopped driving ${key}`, patch: { driver: null } }),
  );
