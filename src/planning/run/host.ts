// A run whose roles a host serves: the coding agent that the person talks to. It reads a step, has a subagent carry it out, and the
// subagent hands the answer in. The run decides what follows, as with agents of our own, and its whole state is in the store.

import { changeItem, type Item } from "../../model/item/item.js";
import { type NextStep, step } from "../../model/next-step.js";
import { absent, ok, problems, type Result, refused } from "../../model/result.js";
import { answer } from "../../plan/answer/answer.js";
import { findItem } from "../../plan/item/find-item.js";
import type { Reader } from "../../store/store.js";
import { type RoleAsk, roundNumber } from "../machine/machine.js";
import { HOST } from "../roles/agents.js";
import { lookUpIn } from "../roles/brief.js";
import { briefSchema } from "../roles/brief-schema.js";
import { schemaFor } from "../roles/contract.js";
import { isWholePrompt } from "../roles/prompt.js";
import { isServing, type RoleReply } from "../roles/server.js";
import { conversationFor, openHostCall } from "./calls.js";
import { briefFor } from "./gather-brief.js";
import type { Drive, Hooks, PlanningServices } from "./services.js";
import { driveRun, type FirstMove, setGoing } from "./step.js";
import { findRun, over, type Run, readRun, stepRun } from "./stored-run.js";
import { cleanReply, settleCall } from "./take-answer.js";
import { toRunView } from "./view.js";

interface StepWish {
  /** The latest run that is not over, unless given. */
  readonly run?: string;
  /** This step and no other: for the subagent that carries it out. */
  readonly call?: string;
  /** The conversation to resume is gone: say everything again. */
  readonly fresh?: boolean;
  readonly brief?: boolean;
}

/** Asking twice gives the same step, also to another process. */
export async function hostStep(services: PlanningServices, wish: StepWish, hooks: Hooks): Promise<Result<HostStep>> {
  const found = await findStep(services, wish);
  if (!found.ok) return found;
  const { run, open } = found.value;
  const hosted = await requireHosted(services, run);
  if (!hosted.ok) return hosted;
  if (!found.value.isOpen) return notOpen(found.value);
  const reached = open === undefined ? await goOn(services, run, hooks, start) : ok(run);
  if (!reached.ok) return reached;
  const told = wish.fresh === true ? await tellAll(services, reached.value) : reached;
  return told.ok ? ok(await toStep(services, told.value, wish.brief !== true)) : told;
}

/** Hands in the answer of a role. What does not fit is sent back, with the step to hand in again. */
export async function hostSubmit(
  services: PlanningServices,
  submission: Submission,
  hooks: Hooks,
): Promise<Result<HostStep>> {
  const found = await findStep(services, submission);
  if (!found.ok) return found;
  const { run, call } = found.value;
  if (run.machine.end !== null) return over(run);
  if (!found.value.isOpen) return notOpen(found.value);
  const move: FirstMove = (taken, drive) => handInAnswer(drive, taken, { ...submission, call });
  const driven = await goOn(services, run, hooks, move);
  if (!driven.ok) return driven;
  const after = await toStep(services, driven.value, false);
  const failed = await services.context.store.read((reader) => reader.item("call", call));
  return failed?.fields.state === "failed" ? misfit(failed, after) : ok(after);
}

function misfit({ key, fields }: Item<"call">, after: HostStep): Result<never> {
  const found = fields.error?.message.split("\n") ?? [];
  const { ask, run } = after;
  const rest = `${found.length === 1 ? "this problem" : "these problems"}:\n${found.map((line) => `- ${line}`).join("\n")}`;
  const details = { problems: found, run, ...(ask && { call: ask.call }) };
  if (ask === null)
    return problems("run-halted", `${key} does not fit, and ${run} has stopped. It has ${rest}`, {
      details,
      next: after.next,
    });
  const message = `${key} does not fit. Correct it, and hand all of it in as ${ask.call}. It has ${rest}`;
  return problems("does-not-fit", message, { details, next: [step("plan.submit", { call: ask.call }, "output")] });
}

