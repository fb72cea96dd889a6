// Planning runs of the whole program with the real opencode.

import { realPlanning } from "./real-planning.js";

realPlanning("opencode", "quick");
