// Attempts of the whole program with the real opencode.

import { realWorking } from "./real-working.js";

realWorking("opencode", { reviewed: false });
