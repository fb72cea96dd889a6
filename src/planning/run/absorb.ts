// What a role's answer comes to: artifacts to keep, records to make, and the outcome that the reducer needs.
// Reviewers' claims about code are looked up here, and their verdicts computed.

import { idKey } from "../../model/node/ids.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import type { Clarification, Critique, Overview, Research } from "../contracts/answers.js";
import { isSame } from "../contracts/common.js";
import { answeredFindings, countSeverities, GRAVE, idsWith } from "../contracts/findings.js";
import { behavioursOf, type CapabilityMap, type FileMap } from "../contracts/maps.js";
import { countNodes, emptyDraft, type PlanDraft, type PlanRevision } from "../contracts/plan-draft.js";
import {
  joinClarifications,
  joinCritiques,
  joinResearch,
  mergeDrafts,
  mergeFiles,
  mergeMaps,
  reviseDraft,
} from "../draft/merge.js";
import { withSources } from "../draft/sources.js";
import { type Event, overviewNumber, type Role, type RoleAsk, roundNumber } from "../machine/machine.js";
import { checkEvidence, criticVerdict, highIds, overviewVerdict, type Sighting } from "../machine/verdict.js";
import type { Project } from "../project.js";
import type { Brief } from "../roles/brief.js";
import { type JudgedReply, judgeReply } from "../roles/contract.js";
import { callsOf } from "./calls.js";
import type { CallSummary } from "./services.js";
import { currentJson, jsonArtifact, type Run, type RunArtifact } from "./stored-run.js";
import { draftIn } from "./subject.js";

type Outcome = Omit<Extract<Event, { type: "replied" }>, "type" | "call">;

interface AnswerEffect {
  readonly outcome: Outcome;
  readonly artifacts: readonly RunArtifact[];
  readonly assumptions: readonly { readonly text: string; readonly because: string }[];
  readonly summary: CallSummary;
}

type JudgedEffect = JudgedReply<AnswerEffect>;

const absorbed = (
  summary: CallSummary,
  artifacts: readonly RunArtifact[],
  outcome: Outcome = {},
  assumptions: AnswerEffect["assumptions"] = [],
): JudgedEffect => ({ ok: true, value: { summary, artifacts, outcome, assumptions } });

export async function absorb(
  reader: Reader,
  run: Run,
  asked: RoleAsk,
  said: unknown,
  brief: Pick<Brief, "part" | "feedback" | "map" | "spec">,
  project: Project,
): Promise<JudgedEffect> {
  const isPart = asked.role !== "author" && asked.part + 1 < brief.part.of;
  const value = isPart ? said : await joinParts(reader, run.key, asked, said);
  const whole =
    asked.role === "author"
      ? await absorbAuthor(reader, run, asked, value, brief)
      : await absorbOther(run, asked.role, value, project);
  // Kept with its call, and joined when the last part is there.
  return isPart && whole.ok ? absorbed(whole.value.summary, [], { more: true }) : whole;
}

async function absorbOther(
  run: Run,
  role: Exclude<Role, "author">,
  value: unknown,
  project: Project,
): Promise<JudgedEffect> {
  switch (role) {
    case "researcher": {
      const { findings } = value as Research;
      return absorbed({ role: "researcher", findings: findings.length }, [jsonArtifact("research", value)]);
    }
    case "clarifier": {
      const { intent, questions, assumptions } = value as Clarification;
      const counts = { questions: questions.length, assumptions: assumptions.length };
      const outcome = { questions: questions.map(({ id }) => id) };
      const artifacts = [jsonArtifact("clarification", value)];
      return absorbed({ role: "clarifier", intent, ...counts }, artifacts, outcome, assumptions);
    }
    case "critic":
    case "overviewer":
    default:
      return absorbReview(run, value as Critique | Overview, project);
  }
}

async function absorbAuthor(
  reader: Reader,
  run: Run,
  asked: RoleAsk,
  value: unknown,
  brief: Pick<Brief, "feedback" | "map" | "spec">,
): Promise<JudgedEffect> {
  const withEarlierParts = async <T>(kind: "capability-map" | "file-map"): Promise<T[]> => {
    const found = asked.part > 0 ? await currentJson<T>(reader, run, kind) : undefined;
    return found === undefined ? [value as T] : [found, value as T];
  };
  if (asked.stage === "capabilities") {
    const map = mergeMaps(await withEarlierParts<CapabilityMap>("capability-map"));
    const counts = { domains: map.domains.length, behaviours: behavioursOf(map).length, leftOut: map.leftOut.length };
    return absorbed({ role: "author", stage: "capabilities", ...counts }, [jsonArtifact("capability-map", map)]);
  }
  if (asked.stage === "files") {
    const files = mergeFiles(await withEarlierParts<FileMap>("file-map"));
    const paths = new Set(files.behaviours.flatMap((entry) => entry.files.map(({ path }) => path)));
    return absorbed({ role: "author", stage: "files", files: paths.size, behaviours: files.behaviours.length }, [
      jsonArtifact("file-map", files),
    ]);
  }
  const draft = await draftIn(reader, run);
  if (asked.revise) return absorbRevision(reader, run, draft ?? emptyDraft(), value as PlanRevision, brief);
  const own = withSources(value as PlanDraft, brief.map, brief.spec);
  const written = mergeDrafts([...(draft && asked.part > 0 ? [draft] : []), own]);
  const figures = { revised: false, ...countNodes(written), fixed: 0, declined: [], unchanged: false };
  return absorbed({ role: "author", stage: "tasks", ...figures }, [jsonArtifact("draft", written)]);
}

