// What people see of a turn while it goes on: one line for each thing that happens. Text comes in pieces and is put
// together first, because half a secret has no form by which one could know it.

import type { AgentEvent } from "../../machine/agents/agent.js";
import { LineCutter } from "../../machine/process/lines.js";

export interface LineReporter {
  add(event: AgentEvent): void;
  /** Tells what is still held back. */
  end(): void;
}

export function reportLines(tell: (line: string) => void): LineReporter {
  const text = new LineCutter();
  const pass = (lines: readonly string[]): void => {
    for (const line of lines) if (line.trim() !== "") tell(line.trim());
  };
  return {
    add: (event) => {
      if (event.type === "text") return pass(text.cut(event.text));
      const line = lineOf(event);
      if (line === "") return;
      pass(text.rest());
      tell(line);
    },
    end: () => pass(text.rest()),
  };
}

/** Thoughts are a sign of life and nothing to show. */
function lineOf(event: AgentEvent): string {
  if (event.type === "tool" && event.state !== "done") {
    return `${event.name}${event.state === "failed" ? " failed:" : ""} ${event.detail}`.replace(/\s+/g, " ").trim();
  }
  if (event.type === "permission" && !event.granted) return `not permitted: ${event.what}`;
  return event.type === "notice" ? event.text.trim() : "";
}
