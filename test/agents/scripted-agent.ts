// Where the scripted agent is after test/build.setup.ts has bundled it.

import { resolve } from "node:path";

export const SCRIPTED_AGENT = resolve(import.meta.dirname, "../../node_modules/.cache/scripted-agent.mjs");
