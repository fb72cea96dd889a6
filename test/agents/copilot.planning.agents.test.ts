// Planning runs of the whole program with the real copilot.

import { realPlanning } from "./real-planning.js";

realPlanning("copilot", "quick");
