// The contract of agents, kept by the real opencode.

import { realContract } from "./real.js";

realContract("opencode");
