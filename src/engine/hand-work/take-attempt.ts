// The attempt of a hand-in from a checkout: one for each claim. Whatever became of an earlier hand-in, the next one takes the attempt
// over and begins again from `working`.

import { attemptBranch, moveRefs, readRef, shortName } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import { type Attempt, type AttemptWorker, addUsage, NO_USAGE } from "../../model/attempt/attempt.js";
import { changeItem, createItem, LIVE } from "../../model/item/item.js";
import { itemKey } from "../../model/item-key.js";
import type { Claim, Node } from "../../model/node/node.js";
import { ok, refused } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import type { Reader, Writer } from "../../store/store.js";
import { slotFolder, transcriptFile } from "../attempt/attempt-places.js";
import { ClaimLost, type LiveAttempt, ownsClaim } from "../attempt/attempt-state.js";
import { blankAttempt, freeSlot } from "../attempt/begin-attempt.js";
import type { EngineServices } from "../services.js";
import { packTask } from "../worktree/attempt-worktree.js";

export interface TakenBy {
  readonly node: Node;
  readonly claim: Claim;
  /** What the worker says it used for the task in all. */
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
}

export const attemptOfClaim = async (reader: Reader, { nr }: Node, { token }: Claim) =>
  (await reader.items("attempt", { owner: String(nr), state: LIVE })).find(({ fields }) => fields.token === token);

/** `base`: the commit that the change is compared with. */
export async function takeAttempt(
  services: EngineServices,
  by: TakenBy,
  base: string,
  checkout: string,
): Promise<LiveAttempt> {
  const { context } = services;
  const { node, claim } = by;
  const { key: bundle } = await packTask(services, node);
  const committed = await act<LiveAttempt>(context, "attempt", async (writer, at) => {
    const task = await writer.node(node.nr);
    if (!task || !ownsClaim(task, claim)) return refused("lease-lost", `Your claim of ${node.id} has ended.`);
    const known = await attemptOfClaim(writer, node, claim);
    const key = known?.key ?? itemKey("ATT", await writer.number("ATT"));
    const before = known?.fields ?? (await newAttempt(services, writer, task, { key, claim, at }));
    const { steps, state, handIns = 0 } = before;
    const slot = await freeSlot(services, writer);
    const taken: Partial<Attempt> = {
      state: "working",
      steps: state === "working" ? steps : [...steps, { state: "working", at }],
      handIns: handIns + 1,
      driver: services.process,
      slot,
      worktree: slotFolder(services, slot),
      base,
      checkout,
      bundle,
      note: "",
      transcript: transcriptFile(services, key),
      ...usageWith(before, by),
    };
    const attempt: Attempt = { ...before, ...taken };
    const sentence = `${context.actor} hands in ${node.id}${known ? " again" : ""} (${key})`;
    const changes = known ? changeItem(known, taken) : [createItem("attempt", key, attempt)];
    return ok({ sentence, changes, value: { key, task, attempt, lost: new AbortController() } });
  });
  if (!committed.ok) throw new ClaimLost(committed.error.message);
  const live = committed.value.value;
  const branch = attemptBranch(live.key);
  if ((await readRef(context.root, branch)) === null) await moveRefs(context.root, [{ ref: branch, to: base }]);
  return live;
}

/** The work is done already, so the attempt begins where a worker would have handed it in. */
async function newAttempt(
  services: EngineServices,
  writer: Writer,
  task: Node,
  { key, claim, at }: { readonly key: string; readonly claim: Claim; readonly at: number },
): Promise<Attempt> {
  const { actor } = services.context;
  const kind = isPerson(actor) ? "person" : "agent";
  const worker: AttemptWorker = { kind, name: actor.replace(/^\w+:/, ""), model: null };
  return {
    ...(await blankAttempt(services, writer, task, worker, at)),
    branch: shortName(attemptBranch(key)),
    state: "working",
    startedAt: claim.at,
    steps: (["claimed", "prepared", "working"] as const).map((state) => ({ state, at })),
  };
}

/** The worker says what it used in all, so a later number replaces an earlier one. What reviews used is added. */
function usageWith({ usage, reviews = [] }: Attempt, { tokens, cost }: TakenBy): Pick<Attempt, "usage"> {
  if (tokens === undefined && cost === undefined) return { usage };
  const said = { inputTokens: tokens ?? 0, outputTokens: 0, costUsd: cost ?? null };
  return { usage: reviews.reduce((sum, review) => addUsage(sum, review.usage ?? NO_USAGE), said) };
}
