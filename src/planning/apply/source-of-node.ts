// Where a node comes from: the planning run that added it, its plan document, and the lines of the spec that it or the tasks
// below it quote. And which runs are planning it now.

import { idKey } from "../../graph/node/ids.js";
import type { Nr } from "../../graph/node/node.js";
import type { Reader } from "../../store/store.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import { type DraftTask, parseDraft } from "../contracts/plan-draft.js";
import { tracesOf } from "../document/traceability.js";
import { currentText } from "../driver/artifacts.js";
import { listRuns, type Run } from "../driver/runs.js";
import { parseSpec } from "../spec/parse.js";
import { renamed } from "./scope.js";

export interface NodeSource {
  readonly run: string;
  /** The artifact with the plan document. */
  readonly plan: string | null;
  readonly spec: {
    readonly artifact: string;
    /** The file that it was read from. */
    readonly file: string | null;
    readonly lines: readonly number[];
  } | null;
}

/** Of the latest run that added or changed the node; null if a person added it by hand. */
export async function sourceOfNode(reader: Reader, id: string): Promise<NodeSource | null> {
  const isIt = (each: string): boolean => idKey(each) === idKey(id);
  const isMaker = ({ fields, machine: { end } }: Run): boolean =>
    (end === "approved" || end === "applied") && Object.values(fields.applied).some(isIt);
  const run = (await listRuns(reader)).find(isMaker);
  if (!run) return null;
  const { plan = null, spec } = run.fields.current;
  const artifact = spec === undefined ? undefined : await reader.item("artifact", spec);
  return {
    run: run.key,
    plan,
    spec: artifact
      ? { artifact: artifact.key, file: artifact.fields.source, lines: await linesOf(reader, run, isIt) }
      : null,
  };
}

async function linesOf(reader: Reader, run: Run, isIt: (id: string) => boolean): Promise<number[]> {
  const text = await currentText(reader, run, "spec");
  const draft = await currentText(reader, run, "draft");
  if (text === undefined || draft === undefined) return [];
  const words = await currentText(reader, run, "capability-map");
  const map = words === undefined ? undefined : (JSON.parse(words) as CapabilityMap);
  const plan = renamed(parseDraft(draft), run.fields.applied);
  const { features, stories } = plan;
  const inside = new Set(features.filter(({ parent }) => parent !== undefined && isIt(parent)).map(({ id }) => id));
  for (const { id, feature } of stories) if (isIt(feature) || inside.has(feature)) inside.add(id);
  const isBelow = ({ id, parent }: DraftTask): boolean => isIt(id) || isIt(parent) || inside.has(parent);
  const traces = tracesOf({ draft: plan, map, spec: parseSpec(text) });
  const lines = traces.flatMap(({ line, tasks }) => (line !== undefined && tasks.some(isBelow) ? [line] : []));
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** Runs that are not over and may change the node: about it, about something above it, or about the plan that it came from. */
export async function runsPlanning(reader: Reader, nr: Nr, id: string): Promise<string[]> {
  const above = new Set([nr, ...(await reader.ancestors(nr)).map((node) => node.nr)]);
  const isOwn = ({ fields: { node, applied } }: Run): boolean =>
    node === null ? Object.values(applied).some((each) => idKey(each) === idKey(id)) : above.has(node);
  return (await listRuns(reader))
    .filter((run) => run.machine.end === null && run.machine.mode !== "review" && isOwn(run))
    .map(({ key }) => key);
}
