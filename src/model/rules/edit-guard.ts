// Whether an agent may edit these files now: only what its claimed tasks name, and never the plan's own files. Without a claim it
// is told that nothing ties the edit to a task.

import { changeScopeOf, type ScopedTask, type ScopeRules } from "../attempt/change-scope.js";

/** What follows from an edit that does not fit: nothing, a word to the agent, a question to the person, or a refusal. */
export const EDIT_POLICIES = ["off", "note", "ask", "refuse"] as const;
export type EditPolicy = (typeof EDIT_POLICIES)[number];

export interface EditPolicies {
  /** Outside of the footprint of the claimed tasks. */
  readonly footprint: EditPolicy;
  /** In the main checkout, without a claim, while the plan has work. */
  readonly mainCheckout: EditPolicy;
}

export interface EditedFile {
  /** From the top of its working tree. */
  readonly path: string;
  /** `elsewhere`: in no working tree of this plan. */
  readonly tree: "main" | "linked" | "elsewhere";
  readonly exists: boolean;
}

export interface GuardedTask extends ScopedTask {
  readonly id: string;
}

export interface EditSituation {
  readonly files: readonly EditedFile[];
  /** What the agent itself has claimed. */
  readonly claimed: readonly GuardedTask[];
  /** Some task is ready or in progress. */
  readonly hasWork: boolean;
  readonly rules: ScopeRules;
}

export type EditVerdict =
  | { readonly kind: "fits" }
  /** The store and what else this program keeps beside it. */
  | { readonly kind: "plan-files"; readonly files: readonly string[] }
  | { readonly kind: "outside"; readonly files: readonly string[]; readonly tasks: readonly GuardedTask[] }
  | { readonly kind: "unclaimed" };

const STORE = /^\.planwright(\/|$)/;

export function judgeEdit({ files, claimed, hasWork, rules }: EditSituation): EditVerdict {
  const here = files.filter(({ tree }) => tree !== "elsewhere");
  const stored = here.filter(({ path }) => STORE.test(path)).map(({ path }) => path);
  if (stored.length > 0) return { kind: "plan-files", files: stored };
  if (claimed.length > 0) {
    const outside = here
      .filter((file) => claimed.every((task) => isOutside(file, task, rules)))
      .map(({ path }) => path);
    return outside.length === 0 ? { kind: "fits" } : { kind: "outside", files: outside, tasks: claimed };
  }
  return hasWork && here.some(({ tree }) => tree === "main") ? { kind: "unclaimed" } : { kind: "fits" };
}

function isOutside({ path, exists }: EditedFile, task: GuardedTask, rules: ScopeRules): boolean {
  const changes = { created: exists ? [] : [path], modified: exists ? [path] : [], deleted: [] };
  return changeScopeOf(changes, task, rules).outside.length > 0;
}

/** The store is never the agent's to edit, whatever the settings say. */
export function policyFor(verdict: EditVerdict, { footprint, mainCheckout }: EditPolicies): EditPolicy {
  if (verdict.kind === "plan-files") return "refuse";
  if (verdict.kind === "outside") return footprint;
  return verdict.kind === "unclaimed" ? mainCheckout : "off";
}
