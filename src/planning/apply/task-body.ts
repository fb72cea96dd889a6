// What a task's body says in the plan: the author's words, then where they come from. Bundles read these lines.

import type { DraftTask } from "../contracts/plan-draft.js";

const inLine = (words: string): string => words.trim().replace(/\s+/g, " ");

export function taskBody({ body, behaviours, requirements, quotes, files }: DraftTask): string {
  const purposes = files
    .filter(({ purpose }) => purpose.trim() !== "")
    .map(({ path, action, purpose }) => `- ${path} (${action}): ${inLine(purpose)}`);
  const own = body.trim();
  const sources = [
    purposes.length > 0 ? `Files:\n${purposes.join("\n")}` : "",
    quotes.length > 0 ? `From the spec:\n${quotes.map((quote) => `> ${inLine(quote)}`).join("\n")}` : "",
    behaviours.length > 0 ? `Behaviours: ${behaviours.join(", ")}` : "",
    requirements.length > 0 ? `Requirements: ${requirements.join(", ")}` : "",
  ];
  // A body that was read from the plan has them already.
  const there = new Set(own.split("\n\n"));
  return [own, ...sources.filter((part) => !there.has(part))].filter((part) => part !== "").join("\n\n");
}
