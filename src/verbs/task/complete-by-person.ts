// Completes gates and land tasks, which only a person does. A landing has to be proven.

import type { Completion } from "../../engine/hand-work/hand-in.js";
import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { acceptPatch } from "../../model/rules/task-outcome.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import { holdsCompletion } from "../../model/status/holds.js";
import { HOLD_WORDS, stepsToFree } from "../../model/status/landing.js";
import { act, type Context } from "../../plan/base/context.js";
import type { Reader } from "../../store/store.js";

/** What a completion says where no commit holds the work. */
export const UNVERSIONED = {
  commit: null,
  attempt: null,
  changes: null,
  leftAlone: [],
  begunBefore: [],
  question: null,
  note: "",
  proof: null,
  fixesLeft: null,
} satisfies Partial<Completion>;

export async function completeByPerson(context: Context, seen: Node): Promise<Result<Completion>> {
  const { id, nr, kind } = seen;
  if (!isPerson(context.actor)) {
    return refused("needs-person", `Only a person can complete ${id}, which is a ${kind} task.`, {
      next: [step("promote", {}, "note")],
    });
  }
  const before = await context.store.read((reader) => look(reader, seen));
  if (!before.ok) return before;
  const proof = kind === "land" ? await prove(context, seen) : ok(null);
  if (!proof.ok) return proof;
  const committed = await act<Completion>(context, "complete", async (writer, at) => {
    const node = (await writer.node(nr)) ?? seen;
    const now = await look(writer, node);
    if (!now.ok) return now;
    // The proof was made of the feature as it was.
    if (now.value !== before.value) {
      return refused("changed", `The feature of ${id} was changed meanwhile. Complete it again.`, {
        next: [step("complete", { reference: id })],
      });
    }
    const settling = { by: context.actor, at, op: writer.op };
    const changes = changeNode(node, acceptPatch(settling, proof.value));
    const value: Completion = {
      ...UNVERSIONED,
      id,
      op: writer.op,
      acceptance: "accepted",
      checks: [],
      durationMs: null,
      note: proof.value ?? "",
    };
    return ok({ sentence: `${context.actor} completed ${id}`, changes, value });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

/** May it be completed now, and how much is in its feature? */
async function look(reader: Reader, node: Node): Promise<Result<string>> {
  if (node.outcome !== null) return refused("settled", `${node.id} is ${node.outcome.kind} already.`);
  const around = await reader.surroundings(node);
  const [first] = holdsCompletion(node, around, "person");
  if (first) {
    const held = around.landing.map(({ kind, id }) => ` ${HOLD_WORDS[kind](id)}`).join("");
    return refused(first.reason, `${node.id} cannot be completed yet: ${phraseOf(first)}.${held}`, {
      next: [step("why", { reference: node.id }), ...around.landing.slice(0, 1).flatMap(stepsToFree)],
      details: { id: node.id, reason: first.reason, because: first.because },
    });
  }
  const feature = node.feature === null ? undefined : await reader.node(node.feature);
  return ok(`${feature?.tasksFinished ?? 0} of ${feature?.tasksLive ?? 0}`);
}

/** Asking git is loaded when there is something to ask. */
const prove = async (context: Context, land: Node): Promise<Result<string | null>> =>
  (await import("../../plan/claim/prove-landed.js")).proveLanded(context, land);
