// The commands that are not called in a loop.

import type { Command } from "./command.js";
import { agents } from "./commands/agents.js";
import { expand } from "./commands/expand.js";
import { level } from "./commands/level.js";
import { lint } from "./commands/lint.js";
import { plan } from "./commands/plan.js";
import { replan } from "./commands/replan.js";
import { review } from "./commands/review.js";
import { stats } from "./commands/stats.js";
import { verify } from "./commands/verify.js";
import { waves } from "./commands/waves.js";

export const COLD: readonly Command[] = [
  plan,
  expand,
  review,
  agents,

  replan,

  level,

  waves,
  lint,
  verify,
  stats,
];
