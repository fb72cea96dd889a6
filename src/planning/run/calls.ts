// Role calls in the store: what was asked, by whom it was answered, what it cost, and what went wrong.

import { changeItem, createItem, type Item } from "../../model/item/item.js";
import type { RoleCall } from "../../model/item/planning-run.js";
import { itemKey } from "../../model/item-key.js";
import type { Change } from "../../model/operation/change.js";
import type { Reader, Writer } from "../../store/store.js";
import { shortText } from "../contracts/common.js";
import type { RoleAsk } from "../machine/machine.js";
import { HOST } from "../roles/agents.js";
import { isWholePrompt } from "../roles/prompt.js";
import type { RoleReply } from "../roles/server.js";
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

type NewCall = Pick<
  RoleCall,
  "role" | "stage" | "repair" | "agent" | "model" | "agentVersion" | "startedAt" | "commit"
>;

/** A call that is about to be made, and what becomes of one that a dead process left open. */
export async function openCall(
  writer: Writer,
  run: string,
  call: NewCall,
  question: string,
  transcript: (key: string) => string | null,
): Promise<{ key: string; changes: Change[] }> {
  const number = (await callsOf(writer, run)).length + 1;
  const key = itemKey("CALL", await writer.number("CALL"));
  const interrupted = await writer.items("call", { owner: run, state: "asked" });
  const message = "The process ended while it waited for the answer.";
  const error = { message, recovery: "asked again", settled: true };
  return {
    key,
    changes: [
      ...interrupted.flatMap((item) => changeItem(item, { state: "failed", error })),
      createItem("call", key, {
        ...call,
        run,
        number,
        state: "asked",
        input: await writer.keep(question),
        output: null,
        session: null,
        transcript: transcript(key),
        inputTokens: 0,
        outputTokens: 0,
        costUsd: null,
        durationMs: null,
        error: null,
      }),
    ],
  };
}

export type CallError = NonNullable<RoleCall["error"]>;

export async function closeCall(
  writer: Writer,
  key: string,
  reply: RoleReply,
  error: CallError | null,
  redact: (text: string) => string,
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
    ...(isHeard(reply) ? {} : { unheard: true as const }),
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

/** A turn that broke off may have ended before the agent kept its prompt. */
const isHeard = ({ ending }: RoleReply): boolean => ending === "finished" || ending === "no-output";

/** Thirty problems of a reply, each with the name of its field, fit. */
const MAX_ERROR_LENGTH = 20_000;

const bounded = (error: CallError | null): CallError | null =>
  error && { ...error, message: shortText(error.message, MAX_ERROR_LENGTH) };

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
      return error ? changeItem(other, { error: { ...error, settled: true } }) : [];
    });
}

/** The conversation to continue, of the same role with the same agent, and what was asked in it, the latest first, back to the prompt
 *  that said everything. An overviewer always starts a new one. */
export async function conversationFor(
  reader: Reader,
  run: string,
  { role, part, repair }: Pick<RoleAsk, "role" | "part" | "repair">,
  agent: string,
): Promise<{ readonly session: string | null; readonly told: readonly string[] }> {
  // Parts are there because the whole is too much for one conversation.
  const goesOn = repair > 0 || (part === 0 && (role === "author" || role === "critic"));
  const talks = (goesOn ? await callsOf(reader, run) : []).filter(
    ({ fields }) => fields.role === role && fields.agent === agent && fields.session !== null,
  );
  const session = talks.at(-1)?.fields.session ?? null;
  const told: string[] = [];
  for (const { fields } of talks.toReversed()) {
    if (fields.unheard === true) continue;
    const prompt = (await reader.document(fields.input)) ?? "";
    told.push(prompt);
    if (isWholePrompt(prompt)) break;
  }
  return { session, told };
}

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
