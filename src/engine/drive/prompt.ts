// The prompts for a worker: the rules, the bundle of the task, and what was wrong before.

import RULES from "../prompts/worker.md";
import { ABOUT_FENCES, fenced } from "./fence.js";

export const taskPrompt = (bundle: string, failure: string | null, remark: string | null): string =>
  [
    RULES.trim(),
    bundle.trim(),
    ...(remark === null ? [] : [remark]),
    ...(failure === null ? [] : [earlier(failure)]),
  ].join("\n\n");

const earlier = (failure: string): string =>
  `# An earlier attempt was turned down\n\nIt began where you begin now; nothing of it is in the folder. What was wrong:\n\n${fenced(failure)}\n\n${ABOUT_FENCES}`;

export const failurePrompt = (failure: string): string =>
  `Your work was looked at, and is not done yet. Everything that you changed is still there. Fix this, then end your turn:\n\n${fenced(failure)}\n\n${ABOUT_FENCES}`;
