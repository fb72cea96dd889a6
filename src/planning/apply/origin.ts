// Where the nodes come from that a run is about: the runs that made them, the spec that they answer to, and what
// planning once knew of those that are settled.

import { idKey } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { callsOf } from "../calls/calls.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import { type DraftTask, parseDraft } from "../contracts/plan-draft.js";
import { currentText } from "../driver/artifacts.js";
import { listRuns, type Run } from "../driver/runs.js";
import { parseSpec } from "../spec/parse.js";
import type { Spec } from "../spec/spec.js";
import { isSettledNode, renamed } from "./scope.js";

export interface Origin {
  /** Of the run that planned all of them; undefined if there is none, or several. */
  readonly spec: Spec | undefined;
  readonly map: CapabilityMap | undefined;
  /** Tasks that are settled and were not dropped, as they were planned. */
  readonly settled: readonly DraftTask[];
  /** The agents that wrote them. */
  readonly authors: readonly string[];
}

export async function originOf(reader: Reader, run: Run, scope: readonly Node[]): Promise<Origin> {
  if (scope.length === 0) return { spec: undefined, map: undefined, settled: [], authors: [] };
  const others = (await listRuns(reader)).filter(
    ({ key, machine: { end } }) => key !== run.key && (end === "approved" || end === "applied"),
  );
  const made = others.map((other) => new Set(Object.values(other.fields.applied).map(idKey)));
  /** The newest run that made each node. */
  const makers = (isMaker: (other: Run) => boolean): Run[] => {
    const found = scope.map(({ id }) => others.findIndex((each, at) => isMaker(each) && made[at]?.has(idKey(id))));
    return [...new Set(found.filter((at) => at >= 0))].sort((a, b) => a - b).map((at) => others[at] as Run);
  };
  const planned = makers(({ fields, intake }) => fields.node === null || intake.kind !== "node");
  const [only] = planned.length === 1 ? planned : [];
  const spec = only && (await currentText(reader, only, "spec"));
  const map = only && (await currentText(reader, only, "capability-map"));
  const authors: string[] = [];
  for (const maker of makers(() => true)) {
    const author = await authorOf(reader, maker);
    if (author !== undefined) authors.push(author);
  }
  return {
    spec: spec === undefined ? undefined : parseSpec(spec),
    map: map === undefined ? undefined : (JSON.parse(map) as CapabilityMap),
    settled: await settledTasks(reader, scope, others, made),
    authors,
  };
}

/** Who wrote the plan of a run, if an agent did. */
export const authorOf = async (reader: Reader, run: Run): Promise<string | undefined> =>
  (await callsOf(reader, run.key)).findLast(({ fields }) => fields.role === "author")?.fields.agent;

async function settledTasks(
  reader: Reader,
  scope: readonly Node[],
  runs: readonly Run[],
  made: readonly ReadonlySet<string>[],
): Promise<DraftTask[]> {
  const counts = ({ tier, outcome }: Node): boolean => tier === "task" && outcome?.kind !== "dropped";
  const wanted = new Set(scope.filter((node) => isSettledNode(node) && counts(node)).map(({ id }) => idKey(id)));
  const found: DraftTask[] = [];
  for (const [at, run] of runs.entries()) {
    if (wanted.size === 0) break;
    if (![...wanted].some((id) => made[at]?.has(id))) continue;
    const text = await currentText(reader, run, "draft");
    if (text === undefined) continue;
    for (const task of renamed(parseDraft(text), run.fields.applied).tasks) {
      if (wanted.delete(idKey(task.id))) found.push(task);
    }
  }
  return found;
}
