// The commands that are not called in a loop.

import type { Command } from "./command.js";
import { agents } from "./commands/agents.js";
import { approve } from "./commands/approve.js";
import { archive } from "./commands/archive.js";
import { completion } from "./commands/completion.js";
import { diff } from "./commands/diff.js";
import { drop } from "./commands/drop.js";
import { edit } from "./commands/edit.js";
import { expand } from "./commands/expand.js";
import { focus } from "./commands/focus.js";
import { freeze } from "./commands/freeze.js";
import { gate } from "./commands/gate.js";
import { help } from "./commands/help.js";
import { init } from "./commands/init.js";
import { link } from "./commands/link.js";
import { lint } from "./commands/lint.js";
import { log } from "./commands/log.js";
import { move } from "./commands/move.js";
import { plan } from "./commands/plan.js";
import { promote } from "./commands/promote.js";
import { redo } from "./commands/redo.js";
import { replan } from "./commands/replan.js";
import { review } from "./commands/review.js";
import { stats } from "./commands/stats.js";
import { status } from "./commands/status.js";
import { thaw } from "./commands/thaw.js";
import { unapprove } from "./commands/unapprove.js";
import { undo } from "./commands/undo.js";
import { unlink } from "./commands/unlink.js";
import { upgrade } from "./commands/upgrade.js";
import { verify } from "./commands/verify.js";
import { version } from "./commands/version.js";
import { waive } from "./commands/waive.js";
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
  approve,
  unapprove,
  freeze,
  thaw,
  replan,
  promote,
  waive,
  drop,
  archive,
  undo,
  redo,
  status,
  log,
  diff,
  waves,
  lint,
  verify,
  stats,
  upgrade,
  completion,
  help,
  version,
];
