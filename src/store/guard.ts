// Does an operation add a violation? Rows are looked at before anything is derived from them or written,
// so that the answer is a sentence and not a constraint of the database; what only shows in the plan as
// a whole is looked at when it is written. Only what the operation touched is checked, so a plan that
// already has violations (after an import, say) can still be worked on.

import { isPerson } from "../graph/actor.js";
import type { Node, Nr } from "../graph/node/node.js";
import {
  ancestorsOf,
  checkDone,
  checkEdges,
  checkFacts,
  checkLandKept,
  checkParent,
  type Lookup,
  type Violation,
  violation,
} from "../graph/operation/invariants.js";
import { breaks, ok, type Result, refused } from "../graph/result.js";
import { missingLand, secondLands } from "./check-lands.js";
import { cycleThrough } from "./new-cycles.js";
import type { Draft, Sheet } from "./sheet.js";
import type { Intent } from "./store.js";

/** Rows that nothing around them follows from: what each says about itself. */
export const guardAlone = (changed: readonly Draft[], intent: Intent): Result<void> =>
  orBroken(localViolations(() => undefined, changed, intent));

/** Each row by itself and with what stands around it, which is found here for all that follows. */
export async function guardRows(sheet: Sheet, changed: readonly Draft[], intent: Intent): Promise<Result<void>> {
  const approving = changed.find((d) => d.patch.approval);
  if (approving && !isPerson(intent.actor)) {
    return refused("needs-person", `Only a person can approve; ${intent.actor} is not one.`, {
      hint: `Ask a person to run \`planwright approve ${approving.node.id}\`.`,
    });
  }
  // First of all: tiers keep containment from going in circles, and whatever climbs relies on that.
  const misplaced = await misplacedRows(sheet, changed);
  if (misplaced.length > 0) return broken(misplaced);
  for (const draft of changed) {
    const found = sheet.surroundDraft(draft);
    if (found) await found;
  }
  const local = localViolations(lookupIn(sheet), changed, intent);
  if (local.length > 0) return broken(local);
  return orBroken([...(await newKinship(sheet, changed)), ...(await secondLands(sheet, changed))]);
}

/** The plan as it would be: the rows are written, and nothing is kept yet. */
export async function guardPlan(sheet: Sheet, changed: readonly Draft[]): Promise<Result<void>> {
  const missing = [...(await bereft(sheet, changed)), ...(await missingLand(sheet, changed))];
  return orBroken(missing.length > 0 ? missing : await cycleThrough(sheet, changed));
}

const orBroken = (violations: readonly Violation[]): Result<void> =>
  violations.length === 0 ? ok(undefined) : broken(violations);

const broken = (violations: readonly Violation[]): Result<never> =>
  breaks("invariant", violations[0]?.message ?? "", {
    hint: "Nothing was changed. `planwright lint` lists what is wrong in the plan as it stands.",
    details: { violations },
  });

async function misplacedRows(sheet: Sheet, changed: readonly Draft[]): Promise<Violation[]> {
  for (const { node, was, patch, gone } of changed) {
    if (gone || (was !== null && !("parent" in patch))) continue;
    if (node.parent !== null && !sheet.peek(node.parent)) await sheet.find(node.parent);
    const violations = checkParent(node, lookupIn(sheet));
    if (violations.length > 0) return violations;
  }
  return [];
}

const lookupIn =
  (sheet: Sheet): Lookup =>
  (nr) => {
    const draft = sheet.peek(nr);
    return draft && !draft.gone ? draft.node : undefined;
  };

/** A node that moves may come to stand below something that depends on it, or on what it contains. */
async function newKinship(sheet: Sheet, changed: readonly Draft[]): Promise<Violation[]> {
  const lookup = lookupIn(sheet);
  const found: Violation[] = [];
  for (const { node, was, patch, gone } of changed) {
    if (gone || was === null || !("parent" in patch)) continue;
    for (const above of ancestorsOf(node, lookup)) {
      await sheet.surround(above);
      const carried = above.dependsOn.filter(({ on }) => on === node.nr || isInside(on, node, lookup));
      found.push(...checkEdges({ ...above, dependsOn: carried }, lookup));
    }
  }
  return found;
}

function isInside(nr: Nr, container: Node, lookup: Lookup): boolean {
  const target = lookup(nr);
  return target !== undefined && ancestorsOf(target, lookup).some((above) => above.nr === container.nr);
}

function localViolations(lookup: Lookup, changed: readonly Draft[], { undoes, redoes }: Intent): Violation[] {
  // What was dropped and then done is dropped again when that is undone.
  const isReplay = undoes !== undefined || redoes !== undefined;
  const found: Violation[] = [];
  for (const { node, was, patch, gone } of changed) {
    if (gone) continue;
    if (was === null ? node.dependsOn.length > 0 : "dependsOn" in patch || "parent" in patch) {
      found.push(...checkEdges(node, lookup));
    }
    found.push(...checkFacts(node));
    if (was !== null) found.push(...checkLandKept(was, node));
    if (was !== null && !isReplay) found.push(...checkDone(was, patch));
  }
  return found;
}

const CHILD = "select id from node where parent = ? order by nr limit 1";
const DEPENDENT = "select id from edge join node on node.nr = edge.node where edge.target = ? order by nr limit 1";

/** A row may only go if nothing stands below it and nothing waits for it. */
async function bereft(sheet: Sheet, changed: readonly Draft[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { node, gone } of changed) {
    if (!gone) continue;
    const child = (await sheet.db.get(CHILD, node.nr))?.["id"] as string | undefined;
    if (child !== undefined) found.push(violation("I-PARENT", child, `${child} still stands below ${node.id}.`));
    const dependent = (await sheet.db.get(DEPENDENT, node.nr))?.["id"] as string | undefined;
    if (dependent !== undefined) {
      found.push(violation("I-DANGLING", dependent, `${dependent} still depends on ${node.id}.`));
    }
  }
  return found;
}
