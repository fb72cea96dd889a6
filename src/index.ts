// The library: the same actions as the command line, typed.

export { type AttemptDiff, attemptDiff } from "./actions/attempt/attempt-diff.js";
export { type Expired, type ExpireInput, expireKept, type KeptView, keptWork } from "./actions/attempt/expire-kept.js";
export {
  type AttemptLine,
  type AttemptsInput,
  type AttemptView,
  attempts,
  showAttempt,
} from "./actions/attempt/list-attempts.js";
export {
  type Restored as RestoredAttempt,
  type RestoreInput,
  restoreAttempt,
} from "./actions/attempt/restore-attempt.js";
export { type Approved, type ApproveInput, approve } from "./actions/branch/approve.js";
export { type Archived, archive, type Restored, restore } from "./actions/branch/archive.js";
export { type Dropped, drop } from "./actions/branch/drop.js";
export { type FreezeInput, type Frozen, freeze } from "./actions/branch/freeze.js";
export { type Replanned, replan } from "./actions/branch/replan.js";
export { type Thawed, type ThawInput, thaw } from "./actions/branch/thaw.js";
export { type Unapproved, unapprove } from "./actions/branch/unapprove.js";
export { type Waived, waive } from "./actions/branch/waive.js";
export { type BundleAsk, type Bundled, type BundleView, createBundles } from "./actions/bundle/bundle.js";
export {
  type BundleChecked,
  type BundleListed,
  type BundlesCleaned,
  checkBundle,
  cleanBundles,
  listBundles,
} from "./actions/bundle/bundle-check.js";
export { type Accepted, accept } from "./actions/claim/accept.js";
export { type CompleteInput, type Completion, complete } from "./actions/claim/complete.js";
export { type FailInput, fail } from "./actions/claim/fail.js";
export { type Assignment, type NextInput, next, peek } from "./actions/claim/next.js";
export { type Released, releaseClaim } from "./actions/claim/release.js";
export { type Held, renewClaim } from "./actions/claim/renew.js";
export { reset, type WasReset } from "./actions/claim/reset.js";
export { start } from "./actions/claim/start.js";
export type { ActionSettings, Context } from "./actions/context.js";
export { type Diff, diff, type FieldDiff, type RowDiff } from "./actions/history/diff.js";
export { type Log, type LogEntry, type LogInput, log } from "./actions/history/log.js";
export { redo, type Turned, type Undoable, undo, undoable } from "./actions/history/undo.js";
export { type Verification, verify } from "./actions/history/verify.js";
export { type ArtifactsInput, type ArtifactView, listArtifacts } from "./actions/item/list-artifacts.js";
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
} from "./actions/item/memory.js";
export { type RunView, type ShownItem, showItem } from "./actions/item/show-item.js";
export { type LevelInput, type LevelSet, type LevelView, readLevel, setLevel } from "./actions/level/level.js";
export {
  type EndedSubscription,
  markNews,
  type NewsPage,
  type NewsView,
  type ReadMark,
  readNews,
} from "./actions/news/read-news.js";
export {
  listSubscriptions,
  type Subscribed,
  type SubscribeInput,
  type SubscriptionView,
  subscribe,
} from "./actions/news/subscribe.js";
export { type Unsubscribed, type UnsubscribeInput, unsubscribe } from "./actions/news/unsubscribe.js";
export { type Waited, waitForNews } from "./actions/news/wait-for-news.js";
export { type Added, type Addition, add } from "./actions/node/add.js";
export { type Edited, type EditInput, edit } from "./actions/node/edit.js";
export { type Focus, readFocus, setFocus } from "./actions/node/focus.js";
export { type Gated, type GateInput, gate } from "./actions/node/gate.js";
export { type InitInput, type Initiated, init } from "./actions/node/init.js";
export { type Linked, type LinkInput, link } from "./actions/node/link.js";
export { type Moved, type MoveInput, move } from "./actions/node/move.js";
export { type Promoted, type PromoteInput, promote } from "./actions/node/promote.js";
export { type Shown, show } from "./actions/node/show.js";
export { type UnlinkInput, unlink } from "./actions/node/unlink.js";
export { type Finding, type Linted, lint } from "./actions/overview/lint.js";
export { type Stats, stats } from "./actions/overview/stats.js";
export { type StatusInput, type StatusTree, type StatusView, status } from "./actions/overview/status.js";
export { type WavesView, waves } from "./actions/overview/waves.js";
export { type Why, type WhyStep, why } from "./actions/overview/why.js";
export { type Answered, type AnswerInput, answer } from "./actions/question/answer.js";
export { type EscalationView, listQuestions } from "./actions/question/list-questions.js";
export { type Question, type Raised, raise, withdraw } from "./actions/question/raise.js";
export { confirmTriage, type Triaged, type TriageView, triage } from "./actions/question/triage.js";
export { activeRecords } from "./actions/record/active-records.js";
export { addRecord, type Recorded, type RecordInput } from "./actions/record/add-record.js";
export {
  approveRecords,
  listRecords,
  type RecordsApproved,
  type RecordsInput,
  type Superseded,
  type SupersedeInput,
  supersedeRecord,
} from "./actions/record/list-records.js";
export type { RecordView } from "./actions/record/record-view.js";
export type { NodeView } from "./actions/view.js";
export { openWorkspace } from "./app/workspace.js";
export type { Failure, Result } from "./graph/result.js";
export type { PlanningRunView } from "./planning/driver/view.js";
export { createStore } from "./store/create.js";
export { openStore } from "./store/open.js";
export type { Reader, Store } from "./store/store.js";
