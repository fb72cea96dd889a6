// Where each behaviour goes: which files are made or changed for it, and which tests show it.

import * as z from "zod";
import { prose, repositoryPath, shortKey } from "./common.js";

export const LAYERS = ["api", "ui", "domain", "data", "infra", "test", "docs"] as const;

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
