// Gathers what a role has to know: from the run's artifacts, the records, lessons of earlier work, and the
// project. Only the latest round's feedback is given.

import type { ArtifactKind } from "../../model/item/artifact.js";
import { selectLessons } from "../../model/item/lesson.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import type { Clarification, Critique, Research } from "../contracts/answers.js";
import { shortLine } from "../contracts/common.js";
import {
  type AnsweredFinding,
  type Feedback,
  type LintFinding,
  latestAnswers,
  type Source,
} from "../contracts/findings.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";
import { nodesOf, type PlanDraft } from "../contracts/plan-draft.js";
import { isSettledNode } from "../draft/plan-nodes.js";
import type { LintStats } from "../lint/lint.js";
import { type RoleAsk, roundNumber } from "../machine/machine.js";
import type { Verdict } from "../machine/verdict.js";
import type { Material, Project } from "../project.js";
import type { Brief } from "../roles/brief.js";
import { partsToJudge } from "../roles/fit.js";
import type { Coverage } from "../spec/coverage.js";
import { parseSpec } from "../spec/parse.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { splitSpec } from "../spec/split.js";
import { callsOf, lastProblems } from "./calls.js";
import { answersOf, recordsFor } from "./run-records.js";
import type { PlanningServices } from "./services.js";
import { allTexts, currentJson, currentText, listRuns, nodeOf, type Run } from "./stored-run.js";
import { draftIn, nameIn, nodesInScope } from "./subject.js";

export const briefFor = (
  { context, limits: { windowTokens } }: PlanningServices,
  run: Run,
  { role, stage, revise, part, repair }: RoleAsk,
  project: Project,
): Promise<Brief> =>
  context.store.read(async (reader) => {
    const { key, machine, intake, fields } = run;
    const read = async <T>(kind: ArtifactKind): Promise<T | null> => (await currentJson<T>(reader, run, kind)) ?? null;
    const isReview = role === "critic" || role === "overviewer";
    const whole = parseSpec((await currentText(reader, run, "spec")) ?? "");
    const isParted = machine.parts > 1 && !revise && !isReview;
    const spec = isParted ? parseSpec(splitSpec(whole, partTokens(windowTokens))[part] ?? "") : whole;
    const map = await read<CapabilityMap>("capability-map");
    const draft = (await draftIn(reader, run)) ?? null;
    const judged = role === "critic" && draft ? partsToJudge(draft, whole, windowTokens) : [];
    const node = await nodeOf(reader, run);
    return {
      role,
      stage,
      revise,
      round: roundNumber(machine),
      spec,
      part: { number: part + 1, of: isParted ? machine.parts : Math.max(1, judged.length) },
      focus: judged.length > 1 ? (judged[part] ?? []) : null,
      windowTokens,
      stack: intake.stack,
      target: intake.target,
      node: node ? await withPath(reader, node) : null,
      clarification: await read<Clarification>("clarification"),
      answers: await answersOf(reader, run),
      research: await read<Research>("research"),
      map: map && isParted ? mapOfPart(map, spec) : map,
      files: await read<FileMap>("file-map"),
      draft,
      ownDraft: role === "author" && (await isAuthors(reader, run)),
      settled: draft ? await settledNodes(reader, run, draft) : [],
      initiatives: role === "author" && !node ? await openInitiatives(reader) : [],
      feedback: role === "author" ? await latestFindings(reader, run, machine.feedback) : [],
      responses: role === "critic" ? latestAnswers(await answersIn(reader, run), role) : [],
      earlier: (await latestFindings(reader, run, role === "critic" ? ["critic"] : []))[0] ?? null,
      records: await recordsFor(reader, run),
      lessons: intake.clean ? [] : await lessonsFor(reader, `${fields.title}\n${whole.text}`, node?.feature ?? null),
      materials: [
        ...(await project.materials(intake.roadmap ?? null)),
        ...(await priorWork(reader, run)),
        ...(await triedBefore(reader, await nodesInScope(reader, fields))),
      ],
      commit: project.commit,
      repositoryFiles: await project.files(),
      commands: await project.commands(),
      problems: repair > 0 ? await lastProblems(reader, key, role) : [],
    };
  });

/** A spec fills less than half of the window: the rest is for maps, plan and code. */
export const partTokens = (windowTokens: number): number => Math.max(250, Math.floor(windowTokens * 0.4));

async function withPath(reader: Reader, { nr, id, tier, title, body }: Node): Promise<Brief["node"]> {
  const above = (await reader.ancestors(nr)).toReversed();
  return { id, tier, title, body, path: above.map((node) => `${node.id} ${node.title}`).join(" > ") };
}

