// Carries out a decision that approves something, or only shows what it would approve. What computes previews is loaded when needed.

import type { Result } from "../../model/result.js";
import type { Committed, Decision, Writer } from "../../store/store.js";
import { act, type Context, rehearse } from "../base/context.js";
import type { PreviewSettings, SeenPreview } from "./approval-preview.js";

type Decide<T> = (writer: Writer, at: number) => Promise<Result<Decision<T>>>;

/** Refused if it is no longer what the person was shown. */
export const actAsSeen = <T>(
  context: Context,
  verb: string,
  seen: SeenPreview | undefined,
  decide: Decide<T>,
): Promise<Result<Committed<T>>> =>
  act<T>(context, verb, async (writer, at) => {
    const decided = await decide(writer, at);
    if (!decided.ok || seen === undefined) return decided;
    const { requireAsSeen } = await import("./approval-preview.js");
    const same = await requireAsSeen(writer, decided.value.changes, seen);
    return same.ok ? decided : same;
  });

export const previewDecision = (context: Context, settings: PreviewSettings | undefined, decide: Decide<unknown>) =>
  rehearse(context, decide, async (writer, changes) => {
    const { previewOf } = await import("./approval-preview.js");
    return previewOf(writer, changes, settings);
  });
