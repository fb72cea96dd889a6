// Decides what a request for a plan means: a new plan, a revision of one, what belongs below a node, or another pass from
// a stage on. Pure, and the same for every door.

import { step } from "../../model/next-step.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import type { Request } from "../driver/begin.js";
import type { Mode, Stage } from "../machine/machine.js";

/** A text with the file that it is from; without one it was typed or piped. */
export interface SpecText {
  readonly text: string;
  readonly path?: string | null | undefined;
}

export interface Wanted {
  /** Words: an idea, or the name of a node or a run. */
  readonly source?: string | SpecText | undefined;
  /** The node or run whose plan is revised; the source is then its new spec. */
  readonly revise?: string | undefined;
  readonly from?: Stage | undefined;
  readonly quick?: boolean | undefined;
  readonly note?: string | undefined;
}

export interface NodeFact {
  readonly id: string;
  readonly tier: string;
  /** Of a captured idea, a task in the inbox: its words. Null for every other node. */
  readonly idea: string | null;
  /** Children that were not dropped; the land task aside. */
  readonly hasChildren: boolean;
}

/** What is known about the source. */
export interface SourceFacts {
  /** The one node that its words or its path name. */
  readonly node: NodeFact | null;
  /** The latest run from this file whose plan is in the graph. */
  readonly fileRun: string | null;
  /** The run that wrote this text as its plan document. */
  readonly documentRun: string | null;
  readonly latestRun: string | null;
  /** An agent, not the outline planner, writes plans here. */
  readonly hasAuthor: boolean;
}

/** The part of a request that follows from what is meant. */
export type PlanTarget = Pick<Request, "mode" | "kind" | "text" | "node" | "source" | "from" | "earlier"> &
  Partial<Pick<Request, "note" | "idea">>;

const NOTHING: PlanTarget = {
  mode: "new",
  kind: "node",
  text: undefined,
  node: null,
  source: null,
  from: null,
  earlier: null,
};

export const isRunKey = (word: string): boolean => /^run-\d+$/i.test(word);

export function decideWhatToPlan(wanted: Wanted, facts: SourceFacts): Result<PlanTarget> {
  const { source, revise, from, quick = false, note } = wanted;
  if (from !== undefined) return fromStage(from, source, facts);
  if (revise !== undefined) {
    const revised = revisionOf(revise, source, facts, note);
    return revised.ok && note !== undefined ? ok({ ...revised.value, note }) : revised;
  }
  if (facts.node !== null) return ok(targetOf(facts.node, quick));
  const spec = specIn(source);
  if (!spec.ok) return spec;
  if (facts.fileRun !== null) return revisionOf(facts.fileRun, source, facts, undefined);
  if (facts.documentRun !== null) return ok({ ...NOTHING, mode: "revise", earlier: facts.documentRun });
  return ok({ ...NOTHING, mode: quick ? "quick" : "new", ...spec.value });
}

/** A captured idea becomes features of its own; every other node is planned where it is. */
function targetOf(node: NodeFact, quick: boolean): PlanTarget {
  const { id, idea } = node;
  if (idea === null) return { ...NOTHING, mode: modeForNode(node), node: id };
  return { ...NOTHING, mode: quick ? "quick" : "new", kind: "idea", text: idea, idea: id };
}

/** A task has nothing below it, and what is there already is revised instead of written beside. */
export const modeForNode = ({ hasChildren, tier }: Pick<NodeFact, "hasChildren" | "tier">): Mode =>
  hasChildren || tier === "task" ? "revise" : "expand";

function fromStage(from: Stage, source: Wanted["source"], { latestRun }: SourceFacts): Result<PlanTarget> {
  const earlier = typeof source === "string" ? source : latestRun;
  if (earlier !== null) return ok({ ...NOTHING, from, earlier });
  return usage("no-run", "There is no run to continue from.", { next: [step("plan.start", {}, "source")] });
}

function revisionOf(
  revised: string,
  source: Wanted["source"],
  { hasAuthor }: SourceFacts,
  note: string | undefined,
): Result<PlanTarget> {
  const spec = source === undefined ? undefined : specIn(source);
  if (spec && !spec.ok) return spec;
  if (!isRunKey(revised)) return ok({ ...NOTHING, mode: "revise", ...spec?.value, node: revised });
  const run = revised.toUpperCase();
  if (note !== undefined) {
    return usage("usage", `A note goes to the author of ${run} when you revise that run.`, {
      next: [step("plan.revise", { run, note })],
    });
  }
  // The outline planner cannot follow words, but gives the same ids to the same statements: it plans a changed spec as
  // new, and the result is merged by id.
  const mode = spec !== undefined && !hasAuthor ? "new" : "revise";
  return ok({ ...NOTHING, mode, ...spec?.value, earlier: run });
}

/** A single word is never an idea: it is a mistyped name or file. */
function specIn(source: Wanted["source"]): Result<Pick<PlanTarget, "text" | "kind" | "source">> {
  if (source === undefined) return ok({ text: undefined, kind: "node", source: null });
  if (typeof source !== "string") {
    const path = source.path ?? null;
    return ok({ text: source.text, kind: path === null ? "stdin" : "file", source: path });
  }
  const word = source.trim();
  if (word === "" || /\s/.test(word)) return ok({ text: source, kind: "idea", source: null });
  if (isRunKey(word)) {
    const run = word.toUpperCase();
    return usage("is-run", `${run} is a planning run. Show, resume or revise it.`, {
      next: [step("plan.show", { run }), step("plan.resume", { run }), step("plan.start", { revise: run })],
    });
  }
  if (/[/\\]|\.(md|markdown|txt|rst|adoc)$/i.test(word)) {
    return absent("no-file", `There is no file ${word.slice(0, 200)}.`, { next: [step("plan.start", {}, "source")] });
  }
  const shown = word.slice(0, 60);
  return absent("not-found", `"${shown}" is neither a node nor a file. An idea needs more than one word, in quotes.`, {
    next: [step("status"), step("plan.start", {}, "source")],
  });
}
