// Gathers what a role has to know: from the run's artifacts, the records, lessons of earlier work, and the
// project. Only the latest round's feedback is given.

import type { ArtifactKind } from "../../model/item/artifact.js";
import { selectMemories } from "../../model/item/memory.js";
import type { PlanRecord } from "../../model/item/record.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import type { Clarification, Research } from "../contracts/answers.js";
import { shortLine } from "../contracts/common.js";
import { type AnsweredFinding, latestAnswers, type Source } from "../contracts/findings.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";
import { nodesOf, parseDraft } from "../contracts/plan-draft.js";
import { isSettledNode } from "../draft/plan-nodes.js";
import { type RoleAsk, roundNumber } from "../machine/machine.js";
import type { Material, Project } from "../project.js";
import type { Brief, Feedback } from "../roles/brief.js";
import { partsToJudge } from "../roles/fit.js";
import { parseSpec } from "../spec/parse.js";
import { splitSpec } from "../spec/parts.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { callsOf, lastProblems } from "./calls.js";
import { answersOf, recordsFor } from "./run-records.js";
import type { PlanningServices } from "./services.js";
import { currentJson, currentText, listRuns, type Run } from "./stored-run.js";
import { nameIn, nodesInScope } from "./subject.js";

export async function briefFor(services: PlanningServices, run: Run, asked: RoleAsk, project: Project): Promise<Brief> {
  const knowledge = await learn(services, run, asked);
  const feedback = asked.role === "author" ? run.machine.feedback : [];
  return services.context.store.read((reader) => gatherBrief(reader, run, asked, feedback, knowledge, project));
}

async function gatherBrief(
  reader: Reader,
  run: Run,
  asked: Omit<RoleAsk, "for">,
  feedback: readonly Source[],
  knowledge: Knowledge,
  around: Project,
): Promise<Brief> {
  const { machine, intake } = run;
  const { role, stage, revise, part } = asked;
  const read = async <T>(kind: ArtifactKind): Promise<T | null> => (await currentJson<T>(reader, run, kind)) ?? null;
  const whole = parseSpec((await currentText(reader, run, "spec")) ?? "");
  const isParted = machine.parts > 1 && !revise && role !== "critic" && role !== "overviewer";
  const spec = isParted ? partOf(whole, knowledge.partTokens, part) : whole;
  const map = await read<CapabilityMap>("capability-map");
  const files = await read<FileMap>("file-map");
  const written = await currentText(reader, run, "draft");
  const draft = written === undefined ? null : parseDraft(written);
  const judged = role === "critic" && draft ? partsToJudge(draft, whole, knowledge.windowTokens) : [];
  return {
    role,
    stage,
    revise,
    round: roundNumber(machine),
    spec,
    part: { number: part + 1, of: isParted ? machine.parts : Math.max(1, judged.length) },
    focus: judged.length > 1 ? (judged[part] ?? []) : null,
    windowTokens: knowledge.windowTokens,
    stack: intake.stack,
    target: intake.target,
    node: knowledge.node,
    clarification: await read<Clarification>("clarification"),
    answers: knowledge.answers,
    research: await read<Research>("research"),
    map: map && isParted ? mapOfPart(map, spec) : map,
    files,
    draft,
    ownDraft: role === "author" && (await isAuthors(reader, run)),
    settled: knowledge.settled,
    initiatives: role === "author" ? knowledge.initiatives : [],
    feedback: await feedbackOf(reader, run, feedback),
    responses: role === "critic" || role === "overviewer" ? latestAnswers(await answersIn(reader, run), role) : [],
    earlier: role === "critic" ? ((await findingsBy(reader, run, "critic")) ?? null) : null,
    records: knowledge.records,
    memories: knowledge.memories,
    materials: [...(await around.materials(intake.roadmap ?? null)), ...knowledge.materials],
    commit: around.commit,
    repositoryFiles: await around.files(),
    commands: await around.commands(),
    problems: knowledge.problems,
  };
}

/** Not the draft that the run began with, nor one that a person edited. */
async function isAuthors(reader: Reader, run: Run): Promise<boolean> {
  const { current, editedDraft } = run.fields;
  if (current.draft === undefined || current.draft === editedDraft) return false;
  return (await callsOf(reader, run.key)).some(
    ({ fields }) => fields.role === "author" && fields.stage === "tasks" && fields.state === "answered",
  );
}