/** What the prompt of a step does not show whole. */
export async function hostLookUp(services: PlanningServices, { call, name }: { call: string; name: string }) {
  const found = await findStep(services, { call });
  if (!found.ok) return found;
  const { run, isOpen } = found.value;
  const { wait } = run.machine;
  if (!isOpen || wait.for !== "role") return notOpen(found.value);
  const brief = await briefFor(services, run, wait, await services.readProject("checkout"));
  const text = lookUpIn(brief)(name.trim());
  if (text !== undefined) return ok({ name, text });
  const message = `Nothing here is called ${name.slice(0, 60)}. The prompt of ${found.value.call} says what can be looked up.`;
  return absent("not-found", message);
}

/** Clarifying questions only: what else the run asks decides about the plan, and that takes the person. */
export async function relayAnswer(
  { context }: PlanningServices,
  given: { readonly id: string; readonly option: string; readonly note?: string },
) {
  const asked = await context.store.read((reader) => findItem(reader, "question", given.id));
  if (!asked.ok) return asked;
  const { key, fields } = asked.value;
  const run = await context.store.read((reader) => readRun(reader, fields.owner));
  if (fields.kind !== "question" || !run.ok || run.value.intake.agent !== HOST) {
    const message = `${key} is not a clarifying question of a host's run, so only a person can answer it.`;
    return refused("needs-person", message, { next: [step("question.answer", { id: key }, "option")] });
  }
  const answered = await answer(context, { ...given, id: key, relayed: true });
  if (!answered.ok) return answered;
  return ok({ id: key, label: answered.value.label, next: [step("plan.step", { run: run.value.key })] });
}

interface FoundStep {
  readonly run: Run;
  readonly call: string;
  readonly open: Item<"call"> | undefined;
  /** It waits for the one that was named, or none was. */
  readonly isOpen: boolean;
}

const findStep = (
  { context }: PlanningServices,
  { call: typed, run: reference }: { readonly call?: string; readonly run?: string },
): Promise<Result<FoundStep>> =>
  context.store.read(async (reader) => {
    const call = typed === undefined ? undefined : await reader.item("call", typed.trim().toUpperCase());
    if (typed !== undefined && !call)
      return absent("not-found", `There is no step ${typed.slice(0, 40)}.`, { next: [step("plan.step")] });
    const run = await findRun(reader, call?.fields.run ?? reference);
    if (!run.ok) return run;
    const open = await openHostCall(reader, run.value);
    return ok({ run: run.value, call: call?.key ?? "", open, isOpen: call === undefined || call.key === open?.key });
  });

const notOpen = ({ run: { key: run, machine }, call, open }: Omit<FoundStep, "isOpen">): Result<never> => {
  const now = open === undefined ? `${run} is in the stage ${machine.stage}` : `${run} waits for ${open.key}`;
  return refused("not-open", `${call} takes no answer any more: ${now}. Nothing was changed.`, {
    details: { run, open: open?.key ?? null },
    next: [step("plan.step", { run })],
  });
};

async function requireHosted({ serverFor }: PlanningServices, run: Run): Promise<Result<void>> {
  const { machine, intake, key } = run;
  if (machine.end !== null) return over(run);
  if (intake.agent === HOST) return ok(undefined);
  const server = machine.wait.for === "role" ? await serverFor(machine.wait.role, intake) : null;
  if (server !== null && !isServing(server)) return ok(undefined);
  return refused("not-hosted", `Agents of Planwright serve the roles of ${key}, not a host.`, {
    next: [step("plan.resume", { run: key }), step("plan.resume", { run: key, serve: "host" })],
  });
}

/** A run that has stopped is resumed only on request: a host that repeats its mistakes must not go on for ever. */
const start: FirstMove = async (run, drive) => (run.machine.wait.for === "nothing" ? setGoing(run, drive) : ok(run));

/** One after the other: a process may serve several hosts. */
const turns = new Map<string, Promise<unknown>>();

function goOn(services: PlanningServices, run: Run, hooks: Hooks, first: FirstMove): Promise<Result<Run>> {
  const place = `${services.context.root} ${run.key}`;
  const drive = (): Promise<Result<Run>> => driveRun(services, hooks, run, first);
  const turn = (turns.get(place) ?? Promise.resolve()).then(drive, drive);
  turns.set(place, turn);
  const forget = (): void => {
    if (turns.get(place) === turn) turns.delete(place);
  };
  turn.then(forget, forget);
  return turn;
}

