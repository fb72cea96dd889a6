// A role call that a host serves. The question waits in the store, so it survives the host: whoever asks for it next gets the same one.

import type { Item } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import { type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { Run } from "../driver/runs.js";
import { HOST } from "../driver/services.js";
import { problemsOf, type RoleReply } from "../roles/server.js";
import { briefFor } from "./brief-for.js";
import { cleanReply } from "./clean.js";
import { type Driving, settleCall } from "./settle-call.js";

/** The call of the role that the run waits for, if a host has to answer it. */
export async function openHostCall(reader: Reader, { key, machine }: Run): Promise<Item<"call"> | undefined> {
  const { wait } = machine;
  if (wait.for !== "role") return undefined;
  const open = await reader.items("call", { owner: key, state: "asked" });
  const isThis = ({ fields }: Item<"call">): boolean =>
    fields.agent === HOST && fields.role === wait.role && fields.stage === wait.stage && fields.repair === wait.repair;
  return open.findLast(isThis);
}

/** What a host hands in. */
export interface Submission {
  readonly call: string;
  readonly output: unknown;
  /** The subagent's conversation, if the host can continue it. */
  readonly session: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The answer goes the way of every other answer: judged, compared with the facts, and stored with the state that follows. */
export async function handInAnswer(
  { call, output, session, inputTokens, outputTokens }: Submission,
  run: Run,
  driving: Driving,
): Promise<Result<Run>> {
  const { context, redact, readProject } = driving.services;
  const { wait } = run.machine;
  const open = await context.store.read((reader) => openHostCall(reader, run));
  if (wait.for !== "role" || open?.key !== call) return notOpen(run, call, open?.key);
  const project = await readProject("checkout");
  const brief = await briefFor(driving.services, run, wait, project);
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
  return settleCall(driving, run, wait, { key: call, reply: judged, project, parts: brief.part.of, isOutline: false });
}

export const notOpen = ({ key: run, machine }: Run, call: string, open: string | undefined): Result<never> => {
  const now = open === undefined ? `${run} is in the stage ${machine.stage}` : `${run} waits for ${open}`;
  return refused("not-open", `${call} takes no answer any more: ${now}. Nothing was changed.`, {
    details: { run, open: open ?? null },
    next: [step("plan.step", { run })],
  });
};
