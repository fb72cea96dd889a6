// Where processes are noted while they run.

import { join } from "node:path";
import type { Services } from "../engine/services.js";

export const runningFolder = ({ context }: Services): string => join(context.root, ".planwright", "running");
