import { describe, expect, it } from "vitest";
import { changesIn, formOf } from "./edit-in-editor.js";

const NODE = {
  id: "T-1",
  tier: "task",
  title: "Parse: the file",
  kind: "work",
  profile: "backend",
  priority: 1,
  estimateHours: null,
  budgets: { attempts: 3 },
  files: ["src/a.ts", "src/b.ts"],
  symbols: [],
  checks: [{ run: "npm test" }, { run: "npm run lint", expect: "ok" }, { run: "make", timeoutS: 5 }],
  body: "# Why\n\nBecause: of this.",
} as const;

const FORM = `# T-1 (task). Lines that begin with # are left out. An empty value empties the field.
title: Parse: the file
kind: work
profile: backend
priority: 1
estimateHours:
attempts: 3
replans:
files:
  src/a.ts
  src/b.ts
symbols:
checks:
  npm test
  npm run lint => ok
  {"run":"make","timeoutS":5}
--- body: everything below this line ---
# Why

Because: of this.`;

describe("the form of a node", () => {
  it("says everything that can be edited", () => {
    expect(formOf(NODE)).toBe(FORM);
    expect(formOf({ ...NODE, tier: "story", kind: null })).not.toContain("kind:");
  });

  it.each<[string, (form: string) => string, object]>([
    ["as it was", (form) => form, {}],
    ["with a line break at the end", (form) => `${form}\n`, {}],
    ["with remarks and empty lines", (form) => `# ! a mistake\n\n${form}`, {}],
    ["with another title", (form) => form.replace("Parse: the file", " Read it "), { title: "Read it" }],
    ["without a title", (form) => form.replace("Parse: the file", ""), { title: "" }],
    ["with a number", (form) => form.replace("estimateHours:", "estimateHours: 2.5"), { estimateHours: 2.5 }],
    ["with no number", (form) => form.replace("priority: 1", "priority: high"), { priority: "high" }],
    ["with an emptied field", (form) => form.replace("priority: 1", "priority:"), { priority: null }],
    ["with one file less", (form) => form.replace("  src/b.ts\n", ""), { files: ["src/a.ts"] }],
    ["with a symbol", (form) => form.replace("symbols:", "symbols:\n  parse"), { symbols: ["parse"] }],
    ["without checks", (form) => form.replace(/checks:[^]*(?=--- body)/, "checks:\n"), { checks: [] }],
    ["with another body", (form) => form.replace("Because: of this.", "No."), { body: "# Why\n\nNo." }],
  ])("%s says only what changed", (_, change, changed) => {
    expect(changesIn(change(FORM), NODE)).toEqual({ ok: true, value: changed });
  });

  it.each<[string, (form: string) => string, string]>([
    ["another field", (form) => form.replace("kind:", "sort:"), 'The line "sort: work" is not a field of the form.'],
    ["no field", (form) => `hello\n${form}`, 'The line "hello" is not a field of the form.'],
    ["no body", (form) => form.replace("--- body", "-- body"), "is missing."],
    ["half a check", (form) => form.replace('"timeoutS":5}', ""), "A check is not valid JSON"],
  ])("with %s is refused", (_, change, message) => {
    expect(changesIn(change(FORM), NODE)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(message) },
    });
  });
});
