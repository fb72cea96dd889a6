// Planning runs of the whole program with the real gemini.

import { realPlanning } from "./real-planning.js";

realPlanning("gemini", "quick");
