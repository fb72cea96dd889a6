// The library: every operation of the catalogue, typed.
//
//   const app = await openWorkspace(".", { actor: "agent:bot" });
//   const claimed = await app.call("next", {});

import { App, type AppOptions } from "./app/app.js";

export { App, type AppOptions, type OfferedStep } from "./app/app.js";
export type { InputOf, OutputOf } from "./app/catalogue.js";
export { spell } from "./app/command-line.js";
export { describeOperations, type OperationDescription } from "./app/describe-operations.js";
export type { AppEvent, Ask, Door } from "./app/session.js";
export type { NextStep } from "./model/next-step.js";
export type { OperationName } from "./model/operation-names.js";
export type { Failure, FailureKind, Result } from "./model/result.js";
export { exitCodeOf } from "./model/result.js";

/** The plan around a folder. Throws when there is none; `init` makes one: `new App({ folder }).call("init", {})`. */
export async function openWorkspace(folder: string, options: Omit<AppOptions, "folder">): Promise<App> {
  const app = new App({ folder, ...options });
  await app.open();
  return app;
}
