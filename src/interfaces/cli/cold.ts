// The commands that are not called in a loop.

import type { Command } from "./command.js";
import { agents } from "./commands/agents.js";
import { completion } from "./commands/completion.js";
import { edit } from "./commands/edit.js";
import { expand } from "./commands/expand.js";
import { focus } from "./commands/focus.js";
import { gate } from "./commands/gate.js";
import { help } from "./commands/help.js";
import { inbox } from "./commands/inbox.js";
import { init } from "./commands/init.js";
import { level } from "./commands/level.js";
import { link } from "./commands/link.js";
import { lint } from "./commands/lint.js";
import { move } from "./commands/move.js";
import { plan } from "./commands/plan.js";
import { promote } from "./commands/promote.js";
import { replan } from "./commands/replan.js";
import { review } from "./commands/review.js";
import { stats } from "./commands/stats.js";
import { subscribe } from "./commands/subscribe.js";
import { unlink } from "./commands/unlink.js";
import { unsubscribe } from "./commands/unsubscribe.js";
import { upgrade } from "./commands/upgrade.js";
import { verify } from "./commands/verify.js";
import { version } from "./commands/version.js";
import { waves } from "./commands/waves.js";

export const COLD: readonly Command[] = [
  plan,
  expand,
  review,
  agents,
  init,
  edit,
  move,
  link,
  unlink,
  gate,
  focus,

  replan,
  promote,

  level,

  subscribe,
  unsubscribe,
  inbox,

  waves,
  lint,
  verify,
  stats,
  upgrade,
  completion,
  help,
  version,
];
