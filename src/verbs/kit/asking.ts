// How a verb's text asks the plan for something else: the application, as far as a verb may know it.

import type { VerbInputs, VerbName } from "../../model/next-step.js";
import type { Result } from "../../model/result.js";
import type { Door } from "./session.js";
import type { Folder } from "./verb.js";

/** What each verb answers. The list of verbs fills it in (verbs/list.ts). */
// oxlint-disable-next-line no-empty-interface, no-empty-object-type -- verbs/list.ts extends it
export interface VerbOutputs {}

export type InputOf<Name extends VerbName> = VerbInputs[Name];
export type OutputOf<Name extends VerbName> = Name extends keyof VerbOutputs ? VerbOutputs[Name] : never;

export interface PlanAsker {
  /** Asks for one verb. The input is judged by the verb's schema, whatever door it came through. */
  call<Name extends VerbName>(name: Name, input: InputOf<Name>): Promise<Result<OutputOf<Name>>>;
  /** The same where name and input are known only at run time; `door` is for this call alone. */
  ask(name: VerbName, input: unknown, door?: Door): Promise<Result<unknown>>;
  folder(): Folder;
  /** A path relative to the caller's folder, as one of the workspace. */
  pathOf(typed: string): string;
  /** At once, and then again when the plan has changed, not more often than asked. */
  changes(options: { readonly signal: AbortSignal; readonly gapMs: () => number }): AsyncIterable<void>;
}
