// Runs as the server shows them.

import type { Output } from "../api/types.js";

export type Run = Output<"plan.show">;
export type RunSummary = Output<"plan.list">["runs"][number];
