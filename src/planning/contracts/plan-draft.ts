// A plan that is being written: initiatives, features, stories and tasks by their ids, and what a person must know to
// judge it. It becomes part of the graph only when a person applies or approves it.

import * as z from "zod";
import { append } from "../../base/append.js";
import { line, prose, quote, repositoryPath, shortKey } from "./common.js";
import { plannedFile } from "./maps.js";

export const draftCheck = z.strictObject({
  run: line(2_000).describe("A shell command that exits with 0 when the task is done"),
  expect: line(500).optional().describe("`exit N`, or a text that the output must hold"),
  timeoutS: z.number().min(1).max(86_400).optional(),
  cwd: repositoryPath.optional(),
});

export const draftInitiative = z.strictObject({
  id: shortKey.describe("An id of the existing plan to change that initiative, or a new short one such as I1"),
  title: line(200),
  body: prose().default("").describe("What its features reach together"),
});

export const draftFeature = z.strictObject({
  id: shortKey.describe("An id of the existing plan to change that feature, or a new short one such as F1"),
  title: line(200),
  body: prose().default(""),
  parent: shortKey
    .optional()
    .describe(
      "An initiative of this plan or of the existing one, or MISSION. Left out: the mission, or where the feature is",
    ),
});

export const draftStory = z.strictObject({
  id: shortKey,
  feature: shortKey,
  title: line(200),
  body: prose().default(""),
});

export const draftTask = z.strictObject({
  id: shortKey.describe("An id of the existing plan to change that task, or a new short one such as T1"),
  parent: shortKey.describe("The id of the feature or story that it belongs to"),
  kind: z.enum(["work", "gate", "review"]).default("work"),
  title: line(200),
  body: prose().default("").describe("What to do and how to see that it is done; a worker sees only this task"),
  behaviours: z.array(shortKey).max(100).default([]),
  requirements: z.array(line(40)).max(100).default([]),
  quotes: z.array(quote).max(50).default([]).describe("Words of the spec that this task fulfils, copied exactly"),
  dependsOn: z.array(shortKey).max(200).default([]),
  files: z.array(plannedFile).max(100).default([]),
  symbols: z.array(line(300)).max(100).default([]),
  checks: z.array(draftCheck).max(20).default([]),
  profile: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/)
    .optional(),
  priority: z.int().min(0).max(4).optional(),
  estimateHours: z.number().min(0.1).max(200).optional(),
  steelThread: z.boolean().default(false),
  sizeReason: prose(500).optional().describe("Why it may be larger or smaller than usual"),
});

export type DraftTask = z.infer<typeof draftTask>;
export type DraftInitiative = z.infer<typeof draftInitiative>;
export type DraftFeature = z.infer<typeof draftFeature>;
export type DraftStory = z.infer<typeof draftStory>;

/** What a plan says of itself. Without defaults: in a revision, what is left out stays as it was. */
const about = {
  title: line(200).describe("What this plan makes, in a few words"),
  overview: prose(10_000).describe("What is built, how, and in which order, for the person who approves it"),
  goals: z.array(prose(500)).max(30),
  nonGoals: z.array(prose(500)).max(30),
  decisions: z
    .array(
      z.strictObject({
        id: shortKey.describe("D01, D02, …"),
        title: line(200),
        choice: prose(2_000),
        because: prose(2_000).default(""),
        alternatives: z.array(prose(500)).max(10).default([]),
        tasks: z.array(shortKey).max(100).default([]),
      }),
    )
    .max(50),
  risks: z.array(z.strictObject({ risk: prose(1_000), mitigation: prose(1_000) })).max(50),
  rollback: prose(5_000).describe("How to take all of it back once it has landed"),
};

const nodes = {
  initiatives: z
    .array(draftInitiative)
    .max(100)
    .default([])
    .describe("Only for a plan whose features serve several aims of their own"),
  features: z.array(draftFeature).max(1_000),
  stories: z.array(draftStory).max(5_000).default([]),
  tasks: z.array(draftTask).max(20_000),
};

export const planDraft = z.strictObject({
  ...about,
  goals: about.goals.default([]),
  nonGoals: about.nonGoals.default([]),
  decisions: about.decisions.default([]),
  risks: about.risks.default([]),
  rollback: about.rollback.default(""),
  ...nodes,
});

export type PlanDraft = z.infer<typeof planDraft>;

export type DraftNode = DraftInitiative | DraftFeature | DraftStory | DraftTask;

