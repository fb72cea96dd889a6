// The commands that workers call for every task.

import type { Command } from "./command.js";
import { start } from "./commands/start.js";

export const WARM: readonly Command[] = [start];
