// The contract of agents, kept by the real qwen.

import { realContract } from "./real.js";

realContract("qwen");
