// The outline planner as a server of roles: it answers from the structure of the spec, and needs no model.

import type { Clarification } from "../contracts/answers.js";
import type { LintFinding, StoredFinding } from "../contracts/findings.js";
import { changedNodes, type PlanDraft, type PlanRevision } from "../contracts/plan-draft.js";
import { fixDraft } from "../lint/fix.js";
import { ideaOf, questionsAboutIdea, withSkeleton } from "../outline/idea.js";
import { outlineCapabilities, outlineClarification, outlineFiles, outlineTasks } from "../outline/outline.js";
import { FREE_OF_CHARGE, OUTLINE } from "./agents.js";
import type { Brief } from "./brief.js";
import type { ServingServer } from "./server.js";

export const outlineServer: ServingServer = {
  agent: OUTLINE,
  model: null,
  version: async () => undefined,
  question: ({ role, stage, revise }) =>
    `${OUTLINE} reads the spec as ${role}, stage ${stage}${revise ? ", revising" : ""}.`,
  async serve({ brief }) {
    const started = performance.now();
    const output = outlineAnswer(brief);
    const durationMs = Math.round(performance.now() - started);
    return { ending: "finished", output, text: "", usage: FREE_OF_CHARGE, durationMs, session: null };
  },
};

export function outlineAnswer(brief: Brief): unknown {
  const idea = brief.node === null ? ideaOf(brief.spec) : undefined;
  if (brief.role === "clarifier") return clarify(brief, idea !== undefined);
  if (brief.revise) return revision(brief);
  const map = brief.map ?? outlineCapabilities(brief.spec);
  if (brief.stage === "capabilities") return map;
  const files = brief.files ?? outlineFiles(brief.spec, map, { files: brief.repositoryFiles });
  if (brief.stage === "files") return files;
  const draft = outlineTasks(brief.spec, map, files, {
    ...(brief.stack === null ? {} : { stack: brief.stack }),
    checks: brief.commands,
    quick: brief.map === null,
  });
  if (idea !== undefined && brief.map !== null) return withSkeleton(draft, idea, brief);
  return brief.node ? below(draft, brief.node) : draft;
}

function clarify({ spec, commands }: Brief, isIdea: boolean): Clarification {
  const stated = outlineClarification(spec);
  return isIdea ? { ...stated, questions: [...stated.questions, ...questionsAboutIdea(commands)] } : stated;
}

/** What is planned for a node belongs below that node. */
function below(draft: PlanDraft, { id, tier }: NonNullable<Brief["node"]>): PlanDraft {
  if (tier === "initiative")
    return { ...draft, features: draft.features.map((feature) => ({ ...feature, parent: id })) };
  const isFeature = tier === "feature";
  const stories = isFeature ? draft.stories.map((story) => ({ ...story, feature: id })) : [];
  const known = new Set(stories.map((story) => story.id));
  const tasks = draft.tasks.map((task) => ({ ...task, parent: known.has(task.parent) ? task.parent : id }));
  return { ...draft, features: [], stories, tasks };
}

/** A program fixes what is mechanical. It declines everything that needs judgement. */
function revision({ draft, feedback }: Brief): PlanRevision {
  const base = draft as PlanDraft;
  const said = (isLint: boolean): StoredFinding[] =>
    feedback.filter(({ source }) => (source === "conformance") === isLint).flatMap(({ findings }) => findings);
  const lint = said(true) as LintFinding[];
  const { draft: fixed, fixed: repaired } = fixDraft(base, lint);
  const done = new Set(repaired.map(({ code, where }) => `${code} ${where}`));
  return {
    ...changedNodes(base, fixed),
    removed: [],
    responses: [
      ...lint.map(({ code, where }) => ({
        finding: `${code} ${where}`.slice(0, 100),
        action: done.has(`${code} ${where}`) ? ("fixed" as const) : ("declined" as const),
        note: "",
      })),
      ...said(false).map(({ id = "" }) => ({
        finding: id,
        action: "declined" as const,
        note: "the outline planner cannot judge this",
      })),
    ].slice(0, 500),
  };
}
