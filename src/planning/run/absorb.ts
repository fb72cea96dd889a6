// What a role's answer comes to: artifacts to keep, records to make, and the outcome that the reducer needs.
// Reviewers' claims about code are looked up here, and their verdicts computed.

import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import type { Clarification, Critique, Overview, Research } from "../contracts/answers.js";
import { answeredFindings, countSeverities, idsWith, missingAnswers } from "../contracts/findings.js";
import { behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import { type PlanDraft, type PlanRevision, parseDraft } from "../contracts/plan-draft.js";
import {
  joinClarifications,
  joinCritiques,
  joinResearch,
  mergeDrafts,
  mergeFiles,
  mergeMaps,
  reviseDraft,
} from "../draft/merge.js";
import { type Event, overviewNumber, type RoleAsk, roundNumber } from "../machine/machine.js";
import { checkEvidence, criticVerdict, highIds, overviewVerdict, type Sighting } from "../machine/verdict.js";
import type { Project } from "../project.js";
import { judgeReply } from "../roles/contract.js";
import { callsOf } from "./calls.js";
import { feedbackOf } from "./gather-brief.js";
import type { CallSummary } from "./services.js";
import { currentJson, currentText, jsonArtifact, type Run, type RunArtifact } from "./stored-run.js";

type Outcome = Omit<Extract<Event, { type: "replied" }>, "type" | "call">;

interface Absorbed {
  readonly outcome: Outcome;
  readonly artifacts: readonly RunArtifact[];
  readonly assumptions: readonly { readonly text: string; readonly because: string }[];
  readonly summary: CallSummary;
}

type Absorption =
  | { readonly ok: true; readonly value: Absorbed }
  | { readonly ok: false; readonly problems: readonly string[] };

const absorbed = (
  summary: CallSummary,
  artifacts: readonly RunArtifact[],
  outcome: Outcome = {},
  assumptions: Absorbed["assumptions"] = [],
): Absorption => ({ ok: true, value: { summary, artifacts, outcome, assumptions } });

export async function absorb(
  reader: Reader,
  run: Run,
  asked: Omit<RoleAsk, "for">,
  said: unknown,
  project: Project,
  /** How many parts the question has. */
  parts = 1,
): Promise<Absorption> {
  const isPart = asked.role !== "author" && asked.part + 1 < parts;
  const value = isPart ? said : await joinParts(reader, run.key, asked, said);
  const whole = await absorbWhole(reader, run, asked, value, project);
  // Kept with its call, and joined when the last part is there.
  return isPart && whole.ok ? absorbed(whole.value.summary, [], { more: true }) : whole;
}

async function absorbWhole(
  reader: Reader,
  run: Run,
  asked: Omit<RoleAsk, "for">,
  value: unknown,
  project: Project,
): Promise<Absorption> {
  switch (asked.role) {
    case "researcher": {
      const { findings } = value as Research;
      return absorbed({ role: "researcher", findings: findings.length }, [jsonArtifact("research", value)]);
    }
    case "clarifier": {
      const { intent, questions, assumptions } = value as Clarification;
      const summary = {
        role: "clarifier",
        intent,
        questions: questions.length,
        assumptions: assumptions.length,
      } as const;
      const outcome = { questions: questions.map(({ id }) => id) };
      return absorbed(summary, [jsonArtifact("clarification", value)], outcome, assumptions);
    }
    case "author":
      return absorbAuthor(reader, run, asked, value);
    case "critic":
    case "overviewer":
    default:
      return absorbReview(run, value as Critique | Overview, project);
  }
}

async function absorbAuthor(
  reader: Reader,
  run: Run,
  asked: Omit<RoleAsk, "for">,
  value: unknown,
): Promise<Absorption> {
  /** Of the parts before this one. */
  const before = async <T>(kind: "capability-map" | "file-map"): Promise<T[]> => {
    const found = asked.part > 0 ? await currentJson<T>(reader, run, kind) : undefined;
    return found === undefined ? [] : [found];
  };
  if (asked.stage === "capabilities") {
    const map = mergeMaps([...(await before<CapabilityMap>("capability-map")), value as CapabilityMap]);
    const counts = { domains: map.domains.length, behaviours: behavioursOf(map).length, leftOut: map.leftOut.length };
    return absorbed({ role: "author", stage: "capabilities", ...counts }, [jsonArtifact("capability-map", map)]);
  }
  if (asked.stage === "files") {
    const files = mergeFiles([...(await before<FileMap>("file-map")), value as FileMap]);
    const paths = new Set(files.behaviours.flatMap((entry) => entry.files.map(({ path }) => path)));
    return absorbed({ role: "author", stage: "files", files: paths.size, behaviours: files.behaviours.length }, [
      jsonArtifact("file-map", files),
    ]);
  }
  const written = await currentText(reader, run, "draft");
  const draft = written === undefined ? undefined : parseDraft(written);
  if (!asked.revise) {
    const earlier = draft && asked.part > 0 ? [draft] : [];
    return authored(mergeDrafts([...earlier, value as PlanDraft]), false);
  }
  const base = draft ?? EMPTY;
  const revised = reviseDraft(base, value as PlanRevision);
  if (!revised.ok) return { ok: false, problems: [revised.error.message] };
  return absorbRevision(reader, run, { base, draft: revised.value, responses: (value as PlanRevision).responses });
}

/** A revision has to answer the grave findings; whether it says anything new is seen here. */
async function absorbRevision(
  reader: Reader,
  run: Run,
  { base, draft, responses }: { base: PlanDraft; draft: PlanDraft; responses: PlanRevision["responses"] },
): Promise<Absorption> {
  const given = await feedbackOf(reader, run, run.machine.feedback);
  const missing = missingAnswers(given, responses);
  if (missing.length > 0) return { ok: false, problems: missing };
  const answers = answeredFindings(given, responses);
  const written = authored(draft, true, responses, JSON.stringify(draft) === JSON.stringify(base));
  if (!written.ok) return written;
  const { artifacts } = written.value;
  const earlier = await reader.items("artifact", { owner: run.key, state: "draft" });
  const hashes = new Set(earlier.map(({ fields }) => fields.hash));
  return {
    ok: true,
    value: {
      ...written.value,
      artifacts: answers.length === 0 ? artifacts : [...artifacts, jsonArtifact("responses", { answers })],
      outcome: {
        declined: idsWith(answers, "declined"),
        undecided: idsWith(answers, "needs-decision"),
        repeated: artifacts.some(({ kind, text }) => kind === "draft" && hashes.has(sha256(text))),
      },
    },
  };
}

const EMPTY: PlanDraft = {
  title: "Plan",
  overview: "",
  goals: [],
  nonGoals: [],
  decisions: [],
  risks: [],
  rollback: "",
  initiatives: [],
  features: [],
  stories: [],
  tasks: [],
};

const authored = (
  draft: PlanDraft,
  revised: boolean,
  responses: PlanRevision["responses"] = [],
  unchanged = false,
): Absorption =>
  absorbed(
    {
      role: "author",
      stage: "tasks",
      revised,
      initiatives: draft.initiatives.length,
      features: draft.features.length,
      stories: draft.stories.length,
      tasks: draft.tasks.length,
      decisions: draft.decisions.length,
      fixed: responses.filter(({ action }) => action === "fixed").length,
      declined: responses.filter(({ action }) => action === "declined").map(({ finding, note }) => ({ finding, note })),
      unchanged,
    },
    [jsonArtifact("draft", draft)],
  );

/** Looks up every file that a review cites, once. */
async function lookUp(files: Iterable<string>, project: Project): Promise<(file: string, line: number) => Sighting> {
  const lines = new Map<string, number | undefined>();
  for (const file of files) if (!lines.has(file)) lines.set(file, await project.lines(file));
  return (file, line) => {
    const count = lines.get(file);
    return count === undefined ? "no-file" : line > count ? "no-line" : "ok";
  };
}

async function absorbReview({ machine }: Run, review: Critique | Overview, project: Project): Promise<Absorption> {
  const { findings, questions } = review;
  const cited = findings.flatMap(({ evidence }) => evidence.map(({ file }) => file));
  const against = checkEvidence(findings, await lookUp(cited, project));
  const figures = { severities: countSeverities(findings), questions: questions.length, against: against.length };
  if (!("ratings" in review)) {
    const verdict = overviewVerdict(review, machine.overviews);
    const kept = { source: "overviewer", round: overviewNumber(machine), verdict, ...review, against, note: "" };
    const assessment = firstSentence(review.assessment);
    const artifacts = [jsonArtifact("findings", kept)];
    return absorbed({ role: "overviewer", verdict, ...figures, assessment }, artifacts, {
      verdict,
      high: highIds(findings),
    });
  }
  const { ratings } = review;
  const verdict = criticVerdict(review, machine.round + 1);
  const kept = { source: "critic", round: roundNumber(machine), verdict, ...review, against, note: "" };
  const assessment = firstSentence(review.assessment.quality);
  // An area that is rated *fail* has to be gone after a revision, too.
  const areas = Object.entries(ratings).flatMap(([area, rating]) => (rating === "fail" ? [`rating ${area}`] : []));
  return absorbed({ role: "critic", verdict, ratings, ...figures, assessment }, [jsonArtifact("findings", kept)], {
    verdict,
    high: [...highIds(findings), ...areas],
  });
}

const firstSentence = (text: string): string =>
  /^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim().slice(0, 200);

/** The answer to this part, joined to those of the parts before. They are read back from the calls, so a run that was killed in between
 *  continues with the next. */
async function joinParts(reader: Reader, run: string, asked: Omit<RoleAsk, "for">, value: unknown): Promise<unknown> {
  if (asked.part === 0 || asked.role === "author" || asked.role === "overviewer") return value;
  const parts = [...(await earlierParts(reader, run, asked)), value];
  if (asked.role === "clarifier") return joinClarifications(parts as Clarification[]);
  return asked.role === "critic" ? joinCritiques(parts as Critique[]) : joinResearch(parts as Research[]);
}

async function earlierParts(reader: Reader, run: string, asked: Omit<RoleAsk, "for">): Promise<unknown[]> {
  const { role, stage, part } = asked;
  const answered = (await callsOf(reader, run)).filter(
    ({ fields }) => fields.role === role && fields.stage === stage && fields.state === "answered",
  );
  const values: unknown[] = [];
  for (const { fields } of answered.slice(-part)) {
    const text = fields.output === null ? undefined : await reader.document(fields.output);
    const judged = judgeReply(asked, JSON.parse(text ?? "null"));
    if (judged.ok) values.push(judged.value);
  }
  return values;
}
