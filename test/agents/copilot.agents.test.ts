// The contract of agents, kept by the real copilot.

import { realContract } from "./real.js";

realContract("copilot");
