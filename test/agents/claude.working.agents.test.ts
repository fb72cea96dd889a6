// Attempts of the whole program with the real claude.

import { realWorking } from "./real-working.js";

realWorking("claude", { reviewed: true });
