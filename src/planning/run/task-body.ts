// What a task's body says in the plan: the author's words, then where they come from. Bundles read these lines.

import type { DraftTask } from "../contracts/plan-draft.js";

export function taskBody({ body, behaviours, requirements, quotes, files }: DraftTask): string {
  const purposes = files
    .filter(({ purpose }) => purpose !== "")
    .map(({ path, action, purpose }) => `- ${path} (${action}): ${purpose}`);
  const parts = [
    body.trim(),
    purposes.length > 0 ? `Files:\n${purposes.join("\n")}` : "",
    quotes.length > 0 ? `From the spec:\n${quotes.map((quote) => `> ${quote.replace(/\s+/g, " ")}`).join("\n")}` : "",
    behaviours.length > 0 ? `Behaviours: ${behaviours.join(", ")}` : "",
    requirements.length > 0 ? `Requirements: ${requirements.join(", ")}` : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
