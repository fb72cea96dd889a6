// The last look before an operation is kept: does it add a violation? Only what it touched is checked,
// so a plan that already has violations (after an import, say) can still be worked on.

import { isPerson } from "../graph/actor.js";
import { checkDone, checkEdges, checkFacts, checkParent, type Lookup, type Violation } from "../graph/invariants.js";
import { breaks, ok, type Result, refused } from "../graph/result.js";
import { cycleThrough } from "./new-cycles.js";
import type { Draft, Sheet } from "./sheet.js";
import type { Intent } from "./store.js";

export async function guard(sheet: Sheet, changed: readonly Draft[], intent: Intent): Promise<Result<void>> {
  const approving = changed.find((d) => d.patch.approval);
  if (approving && !isPerson(intent.actor)) {
    return refused("needs-person", `Only a person can approve; ${intent.actor} is not one.`, {
      hint: `Ask a person to run \`planwright approve ${approving.node.id}\`.`,
    });
  }
  const local = localViolations(sheet, changed);
  const violations = local.length > 0 ? local : await cycleThrough(sheet, changed);
  const [first] = violations;
  if (!first) return ok(undefined);
  return breaks("invariant", first.message, {
    hint: "Nothing was changed. `planwright lint` lists what is wrong in the plan as it stands.",
    details: { violations },
  });
}

/** Whatever the checks ask for was found before, when the derived values were settled. */
function localViolations(sheet: Sheet, changed: readonly Draft[]): Violation[] {
  const lookup: Lookup = (nr) => {
    const draft = sheet.peek(nr);
    return draft && !draft.gone ? draft.node : undefined;
  };
  const found: Violation[] = [];
  for (const { node, was, patch, gone } of changed) {
    if (gone) continue;
    if (was === null || "parent" in patch) found.push(...checkParent(node, lookup));
    if (was === null ? node.dependsOn.length > 0 : "dependsOn" in patch || "parent" in patch) {
      found.push(...checkEdges(node, lookup));
    }
    found.push(...checkFacts(node));
    if (was !== null) found.push(...checkDone(was, patch));
  }
  return found;
}
