import { expect, it } from "vitest";
import { validatorOf } from "../../machine/agents/submit.js";
import type { AgentReport } from "./agent.js";
import { REPORT, readReport } from "./agent.js";

const PARTS = [
  { title: "One", files: ["a"], checks: ["true"], profile: "api" },
  { title: "Two", files: [], body: "b", after: [0] },
];

it.each<[string, AgentReport, object]>([
  ["done", { outcome: "done", summary: "s" }, { ending: "done" }],
  [
    "cannot",
    { outcome: "cannot", summary: "s", class: "plan" },
    { ending: "gave-up", failure: { class: "plan", reason: "s" } },
  ],
  [
    "cannot, of no class",
    { outcome: "cannot", summary: "s" },
    { ending: "gave-up", failure: { class: "design", reason: "s" } },
  ],
  [
    "too big, in one part",
    { outcome: "too-big", summary: "s", parts: PARTS.slice(1) },
    { ending: "gave-up", failure: { class: "design", reason: "s" } },
  ],
  [
    "too big",
    { outcome: "too-big", summary: "s", parts: PARTS },
    {
      ending: "split",
      split: {
        why: "s",
        parts: [
          { title: "One", body: "", files: ["a"], profile: "api", after: [], checks: [{ run: "true" }] },
          { title: "Two", body: "b", files: [], profile: null, after: [0], checks: [] },
        ],
      },
    },
  ],
])("a report of %s", async (_, report, read) => {
  expect(await validatorOf(REPORT)(report)).toEqual([]);
  expect(readReport(report)).toEqual(read);
});

it.each([
  { outcome: "fine", summary: "s" },
  { outcome: "done" },
  { outcome: "cannot", summary: "s", class: "transient" },
])("%j is no report", async (value) => {
  expect(await validatorOf(REPORT)(value)).not.toEqual([]);
});
