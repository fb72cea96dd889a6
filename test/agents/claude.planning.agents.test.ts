// Planning runs of the whole program with the real claude.

import { realPlanning } from "./real-planning.js";

realPlanning("claude", "new");
