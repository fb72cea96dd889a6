// Planning runs of the whole program with the real qwen.

import { realPlanning } from "./real-planning.js";

realPlanning("qwen", "quick");
