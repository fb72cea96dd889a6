// Attempts of the whole program with the real qwen.

import { realWorking } from "./real-working.js";

realWorking("qwen", { reviewed: false });
