// The library: the same actions as the command line, typed.

export { accept } from "./actions/accept.js";
export { type Added, type Addition, add } from "./actions/add.js";
export { type Approved, type ApproveInput, approve } from "./actions/approve.js";
export { type CompleteInput, type Completion, complete } from "./actions/complete.js";
export type { ActionSettings, Context } from "./actions/context.js";
export { type Edited, type EditInput, edit } from "./actions/edit.js";
export { type FailInput, fail } from "./actions/fail.js";
export { type Focus, readFocus, setFocus } from "./actions/focus.js";
export { type Gated, type GateInput, gate } from "./actions/gate.js";
export { type Held, heartbeat } from "./actions/heartbeat.js";
export { type InitInput, type Initiated, init } from "./actions/init.js";
export { type Linked, type LinkInput, link } from "./actions/link.js";
export { type Moved, type MoveInput, move } from "./actions/move.js";
export { type Assignment, type NextInput, next, peek } from "./actions/next.js";
export { release } from "./actions/release.js";
export { reset } from "./actions/reset.js";
export { show } from "./actions/show.js";
export { start } from "./actions/start.js";
export { type UnlinkInput, unlink } from "./actions/unlink.js";
export type { NodeView } from "./actions/view.js";
export type { Failure, Result } from "./graph/result.js";
export { createStore } from "./store/create.js";
export { openStore } from "./store/open.js";
export type { Reader, Store } from "./store/store.js";
export { openWorkspace } from "./workspace.js";
