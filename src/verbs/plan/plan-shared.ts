import { key, optional } from "../kit/schema.js";

export const runKey = optional(key("run", "a planning run; the unfinished one unless given", "RUN"));
