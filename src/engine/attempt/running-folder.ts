// The folder with a note about each running child process.

import { join } from "node:path";
import type { EngineServices } from "../services.js";

export const runningFolder = ({ context }: Pick<EngineServices, "context">): string =>
  join(context.root, ".planwright", "running");
