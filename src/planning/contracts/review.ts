// What reviewers hand in. They judge; whether the plan passes is computed from it (verdict.ts), never taken
// from a reviewer's own word, so no contract has a field for it.

import * as z from "zod";
import { evidence, line, prose, reviewQuestion, severity, shortKey } from "./common.js";

export const AREAS = ["consistency", "soundness", "implementability", "completeness", "risk"] as const;

const rating = z.enum(["pass", "warn", "fail"]);

const finding = {
  id: shortKey.describe("The same id in every round for the same problem"),
  severity,
  title: line(200),
  description: prose(5_000),
  suggestion: prose(2_000).default(""),
  nodes: z.array(shortKey).max(100).default([]).describe("Ids of the features, stories and tasks that it is about"),
};

export const critique = z.strictObject({
  findings: z
    .array(
      z.strictObject({
        ...finding,
        area: z.enum(AREAS),
        evidence: z.array(evidence).max(20).default([]).describe("Code that shows it; required for a claim about code"),
      }),
    )
    .max(200),
  ratings: z.strictObject({
    consistency: rating,
    soundness: rating,
    implementability: rating,
    completeness: rating,
    risk: rating,
  }),
  assessment: z.strictObject({
    quality: prose(3_000),
    coherence: prose(3_000).default(""),
    technicalChoices: prose(3_000).default(""),
    strategy: prose(3_000).default(""),
  }),
  questions: z.array(reviewQuestion).max(20).default([]),
});

export type Critique = z.infer<typeof critique>;

export const overview = z.strictObject({
  findings: z.array(z.strictObject({ ...finding, evidence: z.array(evidence).max(20).default([]) })).max(200),
  assessment: prose(5_000),
  questions: z.array(reviewQuestion).max(20).default([]),
});

export type Overview = z.infer<typeof overview>;
