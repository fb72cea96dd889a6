// Everything that can be asked for, by name. A module is loaded when one of its operations is asked for.

import type * as z from "zod/mini";
import type { OperationName } from "../graph/next-step.js";
import type { FolderOperation, Operation, PlanOperation } from "./operation.js";

const add = () => import("./operations/add.js");
const agents = () => import("./operations/agents.js");
const attempt = () => import("./operations/attempt.js");
const branch = () => import("./operations/branch.js");
const branchPlanning = () => import("./operations/branch-planning.js");
const bundle = () => import("./operations/bundle.js");
const claim = () => import("./operations/claim.js");
const config = () => import("./operations/config.js");
const conflict = () => import("./operations/conflict.js");
const execution = () => import("./operations/execution.js");
const history = () => import("./operations/history.js");
const item = () => import("./operations/item.js");
const level = () => import("./operations/level.js");
const news = () => import("./operations/news.js");
const node = () => import("./operations/node.js");
const overview = () => import("./operations/overview.js");
const plan = () => import("./operations/plan.js");
const question = () => import("./operations/question.js");
const record = () => import("./operations/record.js");
const report = () => import("./operations/report.js");
const show = () => import("./operations/show.js");
const task = () => import("./operations/task.js");
const triage = () => import("./operations/triage.js");
const work = () => import("./operations/work.js");
const workspace = () => import("./operations/workspace.js");

export const CATALOGUE = {
  init: async () => (await workspace()).init,
  upgrade: async () => (await workspace()).upgrade,
  "plan.start": async () => (await plan()).start,
  "plan.resume": async () => (await plan()).resume,
  "plan.list": async () => (await plan()).list,
  "plan.show": async () => (await plan()).show,
  "plan.diff": async () => (await plan()).diff,
  "plan.apply": async () => (await plan()).apply,
  "plan.revise": async () => (await plan()).revise,
  "plan.export": async () => (await plan()).exportPlan,
  "plan.abort": async () => (await plan()).abort,
  expand: async () => (await branchPlanning()).expand,
  replan: async () => (await branchPlanning()).replan,
  review: async () => (await branchPlanning()).review,
  "agents.list": async () => (await agents()).list,
  "agents.test": async () => (await agents()).test,
  add: async () => (await add()).add,
  edit: async () => (await node()).edit,
  move: async () => (await node()).move,
  link: async () => (await node()).link,
  unlink: async () => (await node()).unlink,
  gate: async () => (await node()).gate,
  focus: async () => (await node()).focus,
  show: async () => (await show()).show,
  list: async () => (await overview()).list,
  search: async () => (await overview()).search,
  comment: async () => (await node()).comment,
  label: async () => (await node()).label,
  promote: async () => (await node()).promote,
  approve: async () => (await branch()).approve,
  unapprove: async () => (await branch()).unapprove,
  freeze: async () => (await branch()).freeze,
  thaw: async () => (await branch()).thaw,
  waive: async () => (await branch()).waive,
  drop: async () => (await branch()).drop,
  archive: async () => (await branch()).archive,
  restore: async () => (await branch()).restore,
  undo: async () => (await history()).undo,
  redo: async () => (await history()).redo,
  next: async () => (await task()).next,
  start: async () => (await task()).start,
  complete: async () => (await task()).complete,
  fail: async () => (await task()).fail,
  reset: async () => (await task()).reset,
  accept: async () => (await task()).accept,
  "claim.list": async () => (await claim()).claims,
  "claim.renew": async () => (await claim()).renew,
  "claim.release": async () => (await claim()).release,
  "record.add": async () => (await record()).add,
  "record.list": async () => (await record()).records,
  "record.approve": async () => (await record()).approve,
  "record.supersede": async () => (await record()).supersede,
  "question.list": async () => (await question()).questions,
  "question.answer": async () => (await question()).answer,
  "question.triage": async () => (await triage()).questionTriage,
  "question.confirm": async () => (await triage()).questionConfirm,
  "conflicts.list": async () => (await conflict()).conflicts,
  "conflicts.show": async () => (await conflict()).show,
  "conflicts.check": async () => (await conflict()).check,
  "conflicts.resolve": async () => (await conflict()).resolve,
  "conflicts.history": async () => (await conflict()).history,
  "news.read": async () => (await news()).read,
  "news.mark": async () => (await news()).mark,
  "news.subscribe": async () => (await news()).subscribe,
  "news.unsubscribe": async () => (await news()).unsubscribe,
  "news.subscriptions": async () => (await news()).subscriptions,
  "attempt.list": async () => (await attempt()).attemptList,
  "attempt.kept": async () => (await attempt()).attemptKept,
  "attempt.show": async () => (await attempt()).attemptShow,
  "attempt.diff": async () => (await attempt()).attemptDiff,
  "attempt.restore": async () => (await attempt()).attemptRestore,
  "attempt.expire": async () => (await attempt()).attemptExpire,
  "bundle.create": async () => (await bundle()).create,
  "bundle.list": async () => (await bundle()).bundles,
  "bundle.check": async () => (await bundle()).check,
  "bundle.clean": async () => (await bundle()).clean,
  "memory.list": async () => (await item()).lessons,
  "memory.add": async () => (await item()).add,
  "memory.search": async () => (await item()).search,
  "memory.forget": async () => (await item()).forget,
  "artifact.list": async () => (await item()).artifacts,
  run: async () => (await execution()).run,
  land: async () => (await execution()).land,
  "level.show": async () => (await level()).show,
  "level.set": async () => (await level()).set,
  "daemon.run": async () => (await execution()).daemonRun,
  "daemon.start": async () => (await execution()).daemonStart,
  "daemon.stop": async () => (await execution()).daemonStop,
  "daemon.status": async () => (await execution()).daemonStatus,
  "daemon.logs": async () => (await execution()).daemonLogs,
  "work.start": async () => (await work()).workStart,
  "work.done": async () => (await work()).workDone,
  "work.abandon": async () => (await work()).workAbandon,
  "work.list": async () => (await work()).workList,
  status: async () => (await overview()).status,
  why: async () => (await overview()).why,
  waves: async () => (await report()).waves,
  stats: async () => (await report()).stats,
  lint: async () => (await branchPlanning()).lint,
  verify: async () => (await report()).verify,
  log: async () => (await history()).log,
  diff: async () => (await history()).diff,
  "config.list": async () => (await config()).configList,
  "config.get": async () => (await config()).configGet,
  "config.set": async () => (await config()).configSet,
  "hook.stop": async () => (await claim()).stopHook,
} satisfies { readonly [Name in OperationName]?: () => Promise<unknown> };

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
