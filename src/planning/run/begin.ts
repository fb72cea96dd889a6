// Starts a run: what was asked for becomes a spec, byte for byte, and the first state of the machine.

import type { ArtifactKind } from "../../model/item/artifact.js";
import { createItem } from "../../model/item/item.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import { itemKey } from "../../model/item-key.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { absent, ok, type Result, refused, usage } from "../../model/result.js";
import { spaced, withArticle } from "../../model/words.js";
import { act, type Context } from "../../plan/base/context.js";
import { resolve } from "../../plan/base/resolve.js";
import type { Reader } from "../../store/store.js";
import { defined } from "../contracts/common.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { editDraft } from "../document/edit-draft.js";
import { draftOf, isSettledNode, toPlanNodes, withDraftDetails } from "../draft/plan-nodes.js";
import { begin, ROLES, type Role, STAGES, type Stage } from "../machine/machine.js";
import { nothingFound } from "../outline/outline.js";
import { OUTLINE } from "../roles/agents.js";
import { parseSpec } from "../spec/parse.js";
import { splitSpec } from "../spec/split.js";
import { baseOf } from "./compare.js";
import { partTokens } from "./gather-brief.js";
import type { PlanningServices } from "./services.js";
import {
  allTexts,
  currentText,
  type Intake,
  jsonArtifact,
  listRuns,
  type Run,
  type RunArtifact,
  readRun,
  saveArtifacts,
} from "./stored-run.js";
import { draftIn, nodesInScope, renamed } from "./subject.js";

export interface Request extends Omit<Intake, "earlier"> {
  /** The spec or the idea; undefined when a node is planned. */
  readonly text: string | undefined;
  readonly node: string | null;
  /** An edited plan document of the earlier run: the draft is read from it, and no author is asked. */
  readonly document?: string;
  readonly note?: string;
  /** The run whose plan is revised, or whose artifacts are taken over. */
  readonly earlier: string | null;
}

interface Start {
  readonly node: Node | undefined;
  readonly earlier: Run | undefined;
  readonly text: string;
  readonly draft: PlanDraft | undefined;
}

export async function beginRun(services: PlanningServices, request: Request): Promise<Result<Run>> {
  const { context, limits } = services;
  const agents = await agentsFor(services, request);
  const served = servedBy(agents);
  if (agents.author === undefined && request.mode !== "review") {
    return refused("no-author", "No agent is configured as author.", { next: [step("agents.list")] });
  }
  const isAgent = agents.author !== OUTLINE;
  const committed = await act(context, "plan", async (writer, at) => {
    const start = await readStart(writer, context, request);
    if (!start.ok) return start;
    const { node, earlier, text, draft } = start.value;
    const nothing = isAgent ? undefined : nothingToPlan(request, text);
    if (nothing !== undefined) return nothing;
    const parts = isAgent ? splitSpec(parseSpec(text), partTokens(limits.windowTokens)).length : 1;
    const mapped = request.mode === "revise" && request.text !== undefined && earlier !== undefined;
    const edited = request.document !== undefined;
    const from = request.from ?? (edited ? "sequence" : undefined);
    const machine = begin({ mode: request.mode, served, parts, mapped, edited, limits, ...defined({ from }) });
    const { text: _, node: __, note: ___, document: ____, ...asked } = request;
    const intake: Intake = { ...asked, earlier: earlier?.key ?? null };
    const key = itemKey("RUN", await writer.number("RUN"));
    const fields: PlanningRun = {
      status: "running",
      title: titleOf(text, node),
      node: node?.nr ?? null,
      intake,
      machine,
      current: takenOver(earlier, request.from),
      // What the person answered then still counts.
      asked: request.from === null ? {} : (earlier?.fields.asked ?? {}),
      // A branch is revised by the names that its nodes have; the rest of the plan it came from is not touched.
      applied: node ? {} : (earlier?.fields.applied ?? {}),
      driver: null,
      begunBy: writer.op,
      appliedBy: null,
      createdAt: at,
      createdBy: context.actor,
    };
    const spec: RunArtifact = { kind: "spec", text, format: "markdown", source: request.source };
    const artifacts = [...(request.from ? [] : [spec]), ...(draft ? [jsonArtifact("draft", draft)] : [])];
    const scope = await nodesInScope(writer, fields);
    const base = await baseOf(writer, scope);
    const features = request.mode === "review" ? [] : [...new Set(scope.flatMap(({ feature }) => feature ?? []))];
    const saved = await saveArtifacts(writer, { key, fields }, artifacts, { by: context.actor, at });
    const editedDraft = edited ? (saved.current.draft ?? null) : null;
    const run = createItem("run", key, { ...fields, base, features, editedDraft, current: saved.current });
    const sentence = `${context.actor} started ${key}: ${fields.title}`;
    return ok({ sentence, changes: [run, ...saved.changes], value: key });
  });
  if (!committed.ok) return committed;
  return context.store.read((reader) => readRun(reader, committed.value.value));
}