/** Whether a revision says anything new is seen here. */
async function absorbRevision(
  reader: Reader,
  run: Run,
  base: PlanDraft,
  revision: PlanRevision,
  { feedback, map, spec }: Pick<Brief, "feedback" | "map" | "spec">,
): Promise<JudgedEffect> {
  const revised = reviseDraft(base, revision);
  if (!revised.ok) return { ok: false, problems: [revised.error.message] };
  const draft = withSources(withQuotesKept(revised.value, base), map, spec);
  const { responses } = revision;
  const answers = answeredFindings(feedback, responses);
  const artifact = jsonArtifact("draft", draft);
  const earlier = await reader.items("artifact", { owner: run.key, state: "draft" });
  const outcome = {
    declined: idsWith(answers, "declined"),
    undecided: idsWith(answers, "needs-decision"),
    repeated: earlier.some(({ fields }) => fields.hash === sha256(artifact.text)),
  };
  const declined = responses.filter(({ action }) => action === "declined");
  const figures = {
    revised: true,
    ...countNodes(draft),
    fixed: responses.filter(({ action }) => action === "fixed").length,
    declined: declined.map(({ finding, note }) => ({ finding, note })),
    unchanged: isSame(draft, base),
  };
  const artifacts = answers.length === 0 ? [artifact] : [artifact, jsonArtifact("responses", { answers })];
  return absorbed({ role: "author", stage: "tasks", ...figures }, artifacts, outcome);
}

/** A task that is handed in again without any words of the spec still fulfils those that it did. */
function withQuotesKept(draft: PlanDraft, base: PlanDraft): PlanDraft {
  const before = new Map(base.tasks.map(({ id, quotes }) => [idKey(id), quotes]));
  const tasks = draft.tasks.map((task) =>
    task.quotes.length > 0 ? task : { ...task, quotes: before.get(idKey(task.id)) ?? [] },
  );
  return { ...draft, tasks };
}

/** Looks up every file that a review cites, once. */
async function lookUp(
  findings: (Critique | Overview)["findings"],
  project: Project,
): Promise<(file: string, line: number) => Sighting> {
  const files = new Set(findings.flatMap(({ evidence }) => evidence.map(({ file }) => file)));
  const lines = new Map<string, number | undefined>();
  for (const file of files) lines.set(file, await project.lines(file));
  return (file, line) => {
    const count = lines.get(file);
    return count === undefined ? "no-file" : line > count ? "no-line" : "ok";
  };
}

/** An area that fails without a grave finding: the author has to hear what is wrong with it, and to answer. */
function failedAreas({ ratings, findings, assessment }: Critique): Critique["findings"] {
  const isShown = (area: string): boolean =>
    findings.some((finding) => finding.area === area && GRAVE.has(finding.severity));
  return findings.concat(
    (Object.keys(ratings) as (keyof Critique["ratings"])[])
      .filter((area) => ratings[area] === "fail" && !isShown(area))
      .map((area) => ({
        id: `rating-${area}`,
        severity: "high",
        area,
        title: `The critic rates the ${area} of the plan as failed`,
        description: Object.values(assessment)
          .filter((text) => text !== "")
          .join(" ")
          .slice(0, 5_000),
        suggestion: "",
        nodes: [],
        evidence: [],
      })),
  );
}

async function absorbReview({ machine }: Run, said: Critique | Overview, project: Project): Promise<JudgedEffect> {
  const review = "ratings" in said ? { ...said, findings: failedAreas(said) } : said;
  const { findings, questions, assessment } = review;
  const against = checkEvidence(findings, await lookUp(findings, project));
  const ratings = "ratings" in review ? review.ratings : undefined;
  const verdict =
    "ratings" in review ? criticVerdict(review, machine.round + 1) : overviewVerdict(review, machine.overviews);
  const round = ratings ? roundNumber(machine) : overviewNumber(machine);
  const kept = { source: ratings ? "critic" : "overviewer", round, verdict, ...review, against, note: "" };
  const figures = {
    verdict,
    severities: countSeverities(findings),
    questions: questions.length,
    against: against.length,
    assessment: firstSentence(typeof assessment === "string" ? assessment : assessment.quality),
  };
  const summary: CallSummary = ratings ? { role: "critic", ratings, ...figures } : { role: "overviewer", ...figures };
  // A fresh overviewer numbers its findings anew, so only the same words are the same problem.
  const known = ratings ? findings : findings.map((each) => ({ ...each, id: each.title }));
  return absorbed(summary, [jsonArtifact("findings", kept)], { verdict, high: highIds(known) });
}

const firstSentence = (text: string): string =>
  /^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim().slice(0, 200);

/** The answer to this part, joined to those of the parts before. They are read back from the calls, so a run that was killed in between
 *  continues with the next. */
async function joinParts(reader: Reader, run: string, asked: RoleAsk, value: unknown): Promise<unknown> {
  if (asked.part === 0 || asked.role === "author" || asked.role === "overviewer") return value;
  const parts = [...(await earlierParts(reader, run, asked)), value];
  if (asked.role === "clarifier") return joinClarifications(parts as Clarification[]);
  return asked.role === "critic" ? joinCritiques(parts as Critique[]) : joinResearch(parts as Research[]);
}

async function earlierParts(reader: Reader, run: string, asked: RoleAsk): Promise<unknown[]> {
  const { role, stage, revise, part } = asked;
  const answered = (await callsOf(reader, run)).filter(
    ({ fields }) => fields.role === role && fields.stage === stage && fields.state === "answered",
  );
  const values: unknown[] = [];
  for (const { fields } of answered.slice(-part)) {
    const text = fields.output === null ? undefined : await reader.document(fields.output);
    const judged = judgeReply({ role, stage, revise }, JSON.parse(text ?? "null"));
    if (judged.ok) values.push(judged.value);
  }
  return values;
}
