// Does the log, replayed from nothing, arrive at exactly the stored rows?

import { ok, type Result } from "../../graph/result.js";
import type { Verification } from "../../store/store.js";
import type { Context } from "../context.js";

export type { Verification } from "../../store/store.js";

export const verifyPlan = async (context: Context): Promise<Result<Verification>> => ok(await context.store.verify());
