// Every command, flag, tool, action and field that a text for a host names is one of the program's own.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { shownField } from "../../doors/mcp/field-names.js";
import { TOOLS } from "../../doors/mcp/tools.js";
import { allFieldsOf, readWords } from "../kit/read-words.js";
import { findSpelling } from "../kit/spell.js";
import { loadVerb } from "../list.js";

const HOSTS = resolve(import.meta.dirname, "../../../hosts");

const texts = readdirSync(HOSTS, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(md|mdc|toml)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(HOSTS, path), "utf8") }));

/** Names that are no command and no part of a tool: of the program, of its folder, and of what tools answer. */
const OTHER = new Set(
  "planwright .planwright ask conversation progress questions yoursAlready ready fresh session TEXT".split(" "),
);

const ROLES = new Set("clarifier researcher author critic overviewer worker".split(" "));

const TOOL_PARTS = new Map<string, ReadonlySet<string>>(
  TOOLS.map(({ name, actions }) => {
    const fields = Object.values(actions).flatMap(({ fields: own }) => own.map((field) => shownField(field, own)));
    return [name, new Set([...Object.keys(actions), ...fields])] as const;
  }),
);

/** Each of the words in back-ticks, with the tool that the sentence spoke of last. */
function* quotedWords(text: string): Generator<{ readonly words: string; readonly tool: string | undefined }> {
  for (const paragraph of text.split(/\n(?=\n|[-|\d] ?)/)) {
    let tool: string | undefined;
    for (const [, words = ""] of paragraph.matchAll(/`([^`\n]+)`/g)) {
      const isPart = tool !== undefined && TOOL_PARTS.get(tool)?.has(words) === true;
      if (!isPart && TOOL_PARTS.has(words)) tool = words;
      yield { words, tool };
    }
  }
}

async function problemOfCommand(words: readonly string[]): Promise<string | undefined> {
  const found = findSpelling(words);
  if (found === undefined) return "no command";
  const { spelling, rest } = found;
  const read = readWords(spelling, allFieldsOf(await loadVerb(spelling.operation), spelling), rest);
  return "problem" in read ? read.problem : undefined;
}

async function problemWith(words: string, tool: string | undefined): Promise<string | undefined> {
  const [first = "", ...rest] = words.split(" ");
  if (first === "planwright" && rest.length > 0) {
    // `COMMAND` stands for any of them.
    return rest[0] === "COMMAND" ? undefined : problemOfCommand(rest.filter((word) => word !== "--json"));
  }
  if (/^plan-\w+$/.test(first)) {
    return problemOfCommand([first.slice("plan-".length)]);
  }
  const name = first.replace(/:.*$/, "");
  if (TOOL_PARTS.has(name) || OTHER.has(name) || ROLES.has(words.replace("planwright:", ""))) return undefined;
  if (tool !== undefined && TOOL_PARTS.get(tool)?.has(name) === true) return undefined;
  // The sentence before named the tool, or a list of examples names parts of several.
  return [...TOOL_PARTS.values()].some((parts) => parts.has(name)) && tool === undefined
    ? undefined
    : `nothing of ${tool ?? "any tool"}`;
}

describe("the texts for hosts", () => {
  it("are all read", () => {
    expect(texts.length).toBeGreaterThanOrEqual(26);
  });

  it.each(texts)("name only what exists: $path", async ({ text }) => {
    const problems: string[] = [];
    for (const { words, tool } of quotedWords(text)) {
      const problem = await problemWith(words, tool);
      if (problem !== undefined) problems.push(`${words}: ${problem}`);
    }
    expect(problems).toEqual([]);
  });

  it.each([
    ["a command", "Type `planwright finish TASK-1`.", "finish TASK-1: no command"],
    ["a flag", "Type `planwright complete TASK --tokn TOKEN`.", "has no flag --tokn"],
    ["an action", "Call `find`, action `everything`.", "everything: nothing of find"],
    ["a field", "Call `plan`, action `step`, with `short: true`.", "short: true: nothing of plan"],
  ])("would not pass with %s that does not exist", async (_, text, expected) => {
    const problems: string[] = [];
    for (const { words, tool } of quotedWords(text)) problems.push(`${words}: ${await problemWith(words, tool)}`);
    expect(problems.join("\n")).toContain(expected);
  });
});
