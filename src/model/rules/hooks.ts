// What hooks of coding agents decide. An agent may not stop while a task of its own is open; that lets go after a few times, or as soon as
// the host says that the agent goes on only because of the hook. An edit outside the footprint of the claimed task is held back.

import { changeScopeOf, type ScopedTask, type ScopeFacts, type ScopeRules } from "../attempt/change-scope.js";
import { type NextStep, step } from "../next-step.js";

/** A task that the agent itself has claimed and not handed in. */
export interface Marker {
  readonly id: string;
  readonly title: string;
  readonly others: readonly string[];
  /** The host names no conversation, so that only the token shows whose claim it is. */
  readonly needsToken: boolean;
}

/** A planning run whose next step is the agent's: nobody else goes on with it. */
export interface ServedRun {
  readonly run: string;
}

export interface Guard {
  /** How often in a row it was kept from stopping already. */
  readonly blocks: number;
  /** The host says that the agent goes on only because a hook asked it to. */
  readonly active: boolean;
}

export const MAX_BLOCKS = 3;

export type StopDecision =
  | { readonly block: true; readonly reason: string; readonly next: readonly NextStep[]; readonly blocks: number }
  /** `cleanUp`: what was counted is forgotten. */
  | { readonly block: false; readonly cleanUp: boolean };

export function stopDecision(marker: Marker | ServedRun | null, { blocks, active }: Guard): StopDecision {
  if (marker === null) return { block: false, cleanUp: blocks > 0 };
  if (active || blocks >= MAX_BLOCKS) return { block: false, cleanUp: true };
  const said = "run" in marker ? goOnWith(marker) : { reason: reasonFor(marker), next: waysOut(marker) };
  return { block: true, ...said, blocks: blocks + 1 };
}

const goOnWith = ({ run }: ServedRun) => ({
  reason: `You serve the planning run ${run}, and its next step is yours. Carry it out, or abort the run, before you stop:`,
  next: [step("plan.step", { run, brief: true }), step("plan.abort", { run })],
});

function reasonFor({ id, title, others }: Marker): string {
  const more = others.length === 0 ? "" : ` You have also claimed ${others.join(", ")}.`;
  return `You have claimed ${id} (${title}) and not handed it in.${more} End this before you stop:`;
}

function waysOut({ id, needsToken }: Marker): NextStep[] {
  const token = needsToken ? (["token"] as const) : ([] as const);
  return [
    step("complete", { reference: id }, ...token),
    step("fail", { reference: id }, ...token, "reason"),
    step("claim.release", { reference: id }, ...token),
  ];
}

export interface HeldTask {
  readonly id: string;
  readonly title: string;
  readonly by: string;
  readonly until: number;
  /** The worktree of its attempt, if it has one. */
  readonly worktree: string | null;
  /** The host's conversation in which it was claimed, if the host names its conversations. */
  readonly session: string | null;
  /** The subagent of that conversation, if the host tells them apart. */
  readonly agent?: string | null;
}

export interface Asking {
  readonly actor: string;
  /** Said outright: a name that was only guessed may be that of every session on the machine. */
  readonly isSaid: boolean;
  /** The task that the session was started for. */
  readonly task: string | null;
  readonly session: string;
  /** The subagent that asks; null for the conversation itself. */
  readonly agent?: string | null;
  readonly cwd: string;
  readonly now: number;
}

/**
 * Its own claims alone, in this order: the task it was started for, that of its worktree, those of this conversation, then those
 * in its name. A claim of another conversation is not its own, nor that of another subagent. A subagent without a claim
 * works for its conversation.
 */
export function ownClaims<Held extends HeldTask>(held: readonly Held[], asking: Asking): readonly Held[] {
  const { actor, isSaid, task, session, agent = null, cwd, now } = asking;
  const all = held.filter(
    (each) => each.by === actor && each.until > now && (each.session === null || each.session === session),
  );
  const mine = agent === null ? [] : all.filter((each) => each.agent === agent);
  const own = mine.length > 0 ? mine : all.filter((each) => (each.agent ?? null) === null);
  const named = own.filter(({ id }) => id.toLowerCase() === task?.toLowerCase());
  const around = own.filter(({ worktree }) => worktree !== null && isInside(cwd, worktree));
  const here = own.filter((each) => each.session !== null);
  return [named, around, here].find((some) => some.length > 0) ?? (isSaid && task === null ? own : []);
}

export function markerOf(held: readonly HeldTask[], asking: Asking): Marker | null {
  const { agent = null } = asking;
  // What its conversation has claimed is not for a subagent to hand in.
  const own = agent === null ? held : held.filter((each) => each.agent === agent);
  const [first, ...others] = ownClaims(own, asking);
  return first
    ? { id: first.id, title: first.title, others: others.map(({ id }) => id), needsToken: first.session === null }
    : null;
}

const isInside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** What follows from an edit that does not fit: nothing, a word to the agent, a question to the person, or a refusal. */
export type EditPolicy = "off" | "note" | "ask" | "refuse";

interface EditPolicies {
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

interface GuardedTask extends ScopedTask {
  readonly id: string;
}

export interface EditSituation {
  readonly files: readonly EditedFile[];
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

/** A hook only reminds, and has no time to look: the judgement of the work decides. */
const NOT_LOOKED: ScopeFacts = { keepsTests: () => true, harmless: new Set(), programs: [] };

function isOutside({ path, exists }: EditedFile, task: GuardedTask, rules: ScopeRules): boolean {
  const changes = { created: exists ? [] : [path], modified: exists ? [path] : [], deleted: [] };
  return changeScopeOf(changes, task, rules, NOT_LOOKED).outside.length > 0;
}

/** The store is never the agent's to edit, whatever the settings say. */
export function policyFor(verdict: EditVerdict, { footprint, mainCheckout }: EditPolicies): EditPolicy {
  if (verdict.kind === "plan-files") return "refuse";
  if (verdict.kind === "outside") return footprint;
  return verdict.kind === "unclaimed" ? mainCheckout : "off";
}
