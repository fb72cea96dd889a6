// The library: the same actions as the command line, typed.

export { type Added, type Addition, add } from "./actions/add.js";
export type { ActionSettings, Context } from "./actions/context.js";
export { type Assignment, type NextInput, next, peek } from "./actions/next.js";
export { show } from "./actions/show.js";
export type { NodeView } from "./actions/view.js";
export type { Failure, Result } from "./graph/result.js";
export { createStore } from "./store/create.js";
export { openStore } from "./store/open.js";
export type { Reader, Store } from "./store/store.js";