/** A program cannot ask what was meant: better no run than one that fails at its second stage. */
function nothingToPlan({ mode, from, document, text: given, source }: Request, text: string) {
  if (given === undefined || from !== null || document !== undefined || mode === "review") return undefined;
  const found = nothingFound(parseSpec(text));
  if (found === undefined) return undefined;
  const where = source === null ? "" : `${source}: `;
  return absent("nothing-to-do", `${where}${found}`, { next: [step("plan.start", {}, "source")] });
}

export type ServingAgents = Readonly<Partial<Record<Role, string>>>;

/** The agent or the program that serves each role; research happens only on request. */
export async function agentsFor(
  { serverFor }: PlanningServices,
  wish: Pick<Intake, "agent" | "model" | "effort" | "research">,
  roles: readonly Role[] = ROLES.filter((role) => role !== "researcher" || wish.research),
): Promise<ServingAgents> {
  const agents: Partial<Record<Role, string>> = {};
  for (const role of roles) {
    const server = await serverFor(role, wish);
    if (server) agents[role] = server.agent;
  }
  return agents;
}

export const servedBy = (agents: ServingAgents): Role[] => ROLES.filter((role) => agents[role] !== undefined);

export async function readStart(reader: Reader, context: Context, request: Request): Promise<Result<Start>> {
  const named = request.node === null ? undefined : await resolve(reader, request.node, context);
  if (named && !named.ok) return named;
  const node = named?.value;
  const may = node ? await requirePlannable(reader, node, request) : ok(undefined);
  if (!may.ok) return may;
  const earlier = request.earlier === null ? ok(await madeBy(reader, node)) : await readRun(reader, request.earlier);
  if (!earlier.ok) return earlier;
  const before = earlier.value;
  const gate = request.from === null ? ok(undefined) : mayBeginAt(request.from, before);
  if (!gate.ok) return gate;
  const text = request.text ?? (await specOf(reader, request, node, before));
  if (text === undefined || text.trim() === "") {
    return usage("empty-spec", "There is nothing to plan: the spec is empty.", {
      next: [step("plan.start", {}, "source")],
    });
  }
  const { statements } = request.text === undefined ? { statements: [] } : parseSpec(text);
  if (statements.length > 0 && statements.every(({ done }) => done)) {
    return absent("nothing-to-do", "There is nothing to plan: everything in the spec is ticked off.", {
      next: [step("status")],
    });
  }
  const draft = await draftAtStart(reader, request, node, before);
  if (!draft || request.document === undefined) return ok({ node, earlier: before, text, draft });
  const versions = before ? await allTexts(reader, before, "plan") : [];
  const read = editDraft(draft, request.document, { versions, names: before?.fields.applied ?? {} });
  return read.ok ? ok({ node, earlier: before, text, draft: read.value.draft }) : read;
}

/** What has to be there before a stage can begin. */
const NEEDED: Readonly<Partial<Record<Stage, ArtifactKind>>> = {
  files: "capability-map",
  tasks: "spec",
  sequence: "draft",
  review: "draft",
  overview: "draft",
  approval: "draft",
};

function mayBeginAt(stage: Stage, earlier: Run | undefined): Result<void> {
  if (earlier?.machine.mode === "review") {
    return refused("gate", `${earlier.key} is a review of a plan: it has no stage ${stage} to continue from.`, {
      next: [step("plan.list"), step("plan.start", {}, "source")],
    });
  }
  const kind = NEEDED[stage] ?? "spec";
  if (earlier?.fields.current[kind] !== undefined) return ok(undefined);
  return refused("gate", `${earlier?.key ?? "No run"} has no ${kind} yet, and the stage ${stage} needs it.`, {
    next: [earlier ? step("plan.resume", { run: earlier.key }) : step("plan.start", {}, "source")],
  });
}

/** The run whose plan the node belongs to: it knows which words of a spec ask for what. */
async function madeBy(reader: Reader, node: Node | undefined): Promise<Run | undefined> {
  if (!node) return undefined;
  const runs = await listRuns(reader);
  return runs.find((run) => Object.values(run.fields.applied).includes(node.id));
}

