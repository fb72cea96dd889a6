// Attempts of the whole program with the real copilot.

import { realWorking } from "./real-working.js";

realWorking("copilot", { reviewed: true });
