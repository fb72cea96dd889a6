// The catalogue is the one description of the application: every door reaches all of it, and none has a rule of its own.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { mustFail } from "../../test/plan.js";
import { SECRET } from "../../test/secret.js";
import { exitCodeOf } from "../model/result.js";
import { App } from "./app.js";
import { describeOperations } from "./describe-operations.js";
import { cliFieldsOf, readWords } from "./kit/read-words.js";
import { tellApart } from "./kit/same-words.js";
import { parseInput } from "./kit/schema.js";
import { allSpellings, commandWords, findSpelling, type TypedCommand } from "./kit/spell.js";
import { loadVerb, verbNames } from "./list.js";

const names = verbNames();

function newApp(): App {
  const folder = mkdtempSync(join(tmpdir(), "planwright-catalogue-"));
  const app = new App({ folder, actor: "human:ada", env: { PLANWRIGHT_SECRET: SECRET } });
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return app;
}

/** A text from a file is typed as the file; the terminal then reads it. */
const asTyped = (input: object): object =>
  Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, (value as { path?: string } | null)?.path ?? value]),
  );

describe("the catalogue", () => {
  it.each(names)(
    "%s is declared under its own name, with a summary and an example that fits its schema",
    async (name) => {
      const operation = await loadVerb(name);
      expect(operation.name).toBe(name);
      expect(operation.summary).toMatch(/^[A-Z][^.]{0,59}$/);
      expect(operation.examples.length).toBeGreaterThan(0);
      for (const { input } of operation.examples)
        expect(parseInput(operation.input, input)).toMatchObject({ ok: true });
    },
  );

  it.each(names)("%s can be typed: its example comes back from the words of the command line", async (name) => {
    const operation = await loadVerb(name);
    for (const { input } of operation.examples) {
      const words = commandWords({ operation: name, input });
      const found = findSpelling(words) as TypedCommand;
      const [{ spelling, rest }] = await tellApart(found, { load: loadVerb, nodesAmong: async () => [] });
      expect(spelling.operation).toBe(name);
      const read = readWords(spelling, cliFieldsOf(operation, spelling), rest);
      const typed = "input" in read ? parseInput(operation.input, read.input) : read;
      expect(typed).toEqual(parseInput(operation.input, asTyped(input)));
    }
  });

  it("gives every operation a JSON Schema whose fields have help", async () => {
    for (const { name, input } of await describeOperations()) {
      expect({ name, type: input["type"] }).toEqual({ name, type: "object" });
      const fields = Object.entries((input["properties"] ?? {}) as Record<string, { description?: string }>);
      expect({ name, silent: fields.filter(([, { description }]) => !description).map(([field]) => field) }).toEqual({
        name,
        silent: [],
      });
    }
  });
});

describe("an input that does not fit", () => {
  it.each(names)("is refused by %s before anything else is looked at, with the field", async (name) => {
    const { kind, reason, details } = mustFail(await newApp().ask(name, { "no such field": 1 }));
    expect([kind, reason, exitCodeOf(kind)]).toEqual(["usage", "invalid-input", 5]);
    expect(details?.["issues"]).toBeInstanceOf(Array);
    expect(JSON.stringify(details)).toContain("no such field");
  });
});

const SRC = resolve(import.meta.dirname, "..");

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/\.(test|suite)\.ts$/.test(file),
);

describe("commands", () => {
  it("are spelled by one module alone", () => {
    const first = new Set(allSpellings().map(({ words }) => words.split(" ")[0] as string));
    // A mark in a document is no command.
    const command = new RegExp(`(?<!<!-- )\\bplanwright (${[...first].join("|")})\\b(?! is\\b)`);
    const spelling = sources.filter(
      (file) =>
        command.test(withoutComments(readFileSync(join(SRC, file), "utf8"))) &&
        // The page of the help that says where to start.
        file !== "doors/cli/help.ts",
    );
    expect(spelling).toEqual([]);
  });
});

const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
