// The commands that workers call for every task.

import type { Command } from "./command.js";
import { accept } from "./commands/accept.js";
import { add } from "./commands/add.js";
import { complete } from "./commands/complete.js";
import { fail } from "./commands/fail.js";
import { heartbeat } from "./commands/heartbeat.js";
import { release } from "./commands/release.js";
import { reset } from "./commands/reset.js";
import { start } from "./commands/start.js";

export const WARM: readonly Command[] = [add, start, heartbeat, complete, fail, reset, accept, release];
