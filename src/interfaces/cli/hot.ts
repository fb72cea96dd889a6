// What agents ask in a loop: read with the program itself.

import type { Command } from "./command.js";
import { next } from "./commands/next.js";
import { show } from "./commands/show.js";
import { why } from "./commands/why.js";

export const HOT: readonly Command[] = [next, show, why];
