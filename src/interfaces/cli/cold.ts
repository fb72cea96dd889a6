// The commands that are not called in a loop.

import type { Command } from "./command.js";
import { approve } from "./commands/approve.js";
import { help } from "./commands/help.js";
import { version } from "./commands/version.js";

export const COLD: readonly Command[] = [approve, help, version];