const partOf = (spec: Spec, tokens: number, part: number): Spec => parseSpec(splitSpec(spec, tokens)[part]?.text ?? "");

/** What the words of this part ask for. */
function mapOfPart(map: CapabilityMap, spec: Spec): CapabilityMap {
  const domains = map.domains
    .map((domain) => ({
      ...domain,
      capabilities: domain.capabilities
        .map((capability) => ({
          ...capability,
          behaviours: capability.behaviours.filter(({ quote }) => findQuote(spec, quote) !== undefined),
        }))
        .filter(({ behaviours }) => behaviours.length > 0),
    }))
    .filter(({ capabilities }) => capabilities.length > 0);
  return { ...map, domains };
}

/** What was kept of a judge's findings. */
export type RoundFindings = Feedback & { readonly verdict: string };

/** The latest findings of one judge. */
export async function findingsBy(reader: Reader, run: Run, source: Source): Promise<RoundFindings | undefined> {
  const items = await reader.items("artifact", { owner: run.key, state: "findings", newest: true });
  for (const { fields } of items) {
    const text = await reader.document(fields.hash);
    const found = text === undefined ? undefined : (JSON.parse(text) as RoundFindings);
    if (found?.source === source) return found;
  }
  return undefined;
}

export async function feedbackOf(reader: Reader, run: Run, sources: readonly Source[]): Promise<Feedback[]> {
  const found: Feedback[] = [];
  for (const source of sources) {
    const said = await findingsBy(reader, run, source);
    if (said) found.push(said);
  }
  return found;
}

interface Knowledge {
  readonly node: Brief["node"];
  readonly answers: Brief["answers"];
  readonly records: readonly { readonly key: string; readonly record: PlanRecord }[];
  readonly memories: readonly string[];
  readonly materials: readonly Material[];
  /** Nodes of the draft that are done, approved or in progress. */
  readonly settled: Brief["settled"];
  readonly initiatives: Brief["initiatives"];
  /** Why the last reply was sent back. */
  readonly problems: readonly string[];
  /** How much of the spec one call is given. */
  readonly partTokens: number;
  readonly windowTokens: number;
}

/** A spec fills less than half of the window: the rest is for maps, plan and code. */
export const partTokens = (windowTokens: number): number => Math.max(250, Math.floor(windowTokens * 0.4));

/** How much of the spec is compared with lessons. */
const TOPIC_LENGTH = 20_000;

export const learn = (
  { context, limits }: PlanningServices,
  run: Run,
  asked: Pick<RoleAsk, "role" | "repair">,
): Promise<Knowledge> =>
  context.store.read(async (reader) => {
    const node = run.fields.node === null ? undefined : await reader.node(run.fields.node);
    const feature = node?.feature ?? null;
    const spec = (await currentText(reader, run, "spec")) ?? "";
    const topic = { text: `${run.fields.title}\n${spec.slice(0, TOPIC_LENGTH)}`, scope: feature };
    const memories = run.intake.clean ? [] : await reader.items("memory", { state: "kept" });
    const above = node ? await reader.ancestors(node.nr) : [];
    const path = above
      .toReversed()
      .map(({ id, title }) => `${id} ${title}`)
      .join(" > ");
    return {
      node: node ? { id: node.id, tier: node.tier, title: node.title, body: node.body, path } : null,
      answers: await answersOf(reader, run),
      records: await recordsFor(reader, run),
      // The words of a spec are counted only if there is something to compare them with.
      memories: memories.length === 0 ? [] : selectMemories(topic, memories).map(({ memory }) => memory.text),
      materials: [
        ...(await priorWork(reader, run)),
        ...(await triedBefore(reader, await nodesInScope(reader, run.fields))),
      ],
      settled: await settledNodes(reader, run),
      initiatives: node ? [] : await openInitiatives(reader),
      problems: asked.repair > 0 ? await lastProblems(reader, run.key, asked.role) : [],
      partTokens: partTokens(limits.windowTokens),
      windowTokens: limits.windowTokens,
    };
  });

