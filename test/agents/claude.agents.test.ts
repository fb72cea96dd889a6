// The contract of agents, kept by the real claude.

import { realContract } from "./real.js";

realContract("claude");
