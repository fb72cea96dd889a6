// The library: every operation of the catalogue, typed.
//
//   const app = await openWorkspace(".", { actor: "agent:bot" });
//   const claimed = await app.call("next", {});

import { App, type AppOptions } from "./verbs/app.js";

export type { NextStep, VerbName } from "./model/next-step.js";
export type { Failure, FailureKind, Result } from "./model/result.js";
export { exitCodeOf } from "./model/result.js";
export { App, type AppOptions, type OfferedStep } from "./verbs/app.js";
export { describeOperations, type OperationDescription } from "./verbs/describe-operations.js";
export type { AppEvent, Ask, Door } from "./verbs/kit/session.js";
export { spell } from "./verbs/kit/spell.js";
export type { InputOf, OutputOf } from "./verbs/kit/verb.js";

/** The plan around a folder. Throws when there is none; `init` makes one: `new App({ folder }).call("init", {})`. */
export async function openWorkspace(folder: string, options: Omit<AppOptions, "folder">): Promise<App> {
  const app = new App({ folder, ...options });
  await app.open();
  return app;
}
