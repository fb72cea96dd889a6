// A run whose roles a host serves: the coding agent that the person talks to. It reads a step, has a subagent carry it out, and the
// subagent hands the answer in. The run decides what follows, as with agents of our own, and its whole state is in the store.

import { changeItem, type Item } from "../../model/item/item.js";
import { type NextStep, step } from "../../model/next-step.js";
import { absent, ok, problems, type Result, refused } from "../../model/result.js";
import { answer } from "../../plan/answer/answer.js";
import { findItem } from "../../plan/item/find-item.js";
import { type RoleAsk, roundNumber } from "../machine/machine.js";
import { HOST } from "../roles/agents.js";
import { lookUpIn } from "../roles/brief.js";
import { schemaFor } from "../roles/contract.js";
import { isWholePrompt } from "../roles/prompt.js";
import { isServing, problemsOf, type RoleReply } from "../roles/server.js";
import { notOpen, openHostCall, sessionFor } from "./calls.js";
import { briefFor } from "./gather-brief.js";
import type { Drive, Hooks, PlanningServices } from "./services.js";
import { driveRun, type FirstMove, setGoing } from "./step.js";
import { findRun, over, type Run, readRun, stepRun } from "./stored-run.js";
import { cleanReply, settleCall } from "./take-answer.js";
import { type PlanningRunView, toRunView } from "./view.js";

/** What a host has to have done next. */
interface HostAsk extends Pick<RoleAsk, "role" | "stage"> {
  /** Names the step: the answer is handed in with it. */
  readonly call: string;
  /** How often the plan was revised. */
  readonly round: number;
  /** How often the reply to this was sent back. */
  readonly repair: number;
  /** `fresh`: a new subagent that knows nothing. `resume`: the subagent of `session` goes on, and gets only what is new. */
  readonly conversation: "fresh" | "resume";
  readonly session: string | null;
  readonly prompt?: string;
  /** JSON Schema of the answer. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

export interface HostStep extends Pick<PlanningRunView, "status" | "stage" | "title" | "questions" | "stopped"> {
  readonly run: string;
  /** Null if no role is asked now: the run waits for the person, has stopped or is over. */
  readonly ask: HostAsk | null;
  readonly next: readonly NextStep[];
}

interface StepWish {
  /** The latest run that is not over, unless given. */
  readonly run?: string;
  /** This step and no other: for the subagent that carries it out. */
  readonly call?: string;
  /** The conversation to resume is gone: say everything again. */
  readonly fresh?: boolean;
  /** Without prompt and schema. */
  readonly brief?: boolean;
}

/** Asking twice gives the same step, also to another process. */
export async function hostStep(services: PlanningServices, wish: StepWish, hooks: Hooks): Promise<Result<HostStep>> {
  const { context } = services;
  const named = await (wish.call === undefined ? ok(undefined) : callNamed(services, wish.call));
  if (!named.ok) return named;
  const found = await context.store.read((reader) => findRun(reader, named.value?.fields.run ?? wish.run));
  if (!found.ok) return found;
  const hosted = await requireHosted(services, found.value);
  if (!hosted.ok) return hosted;
  const open = await context.store.read((reader) => openHostCall(reader, found.value));
  if (named.value && named.value.key !== open?.key) return notOpen(found.value, named.value.key, open?.key);
  const reached = open === undefined ? await goOn(services, found.value, hooks, start) : found;
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
  const { context } = services;
  const call = await callNamed(services, submission.call);
  if (!call.ok) return call;
  const { key } = call.value;
  const run = await context.store.read((reader) => readRun(reader, call.value.fields.run));
  if (!run.ok) return run;
  if (run.value.machine.end !== null) return over(run.value);
  if (call.value.fields.state !== "asked" || call.value.fields.agent !== HOST) {
    const open = await context.store.read((reader) => openHostCall(reader, run.value));
    return notOpen(run.value, key, open?.key);
  }
  const move: FirstMove = (taken, drive) => handInAnswer(drive, taken, { ...submission, call: key });
  const driven = await goOn(services, run.value, hooks, move);
  if (!driven.ok) return driven;
  const after = await toStep(services, driven.value, false);
  const failed = await context.store.read((reader) => reader.item("call", key));
  return failed?.fields.state === "failed" ? misfit(failed, after) : ok(after);
}

function misfit({ key, fields }: Item<"call">, after: HostStep): Result<never> {
  const found = fields.error?.message.split("\n") ?? [];
  const { ask, run } = after;
  const rest = `${found.length === 1 ? "this problem" : "these problems"}:\n${found.map((line) => `- ${line}`).join("\n")}`;
  if (ask === null)
    return problems("run-halted", `${key} does not fit, and ${run} has stopped. It has ${rest}`, {
      details: { problems: found, run },
      next: after.next,
    });
  return problems(
    "does-not-fit",
    `${key} does not fit. Correct it, and hand all of it in as ${ask.call}. It has ${rest}`,
    {
      details: { problems: found, run, call: ask.call },
      next: [step("plan.submit", { call: ask.call }, "output")],
    },
  );
}

