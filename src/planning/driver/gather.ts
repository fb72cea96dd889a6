// Gathers what a role has to know: from the run's artifacts, the records, lessons of earlier work, and the
// surroundings. Only the latest round's feedback is given.

import type { Reader } from "../../store/store.js";
import { callsOf } from "../calls/calls.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import type { Clarification } from "../contracts/clarification.js";
import type { FileMap } from "../contracts/file-map.js";
import { parseDraft } from "../contracts/plan-draft.js";
import type { Research } from "../contracts/research.js";
import { answersIn, latestAnswers } from "../dialogue/responses.js";
import { type RoleAsk, roundNumber, type Source } from "../machine/machine.js";
import type { Project } from "../project.js";
import type { Brief, Feedback } from "../roles/brief.js";
import { partsToJudge } from "../roles/fit.js";
import { parseSpec, splitSpec } from "../spec/parse.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { currentText } from "./artifacts.js";
import type { Knowledge } from "./knowledge.js";
import type { Run } from "./runs.js";

export async function gatherBrief(
  reader: Reader,
  run: Run,
  asked: Omit<RoleAsk, "for">,
  feedback: readonly Source[],
  knowledge: Knowledge,
  around: Project,
): Promise<Brief> {
  const { machine, intake } = run;
  const { role, stage, revise, part } = asked;
  const read = async <T>(kind: Parameters<typeof currentText>[2]): Promise<T | null> => {
    const text = await currentText(reader, run, kind);
    return text === undefined ? null : (JSON.parse(text) as T);
  };
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