export type DraftNodes = Pick<PlanDraft, "initiatives" | "features" | "stories" | "tasks">;

/** What a draft, a revision or a part of one is made of, parents first. */
export const nodesOf = ({ initiatives, features, stories, tasks }: DraftNodes): DraftNode[] => [
  ...initiatives,
  ...features,
  ...stories,
  ...tasks,
];

export const countNodes = ({ initiatives, features, stories, tasks, decisions }: PlanDraft) => ({
  initiatives: initiatives.length,
  features: features.length,
  stories: stories.length,
  tasks: tasks.length,
  decisions: decisions.length,
});

export const keepNodes = (draft: DraftNodes, keep: (node: DraftNode) => boolean): DraftNodes => ({
  initiatives: draft.initiatives.filter(keep),
  features: draft.features.filter(keep),
  stories: draft.stories.filter(keep),
  tasks: draft.tasks.filter(keep),
});

export const renameNodes = (draft: PlanDraft, name: (id: string) => string): PlanDraft => ({
  ...draft,
  decisions: draft.decisions.map((decision) => ({ ...decision, tasks: decision.tasks.map(name) })),
  initiatives: draft.initiatives.map((initiative) => ({ ...initiative, id: name(initiative.id) })),
  features: draft.features.map((feature) => ({
    ...feature,
    id: name(feature.id),
    ...(feature.parent === undefined ? {} : { parent: name(feature.parent) }),
  })),
  stories: draft.stories.map((story) => ({ ...story, id: name(story.id), feature: name(story.feature) })),
  tasks: draft.tasks.map((task) => ({
    ...task,
    id: name(task.id),
    parent: name(task.parent),
    dependsOn: task.dependsOn.map(name),
  })),
});

/** A draft that was stored. Those of earlier versions have no initiatives. */
export function parseDraft(text: string): PlanDraft {
  const stored = JSON.parse(text) as PlanDraft | Omit<PlanDraft, "initiatives">;
  return "initiatives" in stored ? stored : { ...stored, initiatives: [] };
}

/** The nodes of a draft that are not just so in the draft before it. */
export function changedNodes(before: PlanDraft, after: PlanDraft): DraftNodes {
  const known = new Map(nodesOf(before).map((node) => [node.id, JSON.stringify(node)]));
  return keepNodes(after, (node) => known.get(node.id) !== JSON.stringify(node));
}

/** By id: what each node says that it belongs to; undefined for the mission. */
export const parentsIn = (draft: DraftNodes): [id: string, parent: string | undefined][] =>
  nodesOf(draft).map((node) => [node.id, parentOf(node)]);

export const parentOf = (node: DraftNode): string | undefined =>
  "feature" in node ? node.feature : "parent" in node ? node.parent : undefined;

/** Tasks by the id of their feature, or of what they name in place of one: features in order, then what the draft does not have. */
export function tasksByFeature({ features, stories, tasks }: PlanDraft): ReadonlyMap<string, readonly DraftTask[]> {
  const featureOf = new Map(stories.map(({ id, feature }) => [id, feature]));
  const groups = new Map(features.map(({ id }): [string, DraftTask[]] => [id, []]));
  for (const task of tasks) append(groups, featureOf.get(task.parent) ?? task.parent, task);
  return groups;
}

export const emptyDraft = (): PlanDraft => planDraft.parse({ title: "Plan", overview: "", features: [], tasks: [] });

/** A revision touches only what it must: nodes by id, and what is to go. */
export const planRevision = z
  .strictObject(about)
  .partial()
  .extend({
    initiatives: z
      .array(draftInitiative)
      .max(100)
      .default([])
      .describe("Initiatives that are new or changed, each whole"),
    features: z.array(draftFeature).max(1_000).default([]).describe("Features that are new or changed, each whole"),
    stories: z.array(draftStory).max(5_000).default([]),
    tasks: z.array(draftTask).max(20_000).default([]).describe("Tasks that are new or changed, each whole"),
    removed: z.array(shortKey).max(20_000).default([]).describe("Ids of nodes that are to go"),
    responses: z
      .array(
        z.strictObject({
          finding: line(100).describe("The id of the finding; of the program's findings, the code and the place"),
          action: z.enum(["fixed", "declined", "needs-decision"]),
          note: prose(1_000).default("").describe("Why it was declined, or what a person has to decide"),
        }),
      )
      .max(500)
      .default([])
      .describe("What was done about each finding; required for critical and high ones"),
  });

export type PlanRevision = z.infer<typeof planRevision>;
