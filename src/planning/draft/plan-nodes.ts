// An existing plan, or one branch of it, as a draft: so that lint, reviewers and revisions work on plans that
// people edited by hand as they do on new ones.

import { idKey } from "../../model/node/ids.js";
import type { Check, Kind, Tier } from "../../model/node/node.js";
import { taskBody } from "../apply/task-body.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";

/** What is needed of a node: names instead of numbers. */
export interface PlanNode {
  readonly id: string;
  readonly tier: Tier;
  readonly kind: Kind | null;
  readonly title: string;
  readonly body: string;
  /** The id of its parent. */
  readonly parent: string | null;
  /** Ids of what it was stated to depend on; edges that sequencing added are left out. */
  readonly dependsOn: readonly string[];
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly checks: readonly Check[];
  readonly profile: string | null;
  readonly priority: number | null;
  readonly estimateHours: number | null;
  /** Done, waived, dropped or archived: nothing changes it any more. */
  readonly settled: boolean;
}

export interface DraftOfPlan {
  readonly draft: PlanDraft;
  /** Finished nodes: not in the draft, but the draft may refer to them. */
  readonly settled: readonly string[];
  /** Nodes around and land tasks: not in the draft either, and may be referred to. */
  readonly around: readonly string[];
}

type About = Partial<Omit<PlanDraft, "initiatives" | "features" | "stories" | "tasks">>;

/** `about`: what the plan says of itself, if that is known; a graph alone holds only a title. */
export function draftOf(nodes: readonly PlanNode[], about: About = {}): DraftOfPlan {
  const open = nodes.filter(({ settled }) => !settled);
  const initiatives = open.filter(({ tier }) => tier === "initiative");
  const features = open.filter(({ tier }) => tier === "feature");
  const stories = open.filter(({ tier }) => tier === "story");
  const tasks = open.filter(({ tier, kind }) => tier === "task" && kind !== "land");
  const top = open.find(({ tier }) => tier === "mission" || tier === "initiative") ?? features[0] ?? open[0];
  const drafted = new Set([...initiatives, ...features, ...stories, ...tasks]);
  return {
    draft: {
      title: top?.title ?? "Plan",
      overview: top?.body ?? "",
      goals: [],
      nonGoals: [],
      decisions: [],
      risks: [],
      rollback: "",
      ...about,
      initiatives: initiatives.map(({ id, title, body }) => ({ id, title, body })),
      features: features.map(({ id, title, body, parent }) => ({
        id,
        title,
        body,
        ...(parent === null ? {} : { parent }),
      })),
      stories: stories.map(({ id, title, body, parent }) => ({ id, title, body, feature: parent ?? "" })),
      tasks: tasks.map(taskOfNode),
    },
    settled: nodes.filter(({ settled }) => settled).map(({ id }) => id),
    around: open.filter((node) => !drafted.has(node)).map(({ id }) => id),
  };
}

const taskOfNode = (node: PlanNode): DraftTask => ({
  id: node.id,
  parent: node.parent ?? "",
  kind: node.kind === "gate" || node.kind === "review" ? node.kind : "work",
  title: node.title,
  body: node.body,
  behaviours: [],
  requirements: [],
  quotes: [],
  dependsOn: [...node.dependsOn],
  files: node.files.map((path) => ({ path, action: "modify", purpose: "" })),
  symbols: [...node.symbols],
  checks: node.checks.map((check) => ({ ...check })),
  ...(node.profile === null ? {} : { profile: node.profile }),
  ...(node.priority === null ? {} : { priority: node.priority }),
  ...(node.estimateHours === null ? {} : { estimateHours: node.estimateHours }),
  steelThread: false,
});

/** What planning knows of a task and the graph does not keep, from the draft that it came from. */
export function withDraftDetails(draft: PlanDraft, earlier: PlanDraft): PlanDraft {
  const known = new Map(earlier.tasks.map((task) => [idKey(task.id), task]));
  const tasks = draft.tasks.map((task): DraftTask => {
    const old = known.get(idKey(task.id));
    if (!old) return task;
    const { behaviours, requirements, quotes, steelThread, sizeReason } = old;
    const actions = new Map(old.files.map((file) => [file.path, file]));
    const files = task.files.map((file) => actions.get(file.path) ?? file);
    return {
      ...task,
      // If it was not edited, the author gets their own words back.
      body: task.body === taskBody(old) ? old.body : task.body,
      behaviours,
      requirements,
      quotes,
      steelThread,
      files,
      ...(sizeReason === undefined ? {} : { sizeReason }),
    };
  });
  return { ...draft, tasks };
}