/** The whole prompt, in place of one that relies on a conversation. */
async function tellAll(services: PlanningServices, run: Run): Promise<Result<Run>> {
  const { context, serverFor, redact } = services;
  const { wait } = run.machine;
  const open = await context.store.read(async (reader) => {
    const call = await openHostCall(reader, run);
    return call && !isWholePrompt((await reader.document(call.fields.input)) ?? "") ? call : undefined;
  });
  const server = wait.for === "role" ? await serverFor(wait.role, run.intake) : null;
  if (!open || wait.for !== "role" || server === null) return ok(run);
  const brief = await briefFor(services, run, wait, await services.readProject("checkout"));
  const whole = redact(server.question(brief, []));
  return stepRun(context, run.key, null, async (writer, now) => {
    const call = await openHostCall(writer, now);
    if (call?.key !== open.key) return notOpen({ run: now, call: open.key, open: call });
    const input = await writer.keep(whole);
    return ok({ sentence: `${run.key} asks a new ${wait.role}`, changes: changeItem(call, { input }) });
  });
}

export type HostStep = Awaited<ReturnType<typeof toStep>>;

/** No role is asked if the run waits for the person, has stopped or is over. */
async function toStep({ context }: PlanningServices, before: Run, whole: boolean) {
  return context.store.read(async (reader) => {
    const found = await readRun(reader, before.key);
    const run = found.ok ? found.value : before;
    const { id, status, stage, title, questions, stopped, next } = await toRunView(reader, run);
    const open = await openHostCall(reader, run);
    const { wait } = run.machine;
    const ask = wait.for === "role" && open ? await toAsk(reader, run, wait, open, whole) : null;
    return { run: id, status, stage, title, questions, stopped, ask, next: ask ? handingIn(ask.call, whole) : next };
  });
}

async function toAsk(
  reader: Reader,
  { key, machine }: Run,
  asked: RoleAsk,
  { key: call, fields }: Item<"call">,
  whole: boolean,
) {
  const { role, stage, repair } = asked;
  const prompt = (await reader.document(fields.input)) ?? "";
  const isFresh = isWholePrompt(prompt);
  return {
    call,
    role,
    stage,
    repair,
    round: roundNumber(machine),
    /** `fresh`: a new subagent that knows nothing. `resume`: the subagent of `session` goes on, and gets only what is new. */
    conversation: isFresh ? "fresh" : "resume",
    session: isFresh ? null : (await conversationFor(reader, key, asked, HOST)).session,
    ...(whole && { prompt: `${prompt}\n\n${toolsOf(call)}`, schema: briefSchema(schemaFor(asked)) }),
  };
}

const handingIn = (call: string, whole: boolean): NextStep[] =>
  whole
    ? [step("plan.submit", { call }, "output"), step("plan.look-up", { call }, "name")]
    : [step("plan.step", { call })];

/** What the prompts call `submit` and `look_up` are operations here. */
const toolsOf = (call: string): string =>
  `This step is ${call}. Hand your result in with the tool \`plan\` of the MCP server \`planwright\`: action \`submit\`, call \`${call}\`, and the result as output. What is called \`look_up\` above is its action \`look_up\`, with the same call. On a command line they are \`plan submit\` and \`plan look-up\`.`;

interface Submission {
  readonly call: string;
  readonly output: unknown;
  /** The subagent's conversation, if the host can continue it. */
  readonly session: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The answer goes the way of every other answer: judged, compared with the facts, and stored with the state that follows. */
async function handInAnswer(
  drive: Drive,
  run: Run,
  { call, output, session, inputTokens, outputTokens }: Submission,
): Promise<Result<Run>> {
  const { context, redact, readProject } = drive.services;
  const { wait } = run.machine;
  const open = await context.store.read((reader) => openHostCall(reader, run));
  if (wait.for !== "role" || open?.key !== call) return notOpen({ run, call, open });
  const project = await readProject("checkout");
  const brief = await briefFor(drive.services, run, wait, project);
  const reply: RoleReply = {
    ending: "finished",
    output,
    text: "",
    usage: { inputTokens, outputTokens, cachedTokens: 0, costUsd: null },
    durationMs: Math.max(0, context.now() - open.fields.startedAt),
    session,
  };
  const cleaned = cleanReply(reply, brief.spec, redact);
  return settleCall(drive, run, wait, { key: call, reply: cleaned, brief, project, isOutline: false });
}
