// From what was asked for to a request that a run can begin with: a new plan, a revision of one, what belongs below a node, or
// another pass from a stage on; with settings, and what an earlier run was given.

import { resolve as resolvePath } from "node:path";
import { isInside, pathFrom } from "../../base/paths.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import type { FocusOwner } from "../../plan/base/focus.js";
import { resolve } from "../../plan/base/resolve.js";
import type { Reader } from "../../store/store.js";
import { defined } from "../contracts/common.js";
import type { Mode, Stage } from "../machine/machine.js";
import { type HOST, OUTLINE } from "../roles/agents.js";
import type { Request } from "./begin.js";
import { DOCUMENTS_FOLDER, runOfDocument } from "./present.js";
import type { PlannerLimits, PlanningServices } from "./services.js";
import { type Intake, listRuns, nodeOf, type Run, readRun } from "./stored-run.js";
import { ideaText } from "./subject.js";

type Given<Field extends keyof Intake> = { readonly [F in Field]?: NonNullable<Intake[F]> };

/** Settings of one run; what is left out comes from the configuration, or from the run that it continues. */
interface PlanOptions extends Given<"agent" | "model" | "clean" | "level" | "maxTokens" | "defaults"> {
  /** The agent that asks serves every role, in place of agents that are started. */
  readonly serve?: typeof HOST;
  readonly effort?: NonNullable<Intake["effort"]> | "fast" | "hard";
  readonly timeoutMinutes?: number;
  readonly maxCost?: number;
}

export interface PlanInput extends PlanOptions, Wanted, Given<"stack" | "target" | "roadmap" | "research"> {
  readonly commit?: boolean;
  readonly to?: string;
}

export function givenSettings(options: PlanOptions): Partial<Intake> {
  const { serve, agent, model, effort, clean, level, timeoutMinutes, maxCost, maxTokens, defaults } = options;
  return defined({
    agent: serve ?? agent,
    model,
    effort: effort === "fast" ? "low" : effort === "hard" ? "high" : effort,
    clean,
    level,
    timeoutMs: timeoutMinutes === undefined ? undefined : timeoutMinutes * 60_000,
    maxCostUsd: maxCost,
    maxTokens,
    defaults,
  });
}

const settingsFrom = (limits: PlannerLimits): Omit<Intake, "mode" | "kind" | "source" | "from" | "earlier"> => ({
  stack: null,
  target: null,
  agent: null,
  model: null,
  effort: null,
  clean: false,
  research: false,
  level: "normal",
  timeoutMs: limits.roleTimeoutMinutes * 60_000,
  maxCostUsd: limits.maxCostUsd,
  maxTokens: limits.maxTokens,
  defaults: false,
  commitTo: null,
});

export async function planRequest(services: PlanningServices, input: PlanInput): Promise<Result<Request>> {
  const { context, limits } = services;
  const { stack, target, roadmap, research, commit, to = DOCUMENTS_FOLDER } = input;
  const commitTo = commit === true ? to : undefined;
  const given = { ...givenSettings(input), ...defined({ stack, target, roadmap, research, commitTo }) };
  const wanted = { ...input, source: withPath(context.root, context.cwd, input.source) };
  const hasAuthor = await isAuthorHere(services, input.serve ?? input.agent ?? null);
  return context.store.read(async (reader) => {
    const decided = decideWhatToPlan(wanted, await factsAbout(reader, context, wanted.source, hasAuthor));
    if (!decided.ok) return decided;
    const { from, earlier } = decided.value;
    const run = earlier === null ? undefined : await readRun(reader, earlier);
    if (run && !run.ok) return run;
    const before = from === null || run === undefined ? {} : await askedOf(reader, run.value);
    return ok({ ...settingsFrom(limits), ...decided.value, ...before, ...given, from });
  });
}

/** What an earlier run was given holds again. */
async function askedOf(reader: Reader, run: Run): Promise<Partial<Request>> {
  const node = await nodeOf(reader, run);
  return { ...run.intake, mode: run.machine.mode, node: node?.id ?? null, earlier: run.key };
}

/** Files in the workspace go by their path from its root, so that a run finds its spec again. */
function withPath(root: string, cwd: string, source: Wanted["source"]): Wanted["source"] {
  if (typeof source !== "object" || source.path === undefined) return source;
  const path = resolvePath(cwd, source.path);
  return { ...source, path: isInside(path, root) ? pathFrom(root, path) : path };
}

