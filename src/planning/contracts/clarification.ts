// What the clarifier hands in: what it understood, what only a person can decide, and what it assumes.

import * as z from "zod";
import { line, prose, shortKey } from "./common.js";

const areDistinct = (words: readonly string[]): boolean =>
  new Set(words.map((word) => word.toLowerCase())).size === words.length;

export const question = z
  .strictObject({
    id: shortKey.describe("Q1, Q2, …"),
    question: prose(1_000).describe("One question that changes the plan depending on the answer"),
    why: prose(1_000).default("").describe("What depends on it"),
    options: z
      .array(z.strictObject({ label: line(100), detail: prose(500).default("") }))
      .min(2)
      .max(4),
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
