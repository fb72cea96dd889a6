// What the researcher hands in: what the code and the documents say that matters for the plan.

import * as z from "zod";
import { evidence, line, prose } from "./common.js";

export const research = z.strictObject({
  summary: prose(5_000),
  findings: z
    .array(z.strictObject({ topic: line(200), text: prose(3_000), evidence: z.array(evidence).max(10).default([]) }))
    .max(100),
  /** Commands that build and test this repository, as found in it. */
  commands: z
    .array(z.strictObject({ purpose: line(200), run: line(500) }))
    .max(20)
    .default([]),
});

export type Research = z.infer<typeof research>;
