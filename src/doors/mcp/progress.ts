// What happens during a long operation, in a few words for the client's progress line.

import type { AppEvent } from "../../verbs/kit/session.js";
import { progressLines } from "../../verbs/text/progress-lines.js";
import { cleaned } from "./shorten.js";

/** Undefined: not worth a line. */
export function progressLine(event: AppEvent): string | undefined {
  const line = lineOf(event);
  return line === undefined ? undefined : cleaned(line).slice(0, 200);
}

function lineOf(event: AppEvent): string | undefined {
  if (event.kind === "check") return `Running ${event.check.run}`;
  if (event.kind === "engine") {
    const { event: told } = event;
    if (told.type === "state") return `${told.task}: ${told.state}`;
    if (told.type === "end") return `${told.task}: ${told.state}${told.note === "" ? "" : `, ${told.note}`}`;
    return told.type === "notice" ? told.text : undefined;
  }
  const { progress } = event;
  if (progress.type === "asking") return `Asking ${progress.agent} as ${progress.role} (${progress.stage})`;
  return progressLines(progress)[0];
}
