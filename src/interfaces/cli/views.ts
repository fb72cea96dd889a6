// The view of every operation. A module is loaded when one of its views is needed.

import type { CatalogueName } from "../../app/catalogue.js";
import type { View, ViewOf } from "./view.js";

type Loader<Name extends CatalogueName> = () => Promise<ViewOf<Name>>;

/** Entries for these views of a module that is loaded when one of them is needed. */
const from = <Module extends { readonly [N in Name]: ViewOf<N> }, Name extends CatalogueName & keyof Module>(
  load: () => Promise<Module>,
  names: readonly Name[],
): { readonly [N in Name]: Loader<N> } =>
  Object.fromEntries(names.map((name) => [name, async () => (await load())[name]])) as unknown as {
    readonly [N in Name]: Loader<N>;
  };

const VIEWS: { readonly [Name in CatalogueName]: Loader<Name> } = {
  ...from(async () => (await import("./views/workspace.js")).workspaceViews, ["init", "upgrade"]),
  ...from(
    async () => (await import("./views/plan.js")).planViews,
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
    async () => (await import("./views/branch-planning.js")).branchPlanningViews,
    ["expand", "replan", "review", "lint"],
  ),
  ...from(async () => (await import("./views/agents.js")).agentsViews, ["agents.list", "agents.test"]),
  ...from(async () => (await import("./views/add.js")).addViews, ["add"]),
  ...from(
    async () => (await import("./views/node.js")).nodeViews,
    ["edit", "move", "link", "unlink", "gate", "focus", "comment", "label", "promote"],
  ),
  ...from(async () => (await import("./views/show.js")).showViews, ["show"]),
  ...from(async () => (await import("./views/overview.js")).overviewViews, ["list", "search", "status", "why"]),
  ...from(async () => (await import("./views/approve.js")).approveViews, ["approve"]),
  ...from(
    async () => (await import("./views/branch.js")).branchViews,
    ["unapprove", "freeze", "thaw", "waive", "drop", "archive", "restore"],
  ),
  ...from(async () => (await import("./views/history.js")).historyViews, ["undo", "redo", "log", "diff"]),
  ...from(
    async () => (await import("./views/task.js")).taskViews,
    ["next", "start", "complete", "fail", "reset", "accept"],
  ),
  ...from(
    async () => (await import("./views/claim.js")).claimViews,
    ["claim.list", "claim.renew", "claim.release", "hook.stop"],
  ),
  ...from(
    async () => (await import("./views/record.js")).recordViews,
    ["record.add", "record.list", "record.approve", "record.supersede"],
  ),
  ...from(async () => (await import("./views/question.js")).questionViews, ["question.list", "question.answer"]),
  ...from(async () => (await import("./views/triage.js")).triageViews, ["question.triage", "question.confirm"]),
  ...from(
    async () => (await import("./views/conflict.js")).conflictViews,
    ["conflicts.list", "conflicts.show", "conflicts.check", "conflicts.resolve", "conflicts.history"],
  ),
  ...from(
    async () => (await import("./views/news.js")).newsViews,
    ["news.read", "news.mark", "news.subscribe", "news.unsubscribe", "news.subscriptions"],
  ),
  ...from(
    async () => (await import("./views/attempt.js")).attemptViews,
    ["attempt.list", "attempt.kept", "attempt.show", "attempt.diff", "attempt.restore", "attempt.expire"],
  ),
  ...from(
    async () => (await import("./views/bundle.js")).bundleViews,
    ["bundle.create", "bundle.list", "bundle.check", "bundle.clean"],
  ),
  ...from(
    async () => (await import("./views/item.js")).itemViews,
    ["memory.list", "memory.add", "memory.search", "memory.forget", "artifact.list"],
  ),
  ...from(
    async () => (await import("./views/execution.js")).executionViews,
    ["run", "land", "daemon.run", "daemon.start", "daemon.stop", "daemon.status", "daemon.logs"],
  ),
  ...from(async () => (await import("./views/level.js")).levelViews, ["level.show", "level.set"]),
  ...from(
    async () => (await import("./views/work.js")).workViews,
    ["work.start", "work.done", "work.abandon", "work.list"],
  ),
  ...from(async () => (await import("./views/report.js")).reportViews, ["waves", "stats", "verify"]),
  ...from(async () => (await import("./views/config.js")).configViews, ["config.list", "config.get", "config.set"]),
};

export const loadView = (name: CatalogueName): Promise<View> => VIEWS[name]();
