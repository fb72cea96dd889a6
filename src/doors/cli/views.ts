// The view of every operation. A module is loaded when one of its views is needed.

import { loadEntry } from "../../app/catalogue.js";
import type { OperationModule, OperationName, OperationsIn } from "../../model/operation-names.js";
import type { View, ViewOf } from "./view.js";

const MODULES: {
  readonly [Module in OperationModule]: () => Promise<{ readonly [Name in OperationsIn<Module>]: ViewOf<Name> }>;
} = {
  workspace: async () => (await import("./views/workspace/workspace.js")).workspaceViews,
  backup: async () => (await import("./views/workspace/backup.js")).backupViews,
  people: async () => (await import("./views/workspace/people.js")).peopleViews,
  gc: async () => (await import("./views/workspace/gc.js")).gcViews,
  plan: async () => (await import("./views/planning/plan.js")).planViews,
  "host-planning": async () => (await import("./views/planning/host-planning.js")).hostPlanningViews,
  "branch-planning": async () => (await import("./views/planning/branch-planning.js")).branchPlanningViews,
  agents: async () => (await import("./views/workspace/agents.js")).agentsViews,
  add: async () => (await import("./views/node/add.js")).addViews,
  node: async () => (await import("./views/node/node.js")).nodeViews,
  show: async () => (await import("./views/node/show.js")).showViews,
  overview: async () => (await import("./views/node/overview.js")).overviewViews,
  look: async () => (await import("./views/node/look.js")).lookViews,
  branch: async () => (await import("./views/node/branch.js")).branchViews,
  history: async () => (await import("./views/workspace/history.js")).historyViews,
  task: async () => (await import("./views/task/task.js")).taskViews,
  split: async () => (await import("./views/task/split.js")).splitViews,
  claim: async () => (await import("./views/task/claim.js")).claimViews,
  hook: async () => (await import("./views/task/hook.js")).hookViews,
  record: async () => (await import("./views/knowledge/record.js")).recordViews,
  question: async () => (await import("./views/planning/question.js")).questionViews,
  triage: async () => (await import("./views/planning/triage.js")).triageViews,
  conflict: async () => (await import("./views/task/conflict.js")).conflictViews,
  news: async () => (await import("./views/knowledge/news.js")).newsViews,
  attempt: async () => (await import("./views/execution/attempt.js")).attemptViews,
  bundle: async () => (await import("./views/knowledge/bundle.js")).bundleViews,
  item: async () => (await import("./views/knowledge/item.js")).itemViews,
  execution: async () => (await import("./views/execution/execution.js")).executionViews,
  revert: async () => (await import("./views/execution/revert.js")).revertViews,
  daemon: async () => (await import("./views/execution/daemon.js")).daemonViews,
  level: async () => (await import("./views/execution/level.js")).levelViews,
  work: async () => (await import("./views/task/work.js")).workViews,
  insight: async () => (await import("./views/workspace/insight.js")).insightViews,
  report: async () => (await import("./views/workspace/report.js")).reportViews,
  doctor: async () => (await import("./views/workspace/doctor.js")).doctorViews,
  host: async () => (await import("./views/workspace/host.js")).hostViews,
  route: async () => (await import("./views/workspace/route.js")).routeViews,
  config: async () => (await import("./views/workspace/config.js")).configViews,
};

export const loadView = (name: OperationName): Promise<View> => loadEntry<View>(MODULES, name);
