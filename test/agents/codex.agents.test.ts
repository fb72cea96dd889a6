// The contract of agents, kept by the real codex.

import { realContract } from "./real.js";

realContract("codex");
