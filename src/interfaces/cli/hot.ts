// What agents ask in a loop: read with the program itself.

import type { Command } from "./command.js";
import { next } from "./commands/next.js";

export const HOT: readonly Command[] = [next];
