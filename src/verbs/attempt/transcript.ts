import { transcriptLine } from "../../model/attempt/transcript-line.js";
import { findItem } from "../../plan/item/find-item.js";
import { absent, type Context, fields, type Infer, ok, optional, planVerb, step, wholeNumber } from "../kit/verb.js";
import { harmless } from "../kit/wording.js";
import { attemptId } from "./show.js";
import { readTail } from "./signs-of-life.js";

export const input = fields({
  id: attemptId,
  from: optional(wholeNumber("the first line, from 0; without it, the last ones", 0, Number.MAX_SAFE_INTEGER)),
  limit: optional(wholeNumber("at most N lines (200)", 1, 5_000)),
});

export const verb = planVerb({
  command: {
    words: "show",
    when: { flag: "transcript" },
    group: "work",
    positional: ["id"],
    aliases: ["attempt transcript"],
  },
  summary: "Show what was said in an attempt, in parts",
  effect: "reads",
  input,
  examples: [{ input: { id: "ATT-00001" }, does: "the last 200 lines of its transcript" }],
  run: attemptTranscript,
  text: ({ lines }) => {
    const shown = lines.flatMap(shownLines);
    return shown.length > 0 || lines.length === 0 ? shown : ["Nothing was said in words. --json shows what was noted."];
  },
  note: ({ from, lines, total }) => `Lines ${from + 1} to ${from + lines.length} of ${total}.`,
});

/** What the worker did, with all of what was said. */
function shownLines(line: string): string[] {
  const { verb, text } = transcriptLine(line);
  if (text === "") return [];
  return [harmless(verb === "" || verb === "says" ? text : `${verb} ${text}`)];
}

const DEFAULT_LIMIT = 200;
/** A transcript has at most 5 MB, and a line of it 200,000 characters. */
const MAX_FILE_BYTES = 8_000_000;
const MAX_LINE_CHARACTERS = 20_000;

export async function attemptTranscript(context: Context, asked: Infer<typeof input>) {
  const found = await context.store.read((reader) => findItem(reader, "attempt", asked.id));
  if (!found.ok) return found;
  const { key, fields } = found.value;
  const text = fields.transcript === null ? undefined : readTail(fields.transcript, MAX_FILE_BYTES)?.text;
  if (text === undefined) {
    const message = `${key} has no transcript, or it was removed.`;
    return absent("no-transcript", message, { next: [step("attempt.show", { id: key })] });
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const { limit = DEFAULT_LIMIT, from = Math.max(0, lines.length - limit) } = asked;
  const part = lines
    .slice(from, from + limit)
    .map((line) => (line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line));
  return ok({ id: key, from, lines: part, total: lines.length });
}
