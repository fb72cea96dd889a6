// Everything that can be asked for. A module is loaded when one of its operations is asked for.

import type * as z from "zod/mini";
import {
  OPERATION_MODULES,
  type OperationModule,
  type OperationName,
  type OperationsIn,
} from "../model/operation-names.js";
import type { FolderOperation, Operation, PlanOperation } from "./operation.js";

const MODULES = {
  workspace: async () => (await import("./operations/workspace/workspace.js")).workspaceOperations,
  backup: async () => (await import("./operations/workspace/backup.js")).backupOperations,
  people: async () => (await import("./operations/workspace/people.js")).peopleOperations,
  gc: async () => (await import("./operations/workspace/gc.js")).gcOperations,
  plan: async () => (await import("./operations/planning/plan.js")).planOperations,
  "host-planning": async () => (await import("./operations/planning/host-planning.js")).hostPlanningOperations,
  "branch-planning": async () => (await import("./operations/planning/branch-planning.js")).branchPlanningOperations,
  agents: async () => (await import("./operations/workspace/agents.js")).agentsOperations,
  add: async () => (await import("./operations/node/add.js")).addOperations,
  node: async () => (await import("./operations/node/node.js")).nodeOperations,
  show: async () => (await import("./operations/node/show.js")).showOperations,
  overview: async () => (await import("./operations/node/overview.js")).overviewOperations,
  look: async () => (await import("./operations/node/look.js")).lookOperations,
  branch: async () => (await import("./operations/node/branch.js")).branchOperations,
  history: async () => (await import("./operations/workspace/history.js")).historyOperations,
  task: async () => (await import("./operations/task/task.js")).taskOperations,
  split: async () => (await import("./operations/task/split.js")).splitOperations,
  claim: async () => (await import("./operations/task/claim.js")).claimOperations,
  hook: async () => (await import("./operations/task/hook.js")).hookOperations,
  record: async () => (await import("./operations/knowledge/record.js")).recordOperations,
  question: async () => (await import("./operations/planning/question.js")).questionOperations,
  triage: async () => (await import("./operations/planning/triage.js")).triageOperations,
  conflict: async () => (await import("./operations/task/conflict.js")).conflictOperations,
  news: async () => (await import("./operations/knowledge/news.js")).newsOperations,
  attempt: async () => (await import("./operations/execution/attempt.js")).attemptOperations,
  bundle: async () => (await import("./operations/knowledge/bundle.js")).bundleOperations,
  item: async () => (await import("./operations/knowledge/item.js")).itemOperations,
  execution: async () => (await import("./operations/execution/execution.js")).executionOperations,
  revert: async () => (await import("./operations/execution/revert.js")).revertOperations,
  daemon: async () => (await import("./operations/execution/daemon.js")).daemonOperations,
  level: async () => (await import("./operations/execution/level.js")).levelOperations,
  work: async () => (await import("./operations/task/work.js")).workOperations,
  insight: async () => (await import("./operations/workspace/insight.js")).insightOperations,
  report: async () => (await import("./operations/workspace/report.js")).reportOperations,
  doctor: async () => (await import("./operations/workspace/doctor.js")).doctorOperations,
  host: async () => (await import("./operations/workspace/host.js")).hostOperations,
  route: async () => (await import("./operations/workspace/route.js")).routeOperations,
  config: async () => (await import("./operations/workspace/config.js")).configOperations,
} satisfies { readonly [Module in OperationModule]: () => Promise<Readonly<Record<OperationsIn<Module>, Operation>>> };

type Modules = { readonly [Module in OperationModule]: Awaited<ReturnType<(typeof MODULES)[Module]>> };

type Declared<Name extends OperationName> = Modules[(typeof OPERATION_MODULES)[Name]] extends {
  readonly [N in Name]: infer Found;
}
  ? Found
  : never;

export type InputOf<Name extends OperationName> =
  Declared<Name> extends PlanOperation<infer S, unknown> | FolderOperation<infer S, unknown> ? z.input<S> : never;

export type OutputOf<Name extends OperationName> =
  Declared<Name> extends PlanOperation<z.ZodMiniObject, infer O> | FolderOperation<z.ZodMiniObject, infer O>
    ? O
    : never;

/** Something for every operation, in the modules of `OPERATION_MODULES`. */
type LoadModules<Entry> = {
  readonly [Module in OperationModule]: () => Promise<Readonly<Partial<Record<OperationName, Entry>>>>;
};

export async function loadEntry<Entry>(modules: LoadModules<Entry>, name: OperationName): Promise<Entry> {
  const module = OPERATION_MODULES[name];
  const entry = (await modules[module]())[name];
  if (entry === undefined) throw new Error(`The module ${module} has no ${name}.`);
  return entry;
}

/** One operation, as every door sees it: with its input unknown until the schema has judged it. */
export const loadOperation = (name: OperationName): Promise<Operation> => loadEntry<Operation>(MODULES, name);
