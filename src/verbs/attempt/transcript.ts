import { closeSync, fstatSync, readSync } from "node:fs";
import type * as z from "zod/mini";
import { openWithoutWaiting } from "../../base/plain-file.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { findItem } from "../../plan/item/find-item.js";
import { fields, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/wording.js";
import { attemptId } from "./show.js";

export const input = fields({
  id: attemptId,
  from: optional(wholeNumber("the first line, from 0; without it, the last ones", 0, Number.MAX_SAFE_INTEGER)),
  limit: optional(wholeNumber("at most N lines (200)", 1, 5_000)),
});

export const verb = planVerb({
  name: "attempt.transcript",
  command: { words: "attempt transcript", group: "work", positional: ["id"] },
  summary: "Show what was said in an attempt, in parts",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { id: "ATT-00001" }, does: "the last 200 lines of its transcript" }],
  run: attemptTranscript,
  text: ({ lines }) => lines.map(harmless).join("\n"),
  note: ({ from, lines, total }) => `Lines ${from + 1} to ${from + lines.length} of ${total}.`,
});

interface TranscriptPart {
  readonly id: string;
  /** The number of the first line here, from 0. */
  readonly from: number;
  /** JSON of one entry each, or plain text of a shell worker. */
  readonly lines: readonly string[];
  /** How many there are. */
  readonly total: number;
}

type TranscriptInput = z.output<typeof input>;

const USUAL_LIMIT = 200;
/** A transcript has at most 5 MB, and a line of it 200,000 characters. */
const LONGEST_FILE = 8_000_000;
const LONGEST_LINE = 20_000;

export async function attemptTranscript(context: Context, input: TranscriptInput): Promise<Result<TranscriptPart>> {
  const found = await context.store.read((reader) => findItem(reader, "attempt", input.id));
  if (!found.ok) return found;
  const { key, fields } = found.value;
  const text = fields.transcript === null ? undefined : readBounded(fields.transcript);
  if (text === undefined) {
    return absent("no-transcript", `${key} has no transcript, or it was removed.`, {
      next: [step("attempt.show", { id: key })],
    });
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const { limit = USUAL_LIMIT, from = Math.max(0, lines.length - limit) } = input;
  const part = lines
    .slice(from, from + limit)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line));
  return ok({ id: key, from, lines: part, total: lines.length });
}

function readBounded(file: string): string | undefined {
  try {
    const descriptor = openWithoutWaiting(file);
    try {
      const size = Math.min(fstatSync(descriptor).size, LONGEST_FILE);
      const bytes = Buffer.alloc(size);
      return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, size, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
