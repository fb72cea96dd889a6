// Role calls in the store: what was asked, by whom it was answered, what it cost, and what went wrong.

import { changeItem, createItem, type Item } from "../../model/item/item.js";
import { itemKey } from "../../model/item/item-key.js";
import type { RoleCall } from "../../model/item/planning-run.js";
import { step } from "../../model/next-step.js";
import type { Change } from "../../model/operation/change.js";
import { type Result, refused } from "../../model/result.js";
import type { Reader, Writer } from "../../store/store.js";
import { shortText } from "../contracts/common.js";
import type { RoleAsk } from "../machine/machine.js";
import { HOST } from "../roles/agents.js";
import { isWholePrompt } from "../roles/prompt.js";
import type { RoleReply, RoleServer } from "../roles/server.js";
import type { Run } from "./stored-run.js";

export const callsOf = (reader: Reader, run: string): Promise<Item<"call">[]> => reader.items("call", { owner: run });

export interface RunCost {
  readonly tokens: number;
  readonly costUsd: number;
}

export const spent = (calls: readonly Item<"call">[]): RunCost => ({
  tokens: calls.reduce((sum, { fields }) => sum + fields.inputTokens + fields.outputTokens, 0),
  costUsd: calls.reduce((sum, { fields }) => sum + (fields.costUsd ?? 0), 0),
});

/** A call that is about to be made, and what becomes of one that a dead process left open. */
export async function openCall(
  writer: Writer,
  run: string,
  asked: Omit<RoleAsk, "for">,
  server: RoleServer,
  question: string,
  at: {
    readonly now: number;
    readonly version: string | null;
    readonly commit: string | null;
    readonly transcript: (key: string) => string | null;
  },
): Promise<{ key: string; changes: Change[] }> {
  const number = (await callsOf(writer, run)).length + 1;
  const key = itemKey("CALL", await writer.number("CALL"), 5);
  const interrupted = await writer.items("call", { owner: run, state: "asked" });
  const error = {
    message: "The process ended while it waited for the answer.",
    recovery: "asked again",
    settled: true,
  };
  return {
    key,
    changes: [
      ...interrupted.flatMap((item) => changeItem(item, { state: "failed", error })),
      createItem("call", key, {
        run,
        role: asked.role,
        stage: asked.stage,
        number,
        repair: asked.repair,
        agent: server.agent,
        agentVersion: at.version,
        model: server.model,
        state: "asked",
        input: await writer.keep(question),
        output: null,
        session: null,
        transcript: at.transcript(key),
        commit: at.commit,
        inputTokens: 0,
        outputTokens: 0,
        costUsd: null,
        startedAt: at.now,
        durationMs: null,
        error: null,
      }),
    ],
  };
}

type CallError = NonNullable<RoleCall["error"]>;

export async function closeCall(
  writer: Writer,
  key: string,
  reply: RoleReply,
  error: CallError | null,
  redact: (text: string) => string,
  /** Of an answer that counts. */
  warning: CallError | null = null,
): Promise<Change[]> {
  const call = await writer.item("call", key);
  if (!call) return [];
  const said = reply.output === undefined ? reply.text : written(reply.output);
  const { askedAgain, wrote = [] } = reply;
  const patch: Partial<RoleCall> = {
    ...(askedAgain === undefined ? {} : { input: await writer.keep(redact(askedAgain)) }),
    state: error === null ? "answered" : "failed",
    output: said === "" ? null : await writer.keep(redact(said)),
    session: reply.session,
    ...(wrote.length > 0 && { wrote }),
    inputTokens: counted(reply.usage.inputTokens),
    outputTokens: counted(reply.usage.outputTokens),
    costUsd: reply.usage.costUsd === null ? null : counted(reply.usage.costUsd),
    durationMs: reply.durationMs,
    error: bounded(error ?? warning),
  };
  const settled = error === null ? await settleErrors(writer, call.fields) : [];
  return [...changeItem(call, patch), ...settled];
}

