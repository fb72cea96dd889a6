// What the spec asks for, as domains, capabilities and behaviours, each with the words of the spec that ask for it. And where
// each behaviour goes: which files are made or changed for it, and which tests show it.

import * as z from "zod";
import { line, prose, quote, repositoryPath, shortKey } from "./common.js";

const behaviour = z.strictObject({
  id: shortKey.describe("B1, B2, …, unique in the map"),
  name: line(200),
  type: z.enum(["input", "process", "state", "output"]),
  quote: quote.describe("Words of the spec, copied exactly, that ask for this behaviour"),
  requirements: z.array(line(40)).max(20).default([]).describe("Requirement ids of the spec, such as REQ-3 or R1.2"),
});

export type Behaviour = z.infer<typeof behaviour>;

export const capability = z.strictObject({
  id: shortKey.describe("C1, C2, …"),
  name: line(200),
  quote,
  behaviours: z.array(behaviour).min(1).max(100),
});

export const domain = z.strictObject({
  id: shortKey.describe("D1, D2, …"),
  name: line(200),
  capabilities: z.array(capability).min(1).max(100),
});

const flow = z.strictObject({
  id: shortKey.describe("F1, F2, …"),
  name: line(200),
  steelThread: z.boolean().default(false).describe("True for exactly one flow: the thinnest path from end to end"),
  steps: z.array(shortKey).min(1).max(100).describe("Ids of behaviours, in order"),
});

export const capabilityMap = z.strictObject({
  goals: z.array(prose(500)).max(30).default([]),
  nonGoals: z.array(prose(500)).max(30).default([]),
  domains: z.array(domain).min(1).max(100),
  flows: z.array(flow).max(50).default([]),
  /** What the spec says and this plan leaves out on purpose. */
  leftOut: z
    .array(z.strictObject({ quote, reason: prose(500) }))
    .max(2_000)
    .default([]),
});

export type CapabilityMap = z.infer<typeof capabilityMap>;

export const behavioursOf = (map: CapabilityMap): Behaviour[] =>
  map.domains.flatMap(({ capabilities }) => capabilities.flatMap(({ behaviours }) => behaviours));

const LAYERS = ["api", "ui", "domain", "data", "infra", "test", "docs"] as const;

export const plannedFile = z.strictObject({
  path: repositoryPath,
  action: z.enum(["create", "modify", "extend"]),
  layer: z.enum(LAYERS).optional(),
  purpose: prose(500).default(""),
});

export type PlannedFile = z.infer<typeof plannedFile>;

export const fileMap = z.strictObject({
  behaviours: z
    .array(
      z.strictObject({
        behaviour: shortKey,
        files: z.array(plannedFile).min(1).max(50),
        tests: z.array(repositoryPath).max(50).default([]),
      }),
    )
    .max(5_000),
  crossCutting: z.array(plannedFile).max(100).default([]).describe("Files that no single behaviour owns"),
});

export type FileMap = z.infer<typeof fileMap>;
