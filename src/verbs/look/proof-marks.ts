// What a row of the tree shows about proof: how each check ended, whether a feature can land, and when it landed.

import { weakProofWords } from "../../model/attempt/proof.js";
import type { Node } from "../../model/node/node.js";
import { landId } from "../../model/rules/land.js";
import { isFinished } from "../../model/status/rollup.js";
import { deriveStatus } from "../../model/status/status.js";
import { isoTime } from "../../plan/node/view.js";
import type { Reader } from "../../store/store.js";

/** When a finished feature landed, and as which commit. */
export interface FeatureLanding {
  readonly at: string;
  readonly commit: string | null;
}

/** How each check ended last; null if it has not run. */
export function checkMarks({ checks, report }: Node): (boolean | null)[] {
  const ran = new Map(report?.checks.map(({ run, passed }) => [run, passed]));
  return checks.map(({ run }) => ran.get(run) ?? null);
}

/** Its checks accepted it, and none of them shows that the work was needed. */
export const isWeaklyProven = ({ outcome, acceptance, report }: Node): boolean =>
  outcome?.kind === "done" && acceptance?.by === "checks" && weakProofWords(report?.checks ?? []) !== "";

/** All that is open in a feature is its land task, and that one waits for you. `open`: what is open in it. */
export async function isReadyToLand(reader: Reader, { tier }: Node, open: readonly string[]): Promise<boolean> {
  const [id, ...others] = tier === "feature" ? open : [];
  const land = id === undefined || others.length > 0 ? undefined : await reader.byId(id);
  return land?.kind === "land" && deriveStatus(land, await reader.surroundings(land)).reason === "human";
}

/** Null while anything of the feature is open. */
export async function landingOf(reader: Reader, node: Node): Promise<FeatureLanding | null> {
  if (node.tier !== "feature" || node.landedOp === null || !isFinished(node)) return null;
  const isLast = (task: Node | undefined): boolean => task?.kind === "land" && task.outcome?.op === node.landedOp;
  // Most features landed once. Of the others the children are read.
  const first = await reader.byId(landId(node.id));
  const last = isLast(first) ? first : (await reader.children(node.nr)).find(isLast);
  return last?.outcome ? { at: isoTime(last.outcome.at), commit: last.report?.commit ?? null } : null;
}