/** What the prompt of a step does not show whole. */
export async function hostLookUp(
  services: PlanningServices,
  { call: typed, name }: { readonly call: string; readonly name: string },
): Promise<Result<{ readonly name: string; readonly text: string }>> {
  const { context } = services;
  const call = await callNamed(services, typed);
  if (!call.ok) return call;
  const { key } = call.value;
  const run = await context.store.read((reader) => readRun(reader, call.value.fields.run));
  if (!run.ok) return run;
  const { wait } = run.value.machine;
  const open = await context.store.read((reader) => openHostCall(reader, run.value));
  if (open?.key !== key || wait.for !== "role") return notOpen(run.value, key, open?.key);
  const text = lookUpIn(await briefFor(services, run.value, wait, await services.readProject("checkout")))(name.trim());
  return text === undefined
    ? absent(
        "not-found",
        `Nothing here is called ${name.slice(0, 60)}. The prompt of ${key} says what can be looked up.`,
      )
    : ok({ name, text });
}

interface RelayedAnswer {
  readonly id: string;
  readonly option: string;
  readonly note?: string;
}

/** Clarifying questions only: what else the run asks decides about the plan, and that takes the person. */
export async function relayAnswer(
  services: PlanningServices,
  given: RelayedAnswer,
): Promise<Result<{ readonly id: string; readonly label: string; readonly next: readonly NextStep[] }>> {
  const { context } = services;
  const asked = await context.store.read((reader) => findItem(reader, "escalation", given.id));
  if (!asked.ok) return asked;
  const { key, fields } = asked.value;
  const run = await context.store.read((reader) => readRun(reader, fields.owner));
  if (fields.kind !== "question" || !run.ok || run.value.intake.agent !== HOST) {
    return refused(
      "needs-person",
      `${key} is not a clarifying question of a host's run, so only a person can answer it.`,
      {
        next: [step("question.answer", { id: key }, "option")],
      },
    );
  }
  const answered = await answer(context, { ...given, id: key, relayed: true });
  if (!answered.ok) return answered;
  return ok({ id: key, label: answered.value.label, next: [step("plan.step", { run: run.value.key })] });
}

async function callNamed({ context }: PlanningServices, typed: string): Promise<Result<Item<"call">>> {
  const call = await context.store.read((reader) => reader.item("call", typed.trim().toUpperCase()));
  if (call) return ok(call);
  return absent("not-found", `There is no step ${typed.slice(0, 40)}.`, { next: [step("plan.step")] });
}

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
    if (call?.key !== open.key) return notOpen(now, open.key, call?.key);
    const input = await writer.keep(whole);
    return ok({ sentence: `${run.key} asks a new ${wait.role}`, changes: changeItem(call, { input }) });
  });
}

async function toStep({ context }: PlanningServices, before: Run, whole: boolean): Promise<HostStep> {
  return context.store.read(async (reader) => {
    const found = await readRun(reader, before.key);
    const run = found.ok ? found.value : before;
    const { id, status, stage, title, questions, stopped, next } = await toRunView(reader, run);
    const call = await openHostCall(reader, run);
    const { wait } = run.machine;
    const shared = { run: id, status, stage, title, questions, stopped };
    if (wait.for !== "role" || !call) return { ...shared, ask: null, next };
    const prompt = (await reader.document(call.fields.input)) ?? "";
    const isFresh = isWholePrompt(prompt);
    const ask: HostAsk = {
      call: call.key,
      role: wait.role,
      stage: wait.stage,
      repair: wait.repair,
      round: roundNumber(run.machine),
      conversation: isFresh ? "fresh" : "resume",
      session: isFresh ? null : await sessionFor(reader, id, wait, HOST),
      ...(whole && { prompt: `${prompt}\n\n${toolsOf(call.key)}`, schema: schemaFor(wait) }),
    };
    const handing = whole
      ? [step("plan.submit", { call: call.key }, "output"), step("plan.look-up", { call: call.key }, "name")]
      : [step("plan.step", { call: call.key })];
    return { ...shared, ask, next: handing };
  });
}

/** What the prompts call `submit` and `look_up` are operations here. */
const toolsOf = (call: string): string =>
  `This step is ${call}. Hand your result in with the tool \`plan\` of the MCP server \`planwright\`: action \`submit\`, call \`${call}\`, and the result as output. What is called \`look_up\` above is its action \`look_up\`, with the same call. On a command line they are \`plan submit\` and \`plan look-up\`.`;

/** What a host hands in. */
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
  if (wait.for !== "role" || open?.key !== call) return notOpen(run, call, open?.key);
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
  const problems = cleaned.ending === "finished" ? problemsOf(brief, cleaned.output) : [];
  const judged: RoleReply = problems.length === 0 ? cleaned : { ...cleaned, ending: "no-output", refused: [problems] };
  return settleCall(drive, run, wait, { key: call, reply: judged, project, parts: brief.part.of, isOutline: false });
}
