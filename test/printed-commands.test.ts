import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { allFieldsOf, readWords } from "../src/verbs/kit/read-words.js";
import { tellApart } from "../src/verbs/kit/same-words.js";
import { type Issue, parseInput } from "../src/verbs/kit/schema.js";
import { findSpelling, spell } from "../src/verbs/kit/spell.js";
import { loadVerb, verbNames } from "../src/verbs/list.js";
import { PRINTED } from "./printed-commands.js";

const WORD = /'((?:[^']|'\\'')*)'|"([^"]*)"|(\S+)/g;

/** As a shell reads them. */
const shellWords = (command: string): string[] =>
  [...command.matchAll(WORD)].map(
    ([, single, double, bare]) => single?.replaceAll(String.raw`'\''`, "'") ?? double ?? bare ?? "",
  );

/** What the reader fills in is in capitals. */
const isToFillIn = (value: unknown): boolean => [value].flat().some((each) => /^[A-Z]+$/.test(String(each)));

/** What is wrong with a command as it was printed; undefined if it can be typed. */
async function problemWith(command: string): Promise<string | undefined> {
  const [, ...words] = shellWords(command);
  const found = findSpelling(words);
  if (!found) return `${command}: no such command`;
  // No plan is open here, so no node is called like a key.
  const [{ spelling, rest }, other] = await tellApart(found, { load: loadVerb, nodesAmong: async () => [] });
  if (other) return `${command}: means several commands`;
  const verb = await loadVerb(spelling.operation);
  const read = readWords(spelling, allFieldsOf(verb, spelling), rest);
  if ("problem" in read) return `${command}: ${read.problem}`;
  const own = { ...verb.inputs, ...verb.flags };
  const input = Object.fromEntries(Object.entries(read.input).filter(([name]) => !(name in own)));
  const judged = parseInput(verb.input, input);
  if (judged.ok) return undefined;
  const issues = (judged.error.details?.["issues"] ?? []) as readonly Issue[];
  // A terminal asks for what is missing, reads it from a file, or opens an editor.
  const isAsked = ({ path, problem }: Issue): boolean =>
    verb.prepare !== undefined && (path.length === 0 || problem === "is missing");
  const wrong = issues.filter((issue) => !isToFillIn(read.input[String(issue.path[0])]) && !isAsked(issue));
  return wrong.length === 0 ? undefined : `${command}: ${judged.error.message}`;
}

describe("a command that is printed as a next step", () => {
  it("can be typed: every one that the end-to-end tests printed", async () => {
    const file = process.env[PRINTED];
    const printed = file !== undefined && existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    // The check notes hundreds; a file that has few was not written by the end-to-end tests.
    expect(new Set(printed).size).toBeGreaterThanOrEqual(file === undefined ? 0 : 100);
    const problems: string[] = [];
    for (const command of new Set(printed))
      problems.push(...([await problemWith(command)].flat() as string[]).filter(Boolean));
    expect(problems).toEqual([]);
  });

  it("can be typed: every example of every verb", async () => {
    for (const name of verbNames()) {
      const { examples } = await loadVerb(name);
      for (const { input } of examples) expect(await problemWith(spell({ operation: name, input }))).toBeUndefined();
    }
  });

  it.each([
    ["planwright move --reference T-1 --to F", "move has no flag --reference"],
    ["planwright level on --feature F", "level has no flag --feature"],
    ["planwright banana", "no such command"],
    ["planwright next --count many", "must be a whole number"],
  ])("is found out if it cannot: %s", async (command, problem) => {
    expect(await problemWith(command)).toContain(problem.replace(/^(?:move|level) /, ""));
  });
});
