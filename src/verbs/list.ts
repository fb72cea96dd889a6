// Every verb and its file. A verb is loaded when it is asked for. What has to be known of all verbs without loading them is derived
// from their declarations by the build (kit/facts.ts).

import type * as z from "zod/mini";
import type { VerbName } from "../model/next-step.js";
import { type DeclaredVerb, NO_FIELDS, type ValueOf, type Verb } from "./kit/verb.js";

export const VERBS = {
  doctor: () => import("./doctor/doctor.js"),
  gc: () => import("./workspace/gc.js"),
  install: () => import("./hosts/install.js"),
  route: () => import("./router/route.js"),
  init: () => import("./workspace/init.js"),
  upgrade: () => import("./workspace/upgrade.js"),
  sync: () => import("./sharing/sync.js"),
  add: () => import("./node/add.js"),
  edit: () => import("./node/edit.js"),
  move: () => import("./node/move.js"),
  link: () => import("./node/link.js"),
  unlink: () => import("./node/unlink.js"),
  gate: () => import("./node/gate.js"),
  focus: () => import("./node/focus.js"),
  comment: () => import("./node/comment.js"),
  label: () => import("./node/label.js"),
  promote: () => import("./node/promote.js"),
  show: () => import("./node/show.js"),
  import: () => import("./exchange/import.js"),
  export: () => import("./exchange/export.js"),
  split: () => import("./task/split.js"),
  next: () => import("./task/next.js"),
  complete: () => import("./task/complete.js"),
  check: () => import("./task/check.js"),
  fail: () => import("./task/fail.js"),
  reset: () => import("./task/reset.js"),
  accept: () => import("./task/accept.js"),
  approve: () => import("./branch/approve.js"),
  unapprove: () => import("./branch/unapprove.js"),
  freeze: () => import("./branch/freeze.js"),
  thaw: () => import("./branch/thaw.js"),
  waive: () => import("./branch/waive.js"),
  drop: () => import("./branch/drop.js"),
  archive: () => import("./branch/archive.js"),
  restore: () => import("./branch/restore.js"),
  list: () => import("./look/list.js"),
  search: () => import("./look/search.js"),
  status: () => import("./look/status.js"),
  waiting: () => import("./look/waiting.js"),
  why: () => import("./look/why.js"),
  stuck: () => import("./look/stuck.js"),
  trace: () => import("./look/trace.js"),
  children: () => import("./look/children.js"),
  graph: () => import("./look/graph.js"),
  verbs: () => import("./look/verbs.js"),
  expand: () => import("./plan/expand.js"),
  replan: () => import("./plan/replan.js"),
  review: () => import("./plan/review.js"),
  lint: () => import("./plan/lint.js"),
  "plan.step": () => import("./plan/step.js"),
  "plan.submit": () => import("./plan/submit.js"),
  "plan.look-up": () => import("./plan/look-up.js"),
  "plan.answer": () => import("./plan/answer.js"),
  "plan.start": () => import("./plan/start.js"),
  "plan.resume": () => import("./plan/resume.js"),
  "plan.list": () => import("./plan/list.js"),
  "plan.show": () => import("./plan/show.js"),
  "plan.diff": () => import("./plan/diff.js"),
  "plan.edit": () => import("./plan/edit.js"),
  "plan.apply": () => import("./plan/apply.js"),
  "plan.revise": () => import("./plan/revise.js"),
  "plan.export": () => import("./plan/export.js"),
  "plan.abort": () => import("./plan/abort.js"),
  "question.list": () => import("./question/list.js"),
  "question.answer": () => import("./question/answer.js"),
  "question.triage": () => import("./question/triage.js"),
  "question.confirm": () => import("./question/confirm.js"),
  "claim.list": () => import("./claim/list.js"),
  "claim.renew": () => import("./claim/renew.js"),
  "claim.release": () => import("./claim/release.js"),
  "conflicts.list": () => import("./conflict/list.js"),
  "conflicts.show": () => import("./conflict/show.js"),
  "conflicts.check": () => import("./conflict/check.js"),
  "conflicts.resolve": () => import("./conflict/resolve.js"),
  "conflicts.history": () => import("./conflict/history.js"),
  "record.add": () => import("./record/add.js"),
  "record.list": () => import("./record/list.js"),
  "record.approve": () => import("./record/approve.js"),
  "record.supersede": () => import("./record/supersede.js"),
  "lesson.list": () => import("./lesson/list.js"),
  "lesson.add": () => import("./lesson/add.js"),
  "lesson.approve": () => import("./lesson/approve.js"),
  "lesson.search": () => import("./lesson/search.js"),
  "lesson.forget": () => import("./lesson/forget.js"),
  "artifact.list": () => import("./artifact/list.js"),
  "news.read": () => import("./news/read.js"),
  "news.mark": () => import("./news/mark.js"),
  "news.subscribe": () => import("./news/subscribe.js"),
  "news.unsubscribe": () => import("./news/unsubscribe.js"),
  "news.subscriptions": () => import("./news/subscriptions.js"),
  run: () => import("./execution/run.js"),
  land: () => import("./execution/land.js"),
  revert: () => import("./execution/revert.js"),
  "work.start": () => import("./work/start.js"),
  "work.done": () => import("./work/done.js"),
  "work.abandon": () => import("./work/abandon.js"),
  "work.list": () => import("./work/list.js"),
  "attempt.list": () => import("./attempt/list.js"),
  "attempt.show": () => import("./attempt/show.js"),
  "attempt.diff": () => import("./attempt/diff.js"),
  "attempt.transcript": () => import("./attempt/transcript.js"),
  "attempt.kept": () => import("./attempt/kept.js"),
  "attempt.restore": () => import("./attempt/restore.js"),
  "bundle.create": () => import("./bundle/create.js"),
  "bundle.list": () => import("./bundle/list.js"),
  "bundle.check": () => import("./bundle/check.js"),
  "bundle.clean": () => import("./bundle/clean.js"),
  "daemon.run": () => import("./daemon/run.js"),
  "daemon.start": () => import("./daemon/start.js"),
  "daemon.stop": () => import("./daemon/stop.js"),
  "daemon.status": () => import("./daemon/status.js"),
  "daemon.install": () => import("./daemon/install.js"),
  "daemon.logs": () => import("./daemon/logs.js"),
  "level.show": () => import("./level/show.js"),
  level: () => import("./level/level.js"),
  undo: () => import("./history/undo.js"),
  redo: () => import("./history/redo.js"),
  log: () => import("./history/log.js"),
  diff: () => import("./history/diff.js"),
  verify: () => import("./history/verify.js"),
  costs: () => import("./insight/costs.js"),
  throughput: () => import("./insight/throughput.js"),
  forecast: () => import("./insight/forecast.js"),
  timeline: () => import("./insight/timeline.js"),
  density: () => import("./insight/density.js"),
  moment: () => import("./insight/moment.js"),
  waves: () => import("./insight/waves.js"),
  stats: () => import("./insight/stats.js"),
  "agents.list": () => import("./agents/list.js"),
  "agents.test": () => import("./agents/test.js"),
  "config.list": () => import("./config/list.js"),
  "config.get": () => import("./config/get.js"),
  "config.set": () => import("./config/set.js"),
  "config.trust": () => import("./config/trust.js"),
  "backup.create": () => import("./backup/create.js"),
  "backup.list": () => import("./backup/list.js"),
  "backup.restore": () => import("./backup/restore.js"),
  "people.list": () => import("./people/list.js"),
  "people.add": () => import("./people/add.js"),
  "people.remove": () => import("./people/remove.js"),
  "people.confirm": () => import("./people/confirm.js"),
  "browsers.list": () => import("./board/browsers.js"),
  "browsers.remove": () => import("./board/remove-browser.js"),
  "people.recovery": () => import("./people/recovery.js"),
  prime: () => import("./hook/prime.js"),
  "hook.prompt": () => import("./hook/prompt.js"),
  "hook.tool": () => import("./hook/tool.js"),
  "hook.claimed": () => import("./hook/claimed.js"),
  "hook.stop": () => import("./hook/stop.js"),
  "hook.session": () => import("./hook/session.js"),
  "hook.compact": () => import("./hook/compact.js"),
};

type Declared<Name extends keyof typeof VERBS> = Awaited<ReturnType<(typeof VERBS)[Name]>>;

type Inputs = {
  [Name in keyof typeof VERBS]: Declared<Name> extends { readonly input: infer Schema extends z.ZodMiniObject }
    ? z.input<Schema>
    : z.input<typeof NO_FIELDS>;
};

type Outputs = { [Name in keyof typeof VERBS]: ValueOf<ReturnType<Declared<Name>["verb"]["run"]>> };

declare module "../model/next-step.js" {
  interface VerbInputs extends Inputs {}
}

declare module "./kit/verb.js" {
  interface VerbOutputs extends Outputs {}
}

export type { InputOf, OutputOf } from "./kit/verb.js";

export const isVerb = (name: string): name is VerbName => Object.hasOwn(VERBS, name);

export const verbNames = (): VerbName[] => Object.keys(VERBS).filter(isVerb);

/** One verb, as every door sees it: its input is unknown until the schema has judged it. */
export async function loadVerb(name: VerbName): Promise<Verb> {
  const verb: DeclaredVerb = (await VERBS[name]()).verb;
  return { who: "both", ...verb, input: verb.input ?? NO_FIELDS, name };
}
