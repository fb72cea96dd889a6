// What must always hold, each with a code. The store checks what an operation touches and refuses an
// operation that adds a violation; `planwright lint` checks everything.

import { isActor, isPerson } from "../actor.js";
import type { InvariantCode } from "../lint-codes.js";
import { isContainer, mayContain, type Node, type NodeFields, type Nr } from "../node/node.js";

export interface Violation {
  readonly code: InvariantCode;
  readonly id: string;
  readonly message: string;
}

export type Lookup = (nr: Nr) => Node | undefined;

export const violation = (code: InvariantCode, id: string, message: string): Violation => ({ code, id, message });

/** Ids from the node's parent upwards; stops at a gap or a loop. */
export function ancestorsOf(node: Pick<Node, "parent">, lookup: Lookup): Node[] {
  const above: Node[] = [];
  for (let at = node.parent; at !== null; ) {
    const parent = lookup(at);
    if (!parent || above.includes(parent)) break;
    above.push(parent);
    at = parent.parent;
  }
  return above;
}

export function checkParent(node: Node, lookup: Lookup): Violation[] {
  if (node.tier === "mission") {
    if (node.parent === null) return [];
    return [violation("I-PARENT", node.id, `A mission (${node.id}) stands at the top and has no parent.`)];
  }
  const parent = node.parent === null ? undefined : lookup(node.parent);
  if (!parent) return [violation("I-PARENT", node.id, `${node.id} has no parent.`)];
  if (!mayContain(parent.tier, node.tier)) {
    const message = `A ${node.tier} (${node.id}) cannot stand below a ${parent.tier} (${parent.id}).`;
    return [violation("I-PARENT", node.id, message)];
  }
  if (node.kind !== "land" || parent.tier === "feature") return [];
  return [violation("I-LAND", node.id, `The land task ${node.id} can only stand directly below a feature.`)];
}

export function checkEdges(node: Node, lookup: Lookup): Violation[] {
  const above = ancestorsOf(node, lookup);
  const seen = new Set<Nr>();
  const problemWith = (on: Nr): readonly [InvariantCode, string] | undefined => {
    const target = lookup(on);
    if (!target) return ["I-DANGLING", "depends on a node that does not exist"];
    const cannot = `cannot depend on ${target.id}`;
    if (seen.has(on)) return ["I-TWICE", `${cannot} twice`];
    if (on === node.nr) return ["I-KINSHIP", `cannot depend on itself: ${node.id} → ${node.id}`];
    if (above.includes(target)) {
      return ["I-KINSHIP", `${cannot}, which contains it: ${node.id} → ${target.id} → ${node.id}`];
    }
    const isInside = isContainer(node) && ancestorsOf(target, lookup).some(({ nr }) => nr === node.nr);
    return isInside ? ["I-KINSHIP", `${cannot}, which it contains`] : undefined;
  };
  return node.dependsOn.flatMap(({ on }) => {
    const [code, problem] = problemWith(on) ?? [];
    seen.add(on);
    return code === undefined ? [] : [violation(code, node.id, `${node.id} ${problem}.`)];
  });
}

export function checkFacts(node: Node): Violation[] {
  const found: Violation[] = [];
  const add = (code: InvariantCode, message: string): unknown => found.push(violation(code, node.id, message));
  if (node.claim && (node.tier !== "task" || node.outcome !== null || node.freeze !== null)) {
    add("I-CLAIM", `${node.id} is claimed but is not in progress.`);
  }
  if (node.approval && !(isActor(node.approval.by) && isPerson(node.approval.by))) {
    add("I-APPROVER", `${node.id} was approved by ${node.approval.by}, who is not a person.`);
  }
  if (node.freeze?.reason === "") add("I-FREEZE", `${node.id} is frozen without a reason.`);
  if (node.outcome?.kind === "done" && node.acceptance?.state !== "accepted") {
    add("I-PROOF", `${node.id} is done but was not accepted.`);
  }
  return found;
}

/** The land task of a feature is the store's: it neither moves nor becomes anything else. */
export function checkLandKept(was: Node, node: Node): Violation[] {
  if (was.kind === node.kind && was.parent === node.parent) return [];
  if (was.kind !== "land" && node.kind !== "land") return [];
  const what = was.kind === node.kind ? "stays with its feature" : "cannot change between landing and other work";
  return [violation("I-LAND", node.id, `${node.id} ${what}.`)];
}

/** What an operation may not do to a row that was done and stays so. */
export function checkDone(was: Node, patch: Partial<NodeFields>): Violation[] {
  if (was.outcome?.kind !== "done" || patch.outcome === null) return [];
  const frozen = patch.freeze !== undefined && patch.freeze !== null;
  const dropped = patch.outcome?.kind === "dropped";
  if (!frozen && !dropped) return [];
  return [violation("I-DONE", was.id, `${was.id} is done and stays as it is.`)];
}
