// Everything that can be asked for, by name. A module is loaded when one of its operations is asked for.

import type * as z from "zod/mini";
import type { OperationName } from "../graph/next-step.js";
import type { FolderOperation, Operation, PlanOperation } from "./operation.js";

/** Entries for these operations of a module that is loaded when one of them is needed. */
const from = <Module, Name extends keyof Module & OperationName>(
  load: () => Promise<Module>,
  names: readonly Name[],
): { readonly [N in Name]: () => Promise<Module[N]> } =>
  Object.fromEntries(names.map((name) => [name, async () => (await load())[name]])) as {
    readonly [N in Name]: () => Promise<Module[N]>;
  };

export const CATALOGUE = {
  ...from(async () => (await import("./operations/workspace.js")).workspaceOperations, ["init", "upgrade"]),
  ...from(
    async () => (await import("./operations/plan.js")).planOperations,
    [
      "plan.start",
      "plan.resume",
      "plan.list",
      "plan.show",
      "plan.diff",
      "plan.apply",
      "plan.revise",
      "plan.export",
      "plan.abort",
    ],
  ),
  ...from(
    async () => (await import("./operations/branch-planning.js")).branchPlanningOperations,
    ["expand", "replan", "review", "lint"],
  ),
  ...from(async () => (await import("./operations/agents.js")).agentsOperations, ["agents.list", "agents.test"]),
  ...from(async () => (await import("./operations/add.js")).addOperations, ["add"]),
  ...from(
    async () => (await import("./operations/node.js")).nodeOperations,
    ["edit", "move", "link", "unlink", "gate", "focus", "comment", "label", "promote"],
  ),
  ...from(async () => (await import("./operations/show.js")).showOperations, ["show"]),
  ...from(
    async () => (await import("./operations/overview.js")).overviewOperations,
    ["list", "search", "status", "why"],
  ),
  ...from(
    async () => (await import("./operations/branch.js")).branchOperations,
    ["approve", "unapprove", "freeze", "thaw", "waive", "drop", "archive", "restore"],
  ),
  ...from(async () => (await import("./operations/history.js")).historyOperations, ["undo", "redo", "log", "diff"]),
  ...from(
    async () => (await import("./operations/task.js")).taskOperations,
    ["next", "start", "complete", "fail", "reset", "accept"],
  ),
  ...from(
    async () => (await import("./operations/claim.js")).claimOperations,
    ["claim.list", "claim.renew", "claim.release", "hook.stop"],
  ),
  ...from(
    async () => (await import("./operations/record.js")).recordOperations,
    ["record.add", "record.list", "record.approve", "record.supersede"],
  ),
  ...from(
    async () => (await import("./operations/question.js")).questionOperations,
    ["question.list", "question.answer"],
  ),
  ...from(
    async () => (await import("./operations/triage.js")).triageOperations,
    ["question.triage", "question.confirm"],
  ),
  ...from(
    async () => (await import("./operations/conflict.js")).conflictOperations,
    ["conflicts.list", "conflicts.show", "conflicts.check", "conflicts.resolve", "conflicts.history"],
  ),
  ...from(
    async () => (await import("./operations/news.js")).newsOperations,
    ["news.read", "news.mark", "news.subscribe", "news.unsubscribe", "news.subscriptions"],
  ),
  ...from(
    async () => (await import("./operations/attempt.js")).attemptOperations,
    ["attempt.list", "attempt.kept", "attempt.show", "attempt.diff", "attempt.restore", "attempt.expire"],
  ),
  ...from(
    async () => (await import("./operations/bundle.js")).bundleOperations,
    ["bundle.create", "bundle.list", "bundle.check", "bundle.clean"],
  ),
  ...from(
    async () => (await import("./operations/item.js")).itemOperations,
    ["memory.list", "memory.add", "memory.search", "memory.forget", "artifact.list"],
  ),
  ...from(
    async () => (await import("./operations/execution.js")).executionOperations,
    ["run", "land", "daemon.run", "daemon.start", "daemon.stop", "daemon.status", "daemon.logs"],
  ),
  ...from(async () => (await import("./operations/level.js")).levelOperations, ["level.show", "level.set"]),
  ...from(
    async () => (await import("./operations/work.js")).workOperations,
    ["work.start", "work.done", "work.abandon", "work.list"],
  ),
  ...from(async () => (await import("./operations/report.js")).reportOperations, ["waves", "stats", "verify"]),
  ...from(
    async () => (await import("./operations/config.js")).configOperations,
    ["config.list", "config.get", "config.set"],
  ),
} satisfies { readonly [Name in OperationName]: () => Promise<unknown> };

type Catalogue = typeof CATALOGUE;
export type CatalogueName = keyof Catalogue;

type Declared<Name extends CatalogueName> = Awaited<ReturnType<Catalogue[Name]>>;

export type InputOf<Name extends CatalogueName> =
  Declared<Name> extends PlanOperation<infer S, unknown> | FolderOperation<infer S, unknown> ? z.input<S> : never;

export type OutputOf<Name extends CatalogueName> =
  Declared<Name> extends PlanOperation<z.ZodMiniObject, infer O> | FolderOperation<z.ZodMiniObject, infer O>
    ? O
    : never;

export const isOperation = (name: string): name is CatalogueName => Object.hasOwn(CATALOGUE, name);

/** One operation, as every door sees it: with its input unknown until the schema has judged it. */
export const loadOperation = (name: CatalogueName): Promise<Operation> => CATALOGUE[name]();
