// The contract of agents, kept by the real gemini.

import { realContract } from "./real.js";

realContract("gemini");