/** An agent, not the outline planner, writes plans here. */
export async function isAuthorHere({ serverFor }: PlanningServices, agent: string | null): Promise<boolean> {
  const server = await serverFor("author", { agent, model: null, effort: null });
  return server !== null && server.agent !== OUTLINE;
}

async function factsAbout(
  reader: Reader,
  asker: FocusOwner,
  source: Wanted["source"],
  hasAuthor: boolean,
): Promise<SourceFacts> {
  const words = typeof source === "string" ? source : (source?.path ?? "");
  const [text, path] = typeof source === "object" ? [source.text, source.path ?? null] : ["", null];
  const runs = await listRuns(reader);
  const ofFile = runs.filter(({ intake }) => path !== null && intake.source === path);
  return {
    node: words.trim() === "" || isRunKey(words) ? null : await nodeNamed(reader, asker, words),
    fileRun: (await firstInPlan(reader, ofFile))?.key ?? null,
    documentRun: runOfDocument(text) ?? null,
    // A review makes nothing that a plan could go on from.
    latestRun: runs.find(({ machine }) => machine.mode !== "review")?.key ?? null,
    hasAuthor,
  };
}

/** An approval that was undone leaves nothing to revise, and neither does a plan that was dropped. */
async function firstInPlan(reader: Reader, runs: readonly Run[]): Promise<Run | undefined> {
  for (const run of runs) {
    const nodes = await reader.byIds(Object.values(run.fields.applied));
    if (nodes.some(({ outcome }) => outcome?.kind !== "dropped")) return run;
  }
  return undefined;
}

/** By its id, its UUID or the focus; words of a title may as well be an idea. */
async function nodeNamed(reader: Reader, asker: FocusOwner, words: string): Promise<NodeFact | null> {
  const { by, nodes } = await reader.match(words);
  const found = by === "title" ? undefined : await resolve(reader, words, asker);
  return found?.ok && nodes.length === 1 ? factOf(reader, found.value) : null;
}

async function factOf(reader: Reader, node: Node): Promise<NodeFact> {
  const { id, tier, nr, kind, shelved } = node;
  const children = await reader.children(nr);
  const isIdea = shelved && tier === "task" && kind !== "land";
  return {
    id,
    tier,
    idea: isIdea ? ideaText(node) : null,
    hasChildren: children.some(({ kind, outcome }) => kind !== "land" && outcome?.kind !== "dropped"),
  };
}

/** The plan of a run again, as it is in the graph now. */
export const revisionRequest = (limits: PlannerLimits, run: string): Request => ({
  ...settingsFrom(limits),
  ...NOTHING,
  mode: "revise",
  earlier: run,
});

/** What is to be done with one node that is named. `mode` is decided by its children unless it is given. */
interface NodeWish extends PlanOptions {
  readonly reference: string;
  readonly mode?: Request["mode"];
  readonly note?: string;
}

export async function nodeRequest(services: PlanningServices, wish: NodeWish): Promise<Result<Request>> {
  const { context, limits } = services;
  const node = await context.store.read(async (reader) => {
    const found = await resolve(reader, wish.reference, context);
    return found.ok ? ok(await factOf(reader, found.value)) : found;
  });
  if (!node.ok) return node;
  const { id } = node.value;
  const mode = wish.mode ?? modeForNode(node.value);
  const target = { ...NOTHING, mode, node: id, ...defined({ note: wish.note }) };
  return ok({ ...settingsFrom(limits), ...givenSettings(wish), ...target });
}

export interface Wanted {
  /** Words: an idea, or the name of a node or a run; or a text with its file, unless it was typed or piped. */
  readonly source?: string | { readonly text: string; readonly path?: string | undefined } | undefined;
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

export interface SourceFacts {
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
type PlanTarget = Pick<Request, "mode" | "kind" | "text" | "node" | "source" | "from" | "earlier"> &
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

const isRunKey = (word: string): boolean => /^run-\d+$/i.test(word);

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
const modeForNode = ({ hasChildren, tier }: Pick<NodeFact, "hasChildren" | "tier">): Mode =>
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
