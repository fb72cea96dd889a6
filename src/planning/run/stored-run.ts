// A run in the store: what it was asked for, its state and its artifacts. It changes by steps, each one operation: the event, the
// new state and everything that came with it, or nothing. One process at a time drives it.

import type { Effort } from "../../machine/agents/agent.js";
import type { Artifact, ArtifactKind } from "../../model/item/artifact.js";
import { changeItem, createItem, type Item } from "../../model/item/item.js";
import { isDriven, type PlanningRun, type RunStatus } from "../../model/item/planning-run.js";
import { itemKey } from "../../model/item-key.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { absent, ambiguous, ok, type Result, refused } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";
import type { Maker } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";
import type { LintLevel } from "../contracts/findings.js";
import { AT_START, type Event, type Machine, type Mode, type Stage, type Wait } from "../machine/machine.js";
import { reduce } from "../machine/reduce.js";

export interface Run extends Item<"run"> {
  readonly machine: Machine;
  readonly intake: Intake;
}

const toRun = (item: Item<"run">): Run => ({
  ...item,
  machine: { ...AT_START, ...(item.fields.machine as Machine) },
  intake: item.fields.intake as Intake,
});

export async function readRun(reader: Reader, key: string): Promise<Result<Run>> {
  const item = await reader.item("run", key.toUpperCase());
  if (item) return ok(toRun(item));
  return absent("not-found", `There is no planning run ${key.slice(0, 40)}.`, { next: [step("plan.list")] });
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

/** Whether the plan of the run was put into the graph. */
export const isInPlan = ({ machine: { end } }: Run): boolean => end === "approved" || end === "applied";

/** What the run is about, unless it plans something new. */
export const nodeOf = async (reader: Reader, { fields: { node } }: Pick<Run, "fields">): Promise<Node | undefined> =>
  node === null ? undefined : reader.node(node);

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

const STATUS: Readonly<Record<Wait["for"], RunStatus>> = {
  role: "running",
  program: "running",
  nothing: "running",
  answers: "waiting",
  choice: "waiting",
  approval: "ready",
  resume: "halted",
};

export const statusOf = ({ end, wait }: Machine): RunStatus =>
  end === null ? STATUS[wait.for] : end === "aborted" ? "aborted" : "finished";

export interface StepWork {
  readonly sentence: string;
  readonly event?: Event | undefined;
  readonly artifacts?: readonly RunArtifact[];
  readonly changes?: readonly Change[];
  readonly patch?: Partial<PlanningRun>;
}

export type DecideStep = (writer: Writer, run: Run, at: number) => Promise<Result<StepWork>>;

export interface Driver {
  readonly by: string;
  /** How long no other process may drive it, from now on. */
  readonly leaseMs: number;
}

const leaseOf = ({ by, leaseMs }: Driver, at: number) => ({ driver: { by, until: at + leaseMs } });

/** Stores what happened together with the state that follows from it, in one operation. A person's verbs use their own word and have
 *  no driver; the run itself steps. */
export async function stepRun(
  context: Context,
  key: string,
  driver: Driver | null,
  decide: DecideStep | StepWork,
  verb = "plan-step",
): Promise<Result<Run>> {
  const committed = await act<Run>(context, verb, async (writer, at) => {
    const run = await readRun(writer, key);
    if (!run.ok) return run;
    const { fields } = run.value;
    if (driver !== null && fields.driver?.by !== driver.by) return drivenByAnother(run.value);
    const work = typeof decide === "function" ? await decide(writer, run.value, at) : ok(decide);
    if (!work.ok) return work;
    const { event, artifacts = [], changes = [], patch = {}, sentence } = work.value;
    const machine = event ? reduce(run.value.machine, event) : run.value.machine;
    // You are told so; what comes too late from a role is stored and changes nothing.
    if (driver === null && event && machine === run.value.machine) return notNow(run.value);
    const saved = await saveArtifacts(writer, run.value, artifacts, { by: context.actor, at });
    const lease = driver ? leaseOf(driver, at) : {};
    const next = { machine, status: statusOf(machine), current: saved.current, ...lease, ...patch };
    const value = toRun({ ...run.value, fields: { ...fields, ...next } });
    return ok({ sentence, changes: [...saved.changes, ...changes, ...changeItem(run.value, next)], value });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

const drivenByAnother = ({ key, machine, fields: { driver } }: Run): Result<never> => {
  const next = [step("plan.show", { run: key })];
  if (machine.end !== null)
    return refused("run-over", `${key} was ${machine.end} in the meantime. Nothing more was done.`, { next });
  const by = driver ? ` (${driver.by.split("#")[0]})` : "";
  return refused("driven-elsewhere", `Another process is working on ${key}${by}.`, { next });
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
    const isOthers = run.fields.driver?.by !== driver.by && isDriven(run.fields, at, isAlive);
    if (isOthers) return drivenByAnother(run);
    return ok({ sentence: `${context.actor} works on ${key}`, patch: leaseOf(driver, at) });
  });

/** What a run was asked for. All of it is kept, so that resuming needs nothing else. */
export interface Intake {
  readonly mode: Mode;
  /** Where the spec came from; a `node` is its own spec. */
  readonly kind: "idea" | "file" | "stdin" | "node";
  readonly source: string | null;
  readonly from: Stage | null;
  /** The run whose plan this one revises or continues. Runs of earlier versions lack it. */
  readonly earlier?: string | null;
  readonly stack: string | null;
  readonly target: string | null;
  /** A file of the project to read as a roadmap, besides those that are found by name. */
  readonly roadmap?: string | null;
  /** Serves every role, whatever the configuration says. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly effort: Effort | null;
  readonly clean: boolean;
  readonly research: boolean;
  readonly level: LintLevel;
  readonly timeoutMs: number;
  readonly maxCostUsd: number | null;
  readonly maxTokens: number | null;
  readonly defaults: boolean;
  /** Started by `expand`, which takes only nodes that can have children. */
  readonly addsOnly?: boolean;
  /** The captured idea of the inbox that is planned into features. It is retired when the plan is applied. */
  readonly idea?: string | null;
  /** The plan documents are to be committed to git here once a person has approved. */
  readonly commitTo: string | null;
}

export type RunArtifact = Pick<NewArtifact, "kind" | "text" | "format" | "source">;

export const jsonArtifact = (kind: ArtifactKind, value: unknown): RunArtifact => ({
  kind,
  text: JSON.stringify(value, null, 1),
  format: "json",
});

export async function currentText(reader: Reader, run: Run, kind: ArtifactKind): Promise<string | undefined> {
  const key = run.fields.current[kind];
  const artifact = key === undefined ? undefined : await reader.item("artifact", key);
  return artifact && reader.document(artifact.fields.hash);
}

export async function currentJson<T>(reader: Reader, run: Run, kind: ArtifactKind): Promise<T | undefined> {
  const text = await currentText(reader, run, kind);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

export async function allTexts(reader: Reader, { key }: Run, kind: ArtifactKind): Promise<string[]> {
  const artifacts = await reader.items("artifact", { owner: key, state: kind });
  return Promise.all(artifacts.map(async ({ fields }) => (await reader.document(fields.hash)) ?? ""));
}

/** What an artifact of a kind is made from, when it is there. */
const ORIGINS: Readonly<Record<ArtifactKind, readonly ArtifactKind[]>> = {
  spec: [],
  research: ["spec"],
  clarification: ["spec", "research"],
  "capability-map": ["spec", "clarification", "research"],
  "file-map": ["capability-map"],
  draft: ["spec", "clarification", "capability-map", "file-map", "draft"],
  findings: ["draft"],
  responses: ["findings"],
  verification: ["draft", "findings", "responses"],
  plan: ["draft", "findings", "verification"],
};

export async function saveArtifacts(
  writer: Writer,
  { key, fields }: Pick<Run, "key" | "fields">,
  artifacts: readonly RunArtifact[],
  maker: Maker,
): Promise<{ readonly changes: readonly Change[]; readonly current: PlanningRun["current"] }> {
  const changes: Change[] = [];
  let current = fields.current;
  for (const artifact of artifacts) {
    const from = ORIGINS[artifact.kind].flatMap((origin) => current[origin] ?? []);
    const saved = await saveArtifact(writer, { ...artifact, run: key, from, node: fields.node }, maker);
    changes.push(...saved.changes);
    current = { ...current, [artifact.kind]: saved.key };
  }
  return { changes, current };
}

export const over = ({ key, machine }: Run): Result<never> =>
  refused("run-over", `${key} is over: it was ${machine.end}.`, { next: [step("plan.list")] });

export const notNow = ({ key, machine }: Run): Result<never> =>
  refused(
    "not-ready",
    `${key} is not ready for this. It is in the stage ${machine.stage} and waits for ${waitsFor(machine)}.`,
    { next: [step("plan.show", { run: key })] },
  );

function waitsFor({ wait }: Machine): string {
  if (wait.for === "role") return `the ${wait.role}`;
  if (wait.for === "resume") return "you to resume it";
  return wait.for === "nothing" ? "its start" : wait.for;
}

export interface NewArtifact extends Pick<Artifact, "kind" | "run" | "format"> {
  readonly text: string;
  readonly from?: readonly string[];
  readonly source?: string | null;
  readonly node?: Artifact["node"];
}

export async function saveArtifact(writer: Writer, made: NewArtifact, { by, at }: Maker) {
  const { kind, run, format, text } = made;
  const known = await writer.items("artifact", { owner: run, state: kind });
  const highest = Math.max(0, ...known.map(({ fields }) => fields.round));
  // A counter, because artifacts that were undone or made by this same operation count too.
  let round = await writer.number(`round ${kind} ${run}`);
  while (round <= highest) round = await writer.number(`round ${kind} ${run}`);
  const key = itemKey("ART", await writer.number("ART"));
  const fields: Artifact = {
    kind,
    run,
    round,
    hash: await writer.keep(text),
    bytes: Buffer.byteLength(text),
    format,
    from: made.from ?? [],
    source: made.source ?? null,
    node: made.node ?? null,
    createdAt: at,
    createdBy: by,
  };
  return { key, fields, changes: [createItem("artifact", key, fields)] };
}
