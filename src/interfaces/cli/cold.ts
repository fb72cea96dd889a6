// The commands that are not called in a loop.

import type { Command } from "./command.js";
import { agents } from "./commands/agents.js";
import { expand } from "./commands/expand.js";
import { lint } from "./commands/lint.js";
import { plan } from "./commands/plan.js";
import { replan } from "./commands/replan.js";
import { review } from "./commands/review.js";

export const COLD: readonly Command[] = [
  plan,
  expand,
  review,
  agents,

  replan,

  lint,
];
