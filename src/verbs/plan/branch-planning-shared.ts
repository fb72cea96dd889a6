import { flag, optional } from "../kit/schema.js";

export const runChecksFirst = optional(
  flag("also run the checks before the work, and warn of those that pass already"),
);
