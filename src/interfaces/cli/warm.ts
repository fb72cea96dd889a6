// The commands that workers call for every task.

import type { Command } from "./command.js";
import { add } from "./commands/add.js";
import { start } from "./commands/start.js";

export const WARM: readonly Command[] = [add, start];