/** Thirty problems of a reply, each with the name of its field, fit. */
const LONGEST_ERROR = 20_000;

const bounded = (error: CallError | null): CallError | null =>
  error && { ...error, message: shortText(error.message, LONGEST_ERROR) };

/** An agent counts for itself: whatever it says, no call gives back what others have spent. */
const counted = (figure: number): number => (Number.isFinite(figure) && figure > 0 ? figure : 0);

function written(output: unknown): string {
  try {
    return JSON.stringify(output);
  } catch {
    return "(nested too deeply to be written down)";
  }
}

/** Once a stage has its answer, or a person went on without it, what went wrong on the way is settled. */
export async function settleErrors(
  reader: Reader,
  { run, role, stage }: Pick<RoleCall, "run" | "role" | "stage">,
): Promise<Change[]> {
  const failed = await reader.items("call", { owner: run, state: "failed" });
  return failed
    .filter((other) => other.fields.role === role && other.fields.stage === stage)
    .flatMap((other) => {
      const { error } = other.fields;
      return error && !error.settled ? changeItem(other, { error: { ...error, settled: true } }) : [];
    });
}

/** The conversation to continue: of the same role with the same agent. An overviewer always starts a new one. */
export async function sessionFor(
  reader: Reader,
  run: string,
  { role, part, repair }: Pick<RoleAsk, "role" | "part" | "repair">,
  agent: string,
): Promise<string | null> {
  // Parts are there because the whole is too much for one conversation.
  const goesOn = repair > 0 || (part === 0 && (role === "author" || role === "critic"));
  if (!goesOn) return null;
  return (await talksOf(reader, run, role, agent)).at(-1)?.fields.session ?? null;
}

/** The conversation, and what was asked in it, back to the prompt that said everything. */
export async function conversationFor(
  reader: Reader,
  run: string,
  asked: Pick<RoleAsk, "role" | "part" | "repair">,
  agent: string,
): Promise<{ readonly session: string | null; readonly told: readonly string[] }> {
  const session = await sessionFor(reader, run, asked, agent);
  const told: string[] = [];
  if (session === null) return { session, told };
  for (const { fields } of (await talksOf(reader, run, asked.role, agent)).toReversed()) {
    const prompt = (await reader.document(fields.input)) ?? "";
    told.push(prompt);
    if (isWholePrompt(prompt)) break;
  }
  return { session, told };
}

const talksOf = async (reader: Reader, run: string, role: string, agent: string): Promise<Item<"call">[]> =>
  (await callsOf(reader, run)).filter(
    ({ fields }) => fields.role === role && fields.agent === agent && fields.session !== null,
  );

/** Why the last reply of this role was sent back. */
export async function lastProblems(reader: Reader, run: string, role: string): Promise<string[]> {
  const last = (await callsOf(reader, run)).findLast(({ fields }) => fields.role === role && fields.error !== null);
  return last?.fields.error?.message.split("\n") ?? [];
}

/** The call of the role that the run waits for, if a host has to answer it. */
export async function openHostCall(reader: Reader, { key, machine }: Run): Promise<Item<"call"> | undefined> {
  const { wait } = machine;
  if (wait.for !== "role") return undefined;
  const open = await reader.items("call", { owner: key, state: "asked" });
  const isThis = ({ fields }: Item<"call">): boolean =>
    fields.agent === HOST && fields.role === wait.role && fields.stage === wait.stage && fields.repair === wait.repair;
  return open.findLast(isThis);
}

export const notOpen = ({ key: run, machine }: Run, call: string, open: string | undefined): Result<never> => {
  const now = open === undefined ? `${run} is in the stage ${machine.stage}` : `${run} waits for ${open}`;
  return refused("not-open", `${call} takes no answer any more: ${now}. Nothing was changed.`, {
    details: { run, open: open ?? null },
    next: [step("plan.step", { run })],
  });
};
