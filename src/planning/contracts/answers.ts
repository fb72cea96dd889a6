// What the clarifier, the researcher and the reviewers hand in. Reviewers judge; whether the plan passes is computed from that
// (machine/verdict.ts), never taken from a reviewer's own word, so no contract has a field for it.

import * as z from "zod";
import { valueForEach } from "../../model/words.js";
import { evidence, line, options, prose, reviewQuestion, severity, shortKey } from "./common.js";

const areDistinct = (words: readonly string[]): boolean =>
  new Set(words.map((word) => word.toLowerCase())).size === words.length;

const question = z
  .strictObject({
    id: shortKey.describe("Q1, Q2, …"),
    question: prose(1_000).describe("One question that changes the plan depending on the answer"),
    why: prose(1_000).default("").describe("What depends on it"),
    options: options.min(2),
    default: line(100).describe("The label of the option to take if nobody answers"),
  })
  .refine(({ options, default: chosen }) => options.some(({ label }) => label === chosen), {
    path: ["default"],
    message: "must be the label of one of the options",
  })
  .refine(({ options }) => areDistinct(options.map(({ label }) => label)), {
    path: ["options"],
    message: "must have different labels",
  });

export type ClarifyingQuestion = z.infer<typeof question>;

const questions = (most: number) =>
  z
    .array(question)
    .max(most)
    .refine((asked) => areDistinct(asked.map(({ id }) => id)), "must have different ids")
    .describe("At most five, only what a person must decide; none is best");

export const clarification = z.strictObject({
  intent: prose(2_000).describe("What the person wants, in one or two sentences"),
  ambiguities: z.array(prose(500)).max(20).default([]),
  questions: questions(5),
  assumptions: z
    .array(z.strictObject({ text: prose(500), because: prose(500).default("") }))
    .max(20)
    .default([]),
});

/** From a program that reads the spec: every question that the spec leaves open is one. */
export const statedClarification = clarification.extend({ questions: questions(50) });

export type Clarification = z.infer<typeof clarification>;

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

const AREAS = ["consistency", "soundness", "implementability", "completeness", "risk"] as const;

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
  ratings: z.strictObject(valueForEach(AREAS, () => rating)),
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
