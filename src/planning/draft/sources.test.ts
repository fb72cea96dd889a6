import { expect, it } from "vitest";
import { draft, map, task } from "../../../test/plan-draft.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import { parseSpec } from "../spec/parse.js";
import { taskBody } from "./plan-nodes.js";
import { withSources } from "./sources.js";

const SPEC = parseSpec(
  "# Lamp\n\n- REQ-1: The lamp can be switched on. It never burns.\n- [x] REQ-2: It has a plug.\n\n## REQ-3 Colour\n\n- Green\n",
);

const sourced = (more: Partial<DraftTask>): DraftTask | undefined =>
  withSources(draft([task("T1", more)]), map(["B1"]), SPEC).tasks[0];

it.each<[what: string, more: Partial<DraftTask>, quotes: string[]]>([
  ["the line of its requirement", { requirements: ["REQ-1"] }, ["REQ-1: The lamp can be switched on. It never burns."]],
  ["the words of its behaviour", { behaviours: ["B1"] }, ["The lamp can be switched on."]],
  [
    "the same words only once",
    { behaviours: ["B1"], requirements: ["REQ-1"] },
    ["REQ-1: The lamp can be switched on. It never burns."],
  ],
  ["what is done already no more", { requirements: ["REQ-2"] }, []],
  ["nothing for the requirement of a heading: each line below it speaks for itself", { requirements: ["REQ-3"] }, []],
])("no task counts for a line that its worker never reads: it gets %s", (_, more, quotes) => {
  expect(sourced(more)?.quotes).toEqual(quotes);
});

it("a task keeps its own quotes, and its body in the plan holds them all", () => {
  const found = sourced({ quotes: ["Green"], requirements: ["REQ-1"] });
  expect(found && taskBody(found)).toContain("> Green\n> REQ-1: The lamp can be switched on. It never burns.");
});
