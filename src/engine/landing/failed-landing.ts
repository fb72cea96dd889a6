// Records a failed landing with the commits of both branches, so that the daemon retries the same merge only a few times and
// then asks a person, once.

import { featureBranch, readRef } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import type { Attempt, AttemptFailure } from "../../model/attempt/attempt.js";
import { fingerprint } from "../../model/attempt/failure.js";
import { LANDED } from "../../model/item/escalation.js";
import type { Item } from "../../model/item/item.js";
import type { CheckResult, FailureClass, Node } from "../../model/node/node.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import type { Change } from "../../model/operation/change.js";
import { type Failure, fail, ok, type Result } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";
import { raise } from "../../plan/question/raise.js";
import type { Maker } from "../../plan/record/save-record.js";
import { mainCommitOf } from "../../plan/repository/main-branch.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader, Writer } from "../../store/store.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import { attemptsOf } from "../attempt/history.js";
import type { EngineServices } from "../services.js";
import { beginLanding, endLanding } from "./land-attempt.js";
import { type LandingPlan, NOT_FINISHED } from "./landing-plan.js";

/** Failures that a retry would not change. */
const CLASSES: Readonly<Record<string, FailureClass>> = {
  "check-failed": "logic",
  "merge-conflict": "conflict",
  "contradicts-record": "plan",
  "outside-footprint": "plan",
};

/** Other failures may pass: how often to try while neither branch moves. */
const TRIES = 3;

type BranchTips = Pick<Attempt, "base" | "tip">;
type Of = Pick<LandingPlan, "feature" | "land">;

/** When the daemon may try: now (a branch moved, or a person said so), at a time, or only after a person's answer (null). */
export async function whenToTry({ context }: EngineServices, of: Of): Promise<"now" | number | null> {
  const stands = await whereBranchesStand(context, of.feature);
  const [last] = await context.store.read((reader) => failedAt(reader, of.land, stands));
  const failure = last?.fields.failure;
  if (!failure) return "now";
  return failure.action === "retry" ? (failure.notBefore ?? 0) : null;
}

async function whereBranchesStand(context: Context, { id }: Node): Promise<BranchTips> {
  return { base: await mainCommitOf(context), tip: await readRef(context.root, featureBranch(id)) };
}

/** Landings of the same two commits that failed since a person last said to try again, latest first. */
async function failedAt(reader: Reader, land: Node, { base, tip }: BranchTips): Promise<Item<"attempt">[]> {
  const answered = await reader.items("escalation", { owner: land.id, state: "answered" });
  const again = answered.flatMap(({ fields: { answer } }) => (answer?.option === AGAIN ? [answer.at] : []));
  const since = Math.max(0, ...again);
  return (await attemptsOf(reader, land.nr)).filter(
    ({ fields }) => fields.failure !== null && fields.base === base && fields.tip === tip && fields.startedAt > since,
  );
}

/** A landing that was refused before it began. A person sees the reason; for the daemon it is recorded. */
export async function refuse(services: EngineServices, plan: LandingPlan, error: Failure): Promise<Result<never>> {
  const { context } = services;
  if (isPerson(context.actor)) return error.reason === "merge-conflict" ? ask(services, plan, error) : fail(error);
  const begun = await beginLanding(services, plan.land, await whereBranchesStand(context, plan.feature));
  return begun.ok ? endFailedLanding(services, plan, begun.value, error) : begun;
}

export async function endFailedLanding(
  services: EngineServices,
  plan: LandingPlan,
  live: LiveAttempt,
  error: Failure,
): Promise<Result<never>> {
  const failure = await failureOf(services, plan, live, error);
  const kind = CLASSES[error.reason];
  const checks = (error.details?.["checks"] ?? []) as readonly CheckResult[];
  const seen = error.reason !== "merge-conflict" && isPerson(services.context.actor);
  const asks = failure?.action === "park" && !seen;
  await endLanding(services, live.key, {
    state: kind === undefined ? "released" : "failed",
    note: error.message,
    patch: { failure, merged: null, checks },
    // In the same operation: without the question it would never be tried again.
    ...(asks ? { also: (writer, at) => questionOf(writer, plan, error, { by: services.context.actor, at }) } : {}),
  });
  return fail(error);
}

/** Null if it is not counted: it was stopped, the feature is not finished, or a person saw it fail. */
async function failureOf(
  { context, policy }: EngineServices,
  { land }: LandingPlan,
  { attempt }: LiveAttempt,
  { reason, message }: Failure,
): Promise<AttemptFailure | null> {
  const known = CLASSES[reason];
  const failure = { class: known ?? "transient", reason: message, fingerprint: fingerprint(message, sha256) } as const;
  if (known !== undefined) return { ...failure, action: "park", notBefore: null };
  if (reason === "stopped" || reason === NOT_FINISHED || isPerson(context.actor)) return null;
  const earlier = await context.store.read((reader) => failedAt(reader, land, attempt));
  if (earlier.length + 1 >= TRIES) return { ...failure, action: "park", notBefore: null };
  return { ...failure, action: "retry", notBefore: context.now() + policy.backoffSeconds * 1000 };
}

const AGAIN = "again";

async function ask({ context }: EngineServices, of: Of, error: Failure): Promise<Result<never>> {
  await act<null>(context, "attempt", async (writer, at) => {
    const changes = await questionOf(writer, of, error, { by: context.actor, at });
    return ok({
      sentence: `${context.actor} asked what to do about landing ${of.feature.id}: ${error.reason}`,
      changes,
      value: null,
    });
  });
  return fail(error);
}

const MERGE_MAIN_IN = {
  id: MERGE_MAIN,
  label: "Merge main in",
  detail: "Adds a task in which a worker merges main into the feature's branch, behind all checks of the feature.",
};

async function questionOf(
  writer: Writer,
  { feature, land }: Of,
  error: Failure,
  maker: Maker,
): Promise<readonly Change[]> {
  const isConflict = error.reason === "merge-conflict";
  const { changes } = await raise(
    writer,
    {
      kind: "land",
      question: `${feature.id} cannot land. What next?`,
      owner: land.id,
      context: error.message,
      blocks: [land.id],
      recommended: isConflict ? MERGE_MAIN : null,
      options: [
        ...(isConflict ? [MERGE_MAIN_IN] : []),
        {
          id: AGAIN,
          label: "Try again",
          detail: "The problem is solved. At level auto the daemon lands it.",
        },
        {
          id: "wait",
          label: "Wait",
          detail: "Do nothing until a branch moves or you land it yourself.",
        },
        {
          id: LANDED,
          label: "Main has it already",
          detail: "It was merged elsewhere. Landing it again only proves that.",
        },
      ],
    },
    maker,
  );
  return changes;
}
