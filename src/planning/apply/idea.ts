// A captured idea of the inbox that was planned into features: the idea is retired, and says where it went.

import { idKey } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { dropPatch } from "../../model/rules/drop.js";
import type { Writer } from "../../store/store.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { currentText } from "../driver/artifacts.js";
import type { Run } from "../driver/runs.js";
import { isSettledNode } from "./scope.js";

/** The words of an idea, as the spec of a run. */
export const ideaText = ({ title, body }: Pick<Node, "title" | "body">): string =>
  body.trim() === "" ? `# ${title}` : `# ${title}\n\n${body}`;

export interface Retired {
  readonly idea: string | null;
  readonly changes: readonly Change[];
}

const NOTHING: Retired = { idea: null, changes: [] };

/** `names`: draft ids to ids of the plan. An idea that somebody has changed or finished since the run began stays. */
export async function retireIdea(
  writer: Writer,
  run: Run,
  { features }: PlanDraft,
  names: Readonly<Record<string, string>>,
  settling: { readonly by: string; readonly at: number },
): Promise<Retired> {
  const { idea = null } = run.intake;
  const node = idea === null ? undefined : await writer.byId(idea);
  if (!node || isSettledNode(node) || node.claim !== null || !node.shelved) return NOTHING;
  if (ideaText(node) !== (await currentText(writer, run, "spec"))) return NOTHING;
  const known = new Map(Object.entries(names).map(([id, name]) => [idKey(id), name]));
  const into = features.map(({ id }) => known.get(idKey(id)) ?? id);
  const patch = dropPatch({ ...settling, op: writer.op }, `planned as ${into.join(", ")} by ${run.key}`);
  return { idea: node.id, changes: changeNode(node, patch) };
}
