// Drafts for tests of planning: small, whole, and without findings unless a test asks for trouble.

import * as fc from "fast-check";
import type { CapabilityMap, FileMap } from "../src/planning/contracts/maps.js";
import type { DraftTask, PlanDraft } from "../src/planning/contracts/plan-draft.js";

export const task = (id: string, more: Partial<DraftTask> = {}): DraftTask => ({
  id,
  parent: "F1",
  kind: "work",
  title: `Make ${id}`,
  body: `Make ${id} and show that it works.`,
  behaviours: [],
  requirements: [],
  quotes: [],
  dependsOn: [],
  files: [file(`src/${id.toLowerCase()}.ts`)],
  symbols: [],
  checks: [{ run: "npm test" }],
  profile: "backend",
  estimateHours: 2,
  steelThread: false,
  ...more,
});

export const file = (path: string, more: Partial<DraftTask["files"][number]> = {}): DraftTask["files"][number] => ({
  path,
  action: "create",
  purpose: "",
  ...more,
});

export const draft = (tasks: readonly DraftTask[], more: Partial<PlanDraft> = {}): PlanDraft => ({
  title: "A lamp",
  overview: "A lamp that can be switched.",
  goals: [],
  nonGoals: [],
  decisions: [],
  risks: [],
  rollback: "Take the lamp away.",
  initiatives: [],
  features: [{ id: "F1", title: "Lamp", body: "" }],
  stories: [],
  tasks: [...tasks],
  ...more,
});

export const map = (behaviours: readonly string[], more: Partial<CapabilityMap> = {}): CapabilityMap => ({
  goals: [],
  nonGoals: [],
  domains: [
    {
      id: "D1",
      name: "Light",
      capabilities: [
        {
          id: "C1",
          name: "Switching",
          quote: "The lamp can be switched on.",
          behaviours: behaviours.map((id) => ({
            id,
            name: `Behaviour ${id}`,
            type: "process",
            quote: "The lamp can be switched on.",
            requirements: [],
          })),
        },
      ],
    },
  ],
  flows: [{ id: "FL1", name: "On and off", steelThread: true, steps: [...behaviours] }],
  leftOut: [],
  ...more,
});

export const files = (behaviours: readonly string[], more: Partial<FileMap> = {}): FileMap => ({
  behaviours: behaviours.map((behaviour) => ({
    behaviour,
    files: [file(`src/${behaviour.toLowerCase()}.ts`)],
    tests: [],
  })),
  crossCutting: [],
  ...more,
});

const PATHS = ["src/a.ts", "src/b.ts", "src/c.ts", "src/", "src/deep/d.ts", "src/deep/", "docs/e.md"];

/** Any draft that lint can read; dependencies only on earlier tasks, unless `wild`. */
export const drafts = ({ wild = false } = {}): fc.Arbitrary<PlanDraft> =>
  fc
    .array(
      fc.record({
        parent: fc.constantFrom("F1", "F2", "F3", "S1", "S2"),
        kind: fc.constantFrom("work", "work", "work", "gate", "review"),
        on: fc.array(fc.nat(), { maxLength: 3 }),
        loose: fc.array(fc.constantFrom("F1", "f2", "S1", "t1", "T2", "NOPE", "x-9"), { maxLength: wild ? 3 : 0 }),
        paths: fc.array(fc.constantFrom(...PATHS), { maxLength: 3 }),
        hours: fc.integer({ min: 1, max: 20 }),
        steel: fc.boolean(),
        spaces: fc.boolean(),
      }),
      { maxLength: 14 },
    )
    .map((parts) => {
      const tasks = parts.map(({ parent, kind, on, loose, paths, hours, steel, spaces }, at) => {
        const earlier = at === 0 ? [] : on.map((nr) => `T${(nr % at) + 1}`);
        const { profile: _, ...rest } = task(`T${at + 1}`, {
          parent: wild && spaces ? parent.toLowerCase() : parent,
          kind,
          title: wild && spaces ? ` Make T${at + 1} ` : `Make T${at + 1}`,
          dependsOn: [...earlier, ...loose],
          files: (wild ? paths : [...new Set(paths)]).map((path) => file(path)),
          estimateHours: hours,
          steelThread: steel,
        });
        return rest;
      });
      return draft(tasks, {
        features: ["F1", "F2", "F3"].map((id) => ({ id, title: `Feature ${id}`, body: "" })),
        stories: [
          { id: "S1", feature: "F1", title: "Story S1", body: "" },
          { id: "S2", feature: "F2", title: "Story S2", body: "" },
        ],
      });
    });
