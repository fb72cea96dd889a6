// The view of every operation. A module is loaded when one of its views is needed.

import type { CatalogueName } from "../../app/catalogue.js";
import type { View, ViewOf } from "./view.js";

const add = () => import("./views/add.js");
const agents = () => import("./views/agents.js");
const attempt = () => import("./views/attempt.js");
const branch = () => import("./views/branch.js");
const branchPlanning = () => import("./views/branch-planning.js");
const bundle = () => import("./views/bundle.js");
const claim = () => import("./views/claim.js");
const config = () => import("./views/config.js");
const conflict = () => import("./views/conflict.js");
const execution = () => import("./views/execution.js");
const history = () => import("./views/history.js");
const item = () => import("./views/item.js");
const level = () => import("./views/level.js");
const news = () => import("./views/news.js");
const node = () => import("./views/node.js");
const overview = () => import("./views/overview.js");
const plan = () => import("./views/plan.js");
const question = () => import("./views/question.js");
const record = () => import("./views/record.js");
const report = () => import("./views/report.js");
const show = () => import("./views/show.js");
const task = () => import("./views/task.js");
const triage = () => import("./views/triage.js");
const work = () => import("./views/work.js");
const workspace = () => import("./views/workspace.js");

/** One view of a module that is loaded when the view is needed. */
const from =
  <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) =>
  async (): Promise<Module[Name]> =>
    (await load())[name];

const VIEWS: { readonly [Name in CatalogueName]: () => Promise<ViewOf<Name>> } = {
  init: from(workspace, "init"),
  upgrade: from(workspace, "upgrade"),
  "plan.start": from(plan, "start"),
  "plan.resume": from(plan, "resume"),
  "plan.list": from(plan, "list"),
  "plan.show": from(plan, "show"),
  "plan.diff": from(plan, "diff"),
  "plan.apply": from(plan, "apply"),
  "plan.revise": from(plan, "revise"),
  "plan.export": from(plan, "exportPlan"),
  "plan.abort": from(plan, "abort"),
  expand: from(branchPlanning, "expand"),
  replan: from(branchPlanning, "replan"),
  review: from(branchPlanning, "review"),
  "agents.list": from(agents, "list"),
  "agents.test": from(agents, "test"),
  add: from(add, "add"),
  edit: from(node, "edit"),
  move: from(node, "move"),
  link: from(node, "link"),
  unlink: from(node, "unlink"),
  gate: from(node, "gate"),
  focus: from(node, "focus"),
  show: from(show, "show"),
  list: from(overview, "list"),
  search: from(overview, "search"),
  comment: from(node, "comment"),
  label: from(node, "label"),
  promote: from(node, "promote"),
  approve: from(() => import("./views/approve.js"), "approve"),
  unapprove: from(branch, "unapprove"),
  freeze: from(branch, "freeze"),
  thaw: from(branch, "thaw"),
  waive: from(branch, "waive"),
  drop: from(branch, "drop"),
  archive: from(branch, "archive"),
  restore: from(branch, "restore"),
  undo: from(history, "undo"),
  redo: from(history, "redo"),
  next: from(task, "next"),
  start: from(task, "start"),
  complete: from(task, "complete"),
  fail: from(task, "fail"),
  reset: from(task, "reset"),
  accept: from(task, "accept"),
  "claim.list": from(claim, "claims"),
  "claim.renew": from(claim, "renew"),
  "claim.release": from(claim, "release"),
  "record.add": from(record, "add"),
  "record.list": from(record, "records"),
  "record.approve": from(record, "approve"),
  "record.supersede": from(record, "supersede"),
  "question.list": from(question, "questions"),
  "question.answer": from(question, "answer"),
  "question.triage": from(triage, "questionTriage"),
  "question.confirm": from(triage, "questionConfirm"),
  "conflicts.list": from(conflict, "conflicts"),
  "conflicts.show": from(conflict, "show"),
  "conflicts.check": from(conflict, "check"),
  "conflicts.resolve": from(conflict, "resolve"),
  "conflicts.history": from(conflict, "history"),
  "news.read": from(news, "read"),
  "news.mark": from(news, "mark"),
  "news.subscribe": from(news, "subscribe"),
  "news.unsubscribe": from(news, "unsubscribe"),
  "news.subscriptions": from(news, "subscriptions"),
  "attempt.list": from(attempt, "attemptList"),
  "attempt.kept": from(attempt, "attemptKept"),
  "attempt.show": from(attempt, "attemptShow"),
  "attempt.diff": from(attempt, "attemptDiff"),
  "attempt.restore": from(attempt, "attemptRestore"),
  "attempt.expire": from(attempt, "attemptExpire"),
  "bundle.create": from(bundle, "create"),
  "bundle.list": from(bundle, "bundles"),
  "bundle.check": from(bundle, "check"),
  "bundle.clean": from(bundle, "clean"),
  "memory.list": from(item, "lessons"),
  "memory.add": from(item, "add"),
  "memory.search": from(item, "search"),
  "memory.forget": from(item, "forget"),
  "artifact.list": from(item, "artifacts"),
  run: from(execution, "run"),
  land: from(execution, "land"),
  "level.show": from(level, "show"),
  "level.set": from(level, "set"),
  "daemon.run": from(execution, "daemonRun"),
  "daemon.start": from(execution, "daemonStart"),
  "daemon.stop": from(execution, "daemonStop"),
  "daemon.status": from(execution, "daemonStatus"),
  "daemon.logs": from(execution, "daemonLogs"),
  "work.start": from(work, "workStart"),
  "work.done": from(work, "workDone"),
  "work.abandon": from(work, "workAbandon"),
  "work.list": from(work, "workList"),
  status: from(overview, "status"),
  why: from(overview, "why"),
  waves: from(report, "waves"),
  stats: from(report, "stats"),
  lint: from(branchPlanning, "lint"),
  verify: from(report, "verify"),
  log: from(history, "log"),
  diff: from(history, "diff"),
  "config.list": from(config, "configList"),
  "config.get": from(config, "configGet"),
  "config.set": from(config, "configSet"),
  "hook.stop": from(claim, "stopHook"),
};

export const loadView = (name: CatalogueName): Promise<View> => VIEWS[name]();
