// What a source says about progress, as facts of the plan. Work that was finished elsewhere has no proof here, so the person who
// imports it accepts it. It was done before every landing of this plan, which is why its operation is 0.

import type { Actor } from "../../model/actor.js";
import type { NodeFields, Nr, Outcome } from "../../model/node/node.js";
import type { SourceItem, SourceProgress } from "../source/source.js";

export interface Importing {
  readonly by: Actor;
  readonly at: number;
  readonly op: number;
  readonly tool: string;
}

type FactPatch = Partial<Pick<NodeFields, "outcome" | "acceptance" | "freeze">>;

const BEFORE_ALL = 0;

export function progressFacts(item: Pick<SourceItem, "progress" | "reason">, nr: Nr, importing: Importing): FactPatch {
  const { by, at, tool } = importing;
  const why = (plain: string): string =>
    [`${plain} in ${tool} before the import`, item.reason].filter(Boolean).join(": ");
  const settled = (kind: Outcome["kind"], reason: string, op: number): FactPatch => ({
    outcome: { kind, by, at, reason, op },
    ...(kind === "done" ? { acceptance: { state: "accepted", by, at, reason } } : {}),
  });
  const facts: Partial<Record<SourceProgress, () => FactPatch>> = {
    done: () => settled("done", why("finished"), BEFORE_ALL),
    dropped: () => settled("dropped", why("cancelled"), importing.op),
    waived: () => settled("waived", why("skipped"), importing.op),
    rejected: () => ({ acceptance: { state: "rejected", by, at, reason: why("rejected") } }),
    frozen: () => ({ freeze: { reason: why("stopped"), by, at, from: nr, commit: null } }),
  };
  return facts[item.progress]?.() ?? {};
}

export const isSettledThere = (progress: SourceProgress): boolean =>
  progress === "done" || progress === "dropped" || progress === "waived";

/** Something that is under way stays open here: who claims it here works on it. */
export const startedComment = ({ progress, status }: SourceItem, tool: string): string[] =>
  progress === "active" || progress === "review" ? [`In ${tool} this was "${status ?? progress}" at the import.`] : [];