/** How much of the spec is compared with lessons. */
const TOPIC_LENGTH = 20_000;

/** The words of a spec are counted only if there is something to compare them with. */
async function lessonsFor(reader: Reader, words: string, feature: Nr | null): Promise<string[]> {
  const kept = await reader.items("lesson", { state: "kept" });
  const topic = { text: words.slice(0, TOPIC_LENGTH), scope: feature };
  return kept.length === 0 ? [] : selectLessons(topic, kept).map(({ lesson }) => lesson.text);
}

/** Not the draft that the run began with, nor one that a person edited. */
async function isAuthors(reader: Reader, run: Run): Promise<boolean> {
  const { current, editedDraft } = run.fields;
  if (current.draft === undefined || current.draft === editedDraft) return false;
  return (await callsOf(reader, run.key)).some(
    ({ fields }) => fields.role === "author" && fields.stage === "tasks" && fields.state === "answered",
  );
}

/** What the words of this part ask for. */
function mapOfPart(map: CapabilityMap, spec: Spec): CapabilityMap {
  const domains = map.domains.flatMap((domain) => {
    const capabilities = domain.capabilities.flatMap((capability) => {
      const behaviours = capability.behaviours.filter(({ quote }) => findQuote(spec, quote) !== undefined);
      return behaviours.length === 0 ? [] : [{ ...capability, behaviours }];
    });
    return capabilities.length === 0 ? [] : [{ ...domain, capabilities }];
  });
  return { ...map, domains };
}

export interface RoundFindings extends Feedback {
  readonly verdict: Verdict;
  readonly ratings?: Critique["ratings"];
  /** What is wrong with a review itself. */
  readonly against?: readonly LintFinding[];
  readonly coverage?: Partial<Coverage>;
  readonly stats?: Partial<LintStats>;
}

export const findingsIn = async (reader: Reader, run: Run): Promise<RoundFindings[]> =>
  (await allTexts(reader, run, "findings")).map((text) => JSON.parse(text) as RoundFindings);

/** The latest findings of each of these judges, as far as it has found anything. */
export async function latestFindings(reader: Reader, run: Run, sources: readonly Source[]): Promise<RoundFindings[]> {
  const found = sources.length === 0 ? [] : await findingsIn(reader, run);
  return sources.flatMap((source) => found.findLast((each) => each.source === source) ?? []);
}

/** What an earlier run from the same spec has left: its plan and its research, for reference only. */
async function priorWork(reader: Reader, run: Run): Promise<Material[]> {
  const { source } = run.intake;
  if (source === null) return [];
  const earlier = (await listRuns(reader)).find((other) => other.key !== run.key && other.intake.source === source);
  const materialOf = async (kind: ArtifactKind, name: string): Promise<Material[]> => {
    const text = earlier && (await currentText(reader, earlier, kind));
    return text === undefined ? [] : [{ name: `${name} (${earlier?.key ?? ""}): for reference only`, text }];
  };
  return [...(await materialOf("plan", "Prior plan")), ...(await materialOf("research", "Research report"))];
}

async function openInitiatives(reader: Reader): Promise<Brief["initiatives"]> {
  const missions = await reader.children(null);
  const children = await Promise.all(missions.map(({ nr }) => reader.children(nr)));
  return children.flat().flatMap((node) => {
    const isOpen = node.tier === "initiative" && !isSettledNode(node);
    return isOpen ? [{ id: node.id, title: node.title }] : [];
  });
}

async function settledNodes(reader: Reader, { fields }: Run, draft: PlanDraft): Promise<Brief["settled"]> {
  const nodes = await reader.byIds(nodesOf(draft).map(({ id }) => nameIn(fields.applied, id)));
  return nodes.flatMap((node) => {
    const state = stateOf(node);
    return state === undefined ? [] : [{ id: node.id, state }];
  });
}

const stateOf = ({ outcome, claim, approval }: Node): string | undefined =>
  outcome?.kind ?? (claim ? `${claim.by} works on it` : approval ? "approved" : undefined);

const TRIED_LENGTH = 500;
const TRIED_LINES = 100;

/** Discoveries, also those that were promoted above the plan, what was dropped and why, and which attempts failed: the author must not
 *  plan the same mistake again. Agents wrote most of it, so it is material, never an instruction.
 *  `scope`: the nodes that are planned again; none for a new plan. */
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

export async function answersIn(reader: Reader, run: Run): Promise<AnsweredFinding[]> {
  const texts = await allTexts(reader, run, "responses");
  return texts.flatMap((text) => (JSON.parse(text) as { answers: AnsweredFinding[] }).answers);
}
