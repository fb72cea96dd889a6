// Attempts of the whole program with the real codex.

import { realWorking } from "./real-working.js";

realWorking("codex", { reviewed: true });
