// The commands that are not called in a loop.

import type { Command } from "./command.js";

export const COLD: readonly Command[] = [];