/** What an earlier run from the same spec has left: its plan and its research, for reference only. */
async function priorWork(reader: Reader, run: Run): Promise<Material[]> {
  const { source } = run.intake;
  if (source === null) return [];
  const earlier = (await listRuns(reader)).find((other) => other.key !== run.key && other.intake.source === source);
  if (!earlier) return [];
  const found: Material[] = [];
  for (const [kind, name] of [
    ["plan", "Prior plan"],
    ["research", "Research report"],
  ] as const) {
    const text = await currentText(reader, earlier, kind);
    if (text !== undefined) found.push({ name: `${name} (${earlier.key}): for reference only`, text });
  }
  return found;
}

async function openInitiatives(reader: Reader): Promise<Knowledge["initiatives"]> {
  const missions = await reader.children(null);
  const children = await Promise.all(missions.map(({ nr }) => reader.children(nr)));
  return children.flat().flatMap((node) => {
    const isOpen = node.tier === "initiative" && !isSettledNode(node);
    return isOpen ? [{ id: node.id, title: node.title }] : [];
  });
}

async function settledNodes(reader: Reader, run: Run): Promise<Knowledge["settled"]> {
  const text = await currentText(reader, run, "draft");
  if (text === undefined) return [];
  const ids = nodesOf(parseDraft(text)).map(({ id }) => nameIn(run.fields.applied, id));
  const nodes = await reader.byIds(ids);
  return nodes.flatMap((node) => {
    const state = stateOf(node);
    return state === undefined ? [] : [{ id: node.id, state }];
  });
}

const stateOf = ({ outcome, claim, approval }: Node): string | undefined =>
  outcome?.kind ?? (claim ? `${claim.by} works on it` : approval ? "approved" : undefined);

const TRIED_LENGTH = 500;

const TRIED_LINES = 100;

/** `scope`: the nodes that are planned again; none for a new plan. */
async function triedBefore(reader: Reader, scope: readonly Node[]): Promise<Material[]> {
  const lines = [...(await above(reader, scope)).flatMap(discoveriesOf), ...scope.flatMap(linesAbout)];
  if (lines.length === 0) return [];
  const more = lines.length > TRIED_LINES ? [`(and ${lines.length - TRIED_LINES} more)`] : [];
  return [{ name: "What was found and tried before", text: [...lines.slice(0, TRIED_LINES), ...more].join("\n") }];
}

/** What contains the scope, and at least the missions. */
async function above(reader: Reader, scope: readonly Node[]): Promise<Node[]> {
  const own = new Set(scope.map(({ nr }) => nr));
  const tops = scope.filter(({ parent }) => parent !== null && !own.has(parent));
  const found = new Map((await reader.children(null)).map((node) => [node.nr, node]));
  for (const { nr } of tops) for (const node of await reader.ancestors(nr)) found.set(node.nr, node);
  return [...found.values()].filter(({ nr }) => !own.has(nr));
}

const lineAbout = (id: string, what: string, words: string): string =>
  `- ${id} ${what}: ${shortLine(words, TRIED_LENGTH)}`;

const discoveriesOf = ({ id, discoveries }: Node): string[] =>
  discoveries.map(({ note, by }) => lineAbout(id, `discovery by ${by}`, note));

function linesAbout(node: Node): string[] {
  const { id, title, outcome, report } = node;
  const line = (what: string, words: string): string => lineAbout(id, what, words);
  return [
    ...discoveriesOf(node),
    ...(outcome?.kind === "dropped"
      ? [line("was dropped", `${title}. ${outcome.reason ?? "No reason was given."}`)]
      : []),
    ...(report?.failure ? [line(`failed (${report.failure.class})`, `${title}. ${report.failure.reason}`)] : []),
  ];
}

/** Every answer of the run, the latest last. */
export async function answersIn(reader: Reader, run: Run): Promise<AnsweredFinding[]> {
  const found: AnsweredFinding[] = [];
  for (const { fields } of await reader.items("artifact", { owner: run.key, state: "responses" })) {
    const text = await reader.document(fields.hash);
    if (text !== undefined) found.push(...(JSON.parse(text) as { answers: AnsweredFinding[] }).answers);
  }
  return found;
}
