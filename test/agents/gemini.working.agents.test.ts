// Attempts of the whole program with the real gemini.

import { realWorking } from "./real-working.js";

realWorking("gemini", { reviewed: false });
