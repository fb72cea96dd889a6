import { describe, expect, it } from "vitest";
import { decideWhatToPlan, type NodeFact, type SourceFacts, type Wanted } from "./request.js";

const FACTS: SourceFacts = { node: null, fileRun: null, documentRun: null, latestRun: null, hasAuthor: true };
const FILE = { text: "# Greeter", path: "docs/spec.md" };
const IDEA = "a CLI that greets";
const node = (tier: string, hasChildren: boolean): NodeFact => ({ id: "N", tier, hasChildren, idea: null });

describe("what a source means", () => {
  it.each<[string, Wanted, Partial<SourceFacts>, object]>([
    [
      "an idea",
      { source: IDEA },
      {},
      { mode: "new", kind: "idea", text: IDEA, source: null, node: null, earlier: null },
    ],
    ["small work", { source: IDEA, quick: true }, {}, { mode: "quick", kind: "idea", text: IDEA }],
    ["a file", { source: FILE }, {}, { mode: "new", kind: "file", text: FILE.text, source: FILE.path }],
    ["standard input", { source: { text: "x" } }, {}, { mode: "new", kind: "stdin", text: "x", source: null }],
    ["one word from a file", { source: { text: "Greet" } }, {}, { mode: "new", text: "Greet" }],
    ["nothing but spaces", { source: "  " }, {}, { mode: "new", text: "  " }],
    [
      "an empty feature",
      { source: "N" },
      { node: node("feature", false) },
      { mode: "expand", node: "N", kind: "node" },
    ],
    ["a feature with children", { source: "N" }, { node: node("feature", true) }, { mode: "revise", node: "N" }],
    ["a task", { source: "N" }, { node: node("task", false) }, { mode: "revise", node: "N" }],
    [
      "a captured idea",
      { source: "N" },
      { node: { ...node("task", false), idea: "# Greet\n\nIn Latin." } },
      { mode: "new", kind: "idea", text: "# Greet\n\nIn Latin.", idea: "N", node: null },
    ],
    [
      "a small captured idea",
      { source: "N", quick: true },
      { node: { ...node("task", false), idea: "# Greet" } },
      { mode: "quick", idea: "N" },
    ],
    ["a file named like a node", { source: FILE }, { node: node("story", false) }, { mode: "expand", node: "N" }],
    [
      "a file that was planned before, with an agent",
      { source: FILE },
      { fileRun: "RUN-001" },
      { mode: "revise", earlier: "RUN-001", text: FILE.text, source: FILE.path },
    ],
    [
      "a file that was planned before, without an agent",
      { source: FILE },
      { fileRun: "RUN-001", hasAuthor: false },
      { mode: "new", earlier: "RUN-001", text: FILE.text },
    ],
    [
      "a plan document",
      { source: FILE },
      { documentRun: "RUN-002" },
      { mode: "revise", earlier: "RUN-002", text: undefined },
    ],
    ["revise a node", { revise: "FEAT-001" }, {}, { mode: "revise", node: "FEAT-001", text: undefined }],
    [
      "revise a node with a note",
      { revise: "FEAT-001", note: "smaller" },
      {},
      { mode: "revise", node: "FEAT-001", note: "smaller" },
    ],
    ["revise a node by a new spec", { revise: "N", source: FILE }, {}, { mode: "revise", node: "N", text: FILE.text }],
    ["revise a run", { revise: "run-001" }, {}, { mode: "revise", earlier: "RUN-001", node: null }],
    ["revise a run without an agent", { revise: "RUN-001" }, { hasAuthor: false }, { mode: "revise" }],
    [
      "revise a run by a new spec without an agent",
      { revise: "RUN-001", source: FILE },
      { hasAuthor: false },
      { mode: "new", earlier: "RUN-001", text: FILE.text },
    ],
    ["from a stage of a run", { from: "tasks", source: "RUN-003" }, {}, { from: "tasks", earlier: "RUN-003" }],
    [
      "from a stage of the latest run",
      { from: "files" },
      { latestRun: "RUN-004" },
      { from: "files", earlier: "RUN-004" },
    ],
  ])("%s", (_, wanted, facts, expected) => {
    const decided = decideWhatToPlan(wanted, { ...FACTS, ...facts });
    expect(decided).toMatchObject({ ok: true, value: expected });
  });

  it.each<[string, Wanted, string, string]>([
    ["a single word", { source: "weather" }, "absent", "not-found"],
    ["a single word as the new spec of a run", { source: "weather", revise: "RUN-001" }, "absent", "not-found"],
    ["a mistyped subcommand", { source: "lst" }, "absent", "not-found"],
    ["an id that is not there", { source: "FEAT-099" }, "absent", "not-found"],
    ["a file that is not there", { source: "nothing.md" }, "absent", "no-file"],
    ["a path that is not there", { source: "./nope" }, "absent", "no-file"],
    ["a number", { source: "414" }, "absent", "not-found"],
    ["a run", { source: "RUN-001" }, "usage", "is-run"],
    ["a stage when there is no run", { from: "tasks" }, "usage", "no-run"],
    ["a note for a run", { revise: "RUN-001", note: "smaller" }, "usage", "usage"],
  ])("refuses %s", (_, wanted, kind, reason) => {
    expect(decideWhatToPlan(wanted, FACTS)).toMatchObject({ ok: false, error: { kind, reason } });
  });
});
