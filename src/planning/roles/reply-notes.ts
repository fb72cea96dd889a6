// What has to be said about a reply besides its content: submissions that were refused on the way, and files that an agent
// changed although it may only read.

import type { RoleCall } from "../../graph/item/planning-run.js";
import type { PutBackFiles } from "../driver/services.js";
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

/** `changed`: files that were put back, and where copies of them are. */
export function withWarning(reply: RoleReply, changed: PutBackFiles | null): RoleReply {
  if (changed === null) return reply;
  const { files, copies } = changed;
  const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : "";
  const warning = `Put back ${files.slice(0, SHOWN).join(", ")}${more}: the agent may only read. If a change was yours, its copy is in ${copies}.`;
  return { ...reply, message: [reply.message ?? "", warning].filter((words) => words !== "").join(" ") };
}