async function specOf(
  reader: Reader,
  { from, note }: Request,
  node: Node | undefined,
  earlier: Run | undefined,
): Promise<string | undefined> {
  if (from !== null || !node) return earlier ? currentText(reader, earlier, "spec") : undefined;
  return [`# ${node.title}`, node.body, note ?? ""].filter((part) => part !== "").join("\n\n");
}

/** What is there already: a plan to revise or to review. */
async function draftAtStart(
  reader: Reader,
  { mode, from }: Request,
  node: Node | undefined,
  earlier: Run | undefined,
): Promise<PlanDraft | undefined> {
  if (from !== null || (mode !== "revise" && mode !== "review")) return undefined;
  const applied = node ? {} : (earlier?.fields.applied ?? {});
  const scope = await nodesInScope(reader, { node: node?.nr ?? null, applied });
  const draft = draftOf(await toPlanNodes(reader, scope));
  const written = earlier && (await draftIn(reader, earlier));
  if (!written || !earlier) return draft;
  // A run whose plan is not in the graph, or no longer: its draft is all there is to revise.
  if (!node && scope.length === 0) return written;
  const { initiatives: _, features: __, stories: ___, tasks: ____, ...about } = written;
  return { ...withDraftDetails(draft, renamed(written, earlier.fields.applied)), ...(node ? {} : about) };
}

/** What is there once a stage can begin. */
const MADE_BEFORE: readonly (readonly [Stage, readonly ArtifactKind[]])[] = [
  ["clarify", ["spec", "research"]],
  ["capabilities", ["clarification"]],
  ["files", ["capability-map"]],
  ["tasks", ["file-map"]],
  ["sequence", ["draft"]],
];

function takenOver(earlier: Run | undefined, from: Stage | null): PlanningRun["current"] {
  if (!earlier || from === null) return {};
  const reached = MADE_BEFORE.filter(([stage]) => STAGES.indexOf(stage) <= STAGES.indexOf(from));
  const kinds = new Set<string>(reached.flatMap(([, made]) => made));
  return Object.fromEntries(Object.entries(earlier.fields.current).filter(([kind]) => kinds.has(kind)));
}

const TITLE_LENGTH = 80;

function titleOf(text: string, node: Node | undefined): string {
  if (node) return `${node.id} ${node.title}`.slice(0, TITLE_LENGTH);
  const { sections, statements } = parseSpec(text);
  const first = sections.find(({ level }) => level > 0)?.title ?? statements[0]?.text ?? text.trim();
  const title = spaced(first).replace(/[`*_]/g, "").trim();
  return title.length > TITLE_LENGTH ? `${title.slice(0, TITLE_LENGTH - 1)}…` : title;
}

const EXPANDABLE = new Set(["initiative", "feature", "story"]);

/** Which nodes a run can be about. What cannot be planned is refused with what to plan instead. */
async function requirePlannable(
  reader: Reader,
  node: Node,
  { mode, addsOnly }: Pick<Intake, "mode" | "addsOnly">,
): Promise<Result<void>> {
  const { id, tier, kind, inbox, shelved } = node;
  if (isSettledNode(node)) {
    return refused("settled", `${id} is finished, so it cannot be planned again.`, {
      next: [step("show", { reference: id })],
    });
  }
  // A review only reads, so it takes everything.
  if (mode === "review") return ok(undefined);
  const anew = step("plan.start", {}, "source");
  if (tier === "mission") {
    const message = `${id} is the mission. Plan an idea or a spec, or name an initiative or a feature.`;
    return refused("tier", message, { next: [anew, step("status")] });
  }
  if (inbox) {
    const message = `${id} only holds ideas, and nothing in it runs. Plan one of its ideas.`;
    return refused("inbox", message, { next: [step("list", { in: id }), anew] });
  }
  if (kind === "land") {
    const feature = node.feature === null ? undefined : await reader.node(node.feature);
    return refused("land-task", `${id} merges its feature and has no plan of its own. Plan the feature.`, {
      next: feature ? [step("plan.start", { source: feature.id })] : [step("status")],
    });
  }
  if (EXPANDABLE.has(tier) || (mode !== "expand" && addsOnly !== true)) return ok(undefined);
  return shelved
    ? refused("tier", `${id} is an idea in the inbox. Plan it into features.`, {
        next: [step("plan.start", { source: id })],
      })
    : refused("tier", `${id} is ${withArticle(tier)}. Only initiatives, features and stories can be expanded.`, {
        next: [step("expand", {}, "reference")],
      });
}
