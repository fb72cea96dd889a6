// Where a node comes from: the planning run that added it, its plan document, and the lines of the spec that it or the tasks
// below it quote. And which runs are planning it now.

import { idKey } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { isInPlan, listRuns, type Run } from "./stored-run.js";

export type NodeSource = NonNullable<Awaited<ReturnType<typeof sourceOfNode>>>;

/** Whether a node of the draft of the run has this id in the plan. */
const hasMade = ({ fields }: Run, id: string): boolean =>
  Object.values(fields.applied).some((each) => idKey(each) === idKey(id));

/** Finds the latest run that added or changed the node; null if a person added it by hand. */
export async function sourceOfNode(reader: Reader, id: string, runs?: readonly Run[]) {
  const isMaker = (run: Run): boolean => isInPlan(run) && hasMade(run, id);
  const run = (runs ?? (await listRuns(reader))).find(isMaker);
  if (!run) return null;
  const { plan = null, spec } = run.fields.current;
  const artifact = spec === undefined ? undefined : await reader.item("artifact", spec);
  return {
    run: run.key,
    plan,
    spec: artifact
      ? { artifact: artifact.key, file: artifact.fields.source, lines: await specLines(reader, run, id) }
      : null,
  };
}

async function specLines(reader: Reader, run: Run, id: string): Promise<readonly number[]> {
  const kept = run.fields.specLines;
  if (kept) return kept[idKey(id)] ?? [];
  // A run that an earlier version approved. Parsing its spec takes a quarter of a second for 800 lines.
  const { findSpecLines } = await import("./present.js");
  return (await findSpecLines(reader, run))[idKey(id)] ?? [];
}

/** Runs that are not over and may change the node: about it, about something above it, or about the plan that it came from. */
async function runsPlanning(
  reader: Reader,
  { nr, id }: Pick<Node, "nr" | "id">,
  runs: readonly Run[],
): Promise<string[]> {
  const above = new Set([nr, ...(await reader.ancestors(nr)).map((node) => node.nr)]);
  const isOwn = (run: Run): boolean => {
    const { node } = run.fields;
    return node === null ? hasMade(run, id) : above.has(node);
  };
  return runs
    .filter((run) => run.machine.end === null && run.machine.mode !== "review" && isOwn(run))
    .map(({ key }) => key);
}

export type NodePlanning = Awaited<ReturnType<typeof planningOfNode>>;

export async function planningOfNode(reader: Reader, node: Pick<Node, "nr" | "id">) {
  const runs = await listRuns(reader);
  return {
    origin: await sourceOfNode(reader, node.id, runs),
    beingPlannedBy: await runsPlanning(reader, node, runs),
  };
}
