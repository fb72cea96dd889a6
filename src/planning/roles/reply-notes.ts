// What has to be said about a reply besides its content: submissions that were refused on the way, and files that an agent
// wrote although it may only read.

import type { RoleCall } from "../../model/item/planning-run.js";
import { shortText } from "../driver/short-text.js";
import type { RoleReply } from "./server.js";

/** Why there is no result: what was wrong with the last submission, with its field paths, if there was one. */
export const whyNothing = ({ refused = [], message = "Nothing was handed in." }: RoleReply): readonly string[] =>
  refused.at(-1) ?? [shortText(message)];

/** An answer that counts, after others that were refused. */
export function refusalsOf({ refused = [] }: RoleReply): RoleCall["error"] {
  if (refused.length === 0) return null;
  const head = `submit refused ${refused.length === 1 ? "one reply" : `${refused.length} replies`}:`;
  const message = [head, ...refused.flat()].join("\n");
  return { message, recovery: "The agent corrected it in the same turn.", settled: true };
}

const SHOWN = 5;

/** Said once in a run. */
export function describeWritten(files: readonly string[]): string {
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : "";
  return `It may only read, but wrote ${files.slice(0, SHOWN).join(", ")}${more} in its own copy of the files. The copy is thrown away.`;
}
