// Planning runs of the whole program with the real codex.

import { realPlanning } from "./real-planning.js";

realPlanning("codex", "new");
