// The library: the same actions as the command line, typed.

export { type Accepted, accept } from "./actions/accept.js";
export { activeRecords } from "./actions/active-records.js";
export { type Added, type Addition, add } from "./actions/add.js";
export { type Answered, type AnswerInput, answer } from "./actions/answer.js";
export { type Approved, type ApproveInput, approve } from "./actions/approve.js";
export { type Archived, archive, type Restored, restore } from "./actions/archive.js";
export { type ArtifactsInput, type ArtifactView, artifacts } from "./actions/artifacts.js";
export {
  type AttemptLine,
  type AttemptsInput,
  type AttemptView,
  attempts,
  showAttempt,
} from "./actions/attempts.js";
export { type AttemptDiff, attemptDiff } from "./actions/attempts-diff.js";
export { type Expired, type ExpireInput, expireKept, type KeptView, keptWork } from "./actions/attempts-expire.js";
export { type Restored as RestoredAttempt, type RestoreInput, restoreAttempt } from "./actions/attempts-restore.js";
export { type BundleAsk, type Bundled, type BundleView, bundle } from "./actions/bundle.js";
export {
  type BundleChecked,
  type BundleListed,
  type BundlesCleaned,
  bundles,
  checkBundle,
  cleanBundles,
} from "./actions/bundle-check.js";
export { type CompleteInput, type Completion, complete } from "./actions/complete.js";
export type { ActionSettings, Context } from "./actions/context.js";
export { type Diff, diff, type FieldDiff, type RowDiff } from "./actions/diff.js";
export { type Dropped, drop } from "./actions/drop.js";
export { type Edited, type EditInput, edit } from "./actions/edit.js";
export { type Question, type Raised, raise, withdraw } from "./actions/escalate.js";
export { type EscalationView, escalations } from "./actions/escalations.js";
export { type FailInput, fail } from "./actions/fail.js";
export { type Focus, readFocus, setFocus } from "./actions/focus.js";
export { type FreezeInput, type Frozen, freeze } from "./actions/freeze.js";
export { type Gated, type GateInput, gate } from "./actions/gate.js";
export { type Held, heartbeat } from "./actions/heartbeat.js";
export { type EndedSubscription, type Inbox, inbox, type NewsView } from "./actions/inbox.js";
export { type Waited, waitForNews } from "./actions/inbox-wait.js";
export { type InitInput, type Initiated, init } from "./actions/init.js";
export { type LevelInput, type LevelSet, type LevelView, readLevel, setLevel } from "./actions/level.js";
export { type Linked, type LinkInput, link } from "./actions/link.js";
export { type Finding, type Linted, lint } from "./actions/lint.js";
export { type Log, type LogEntry, type LogInput, log } from "./actions/log.js";
export {
  type Forgotten,
  type FoundMemory,
  forget,
  type MemoryInput,
  type MemoryView,
  memories,
  type Remembered,
  remember,
  searchMemories,
} from "./actions/memory.js";
export { type Moved, type MoveInput, move } from "./actions/move.js";
export { type Assignment, type NextInput, next, peek } from "./actions/next.js";
export { type Promoted, type PromoteInput, promote } from "./actions/promote.js";
export { type Recorded, type RecordInput, record } from "./actions/record.js";
export type { RecordView } from "./actions/record-view.js";
export {
  approveRecords,
  type RecordsApproved,
  type RecordsInput,
  records,
  type Superseded,
  type SupersedeInput,
  supersedeRecord,
} from "./actions/records.js";
export { release } from "./actions/release.js";
export { type Replanned, replan } from "./actions/replan.js";
export { reset, type WasReset } from "./actions/reset.js";
export { type Shown, show } from "./actions/show.js";
export { type RunView, type ShownItem, showItem } from "./actions/show-item.js";
export { start } from "./actions/start.js";
export { type Stats, stats } from "./actions/stats.js";
export { type StatusInput, type StatusTree, type StatusView, status } from "./actions/status.js";
export {
  type Subscribed,
  type SubscribeInput,
  type SubscriptionView,
  subscribe,
  subscriptions,
} from "./actions/subscribe.js";
export { type Thawed, type ThawInput, thaw } from "./actions/thaw.js";
export { confirmTriage, type Triaged, type TriageView, triage } from "./actions/triage.js";
export { type Unapproved, unapprove } from "./actions/unapprove.js";
export { redo, type Turned, type Undoable, undo, undoable } from "./actions/undo.js";
export { type UnlinkInput, unlink } from "./actions/unlink.js";
export { type Unsubscribed, type UnsubscribeInput, unsubscribe } from "./actions/unsubscribe.js";
export { type Verification, verify } from "./actions/verify.js";
export type { NodeView } from "./actions/view.js";
export { type Waived, waive } from "./actions/waive.js";
export { type Waved, type WavesView, waves } from "./actions/waves.js";
export { type Why, type WhyStep, why } from "./actions/why.js";
export type { Workshop } from "./execution/workshop.js";
export type { Failure, Result } from "./graph/result.js";
export type { Planner } from "./planning/planner.js";
export type { Request } from "./planning/run/begin.js";
export type { Hooks } from "./planning/run/services.js";
export type { RunView as PlanningRunView } from "./planning/run/view.js";
export { createStore } from "./store/create.js";
export { openStore } from "./store/open.js";
export type { Reader, Store } from "./store/store.js";
export { openPlanner, openWorkshop, openWorkspace } from "./workspace.js";
