import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { AgentSession } from "./agent.js";
import { NO_AGENT_USAGE } from "./ledger.js";
import { redactorFor } from "./redact.js";
import { recorded, Transcript } from "./transcript.js";

const folder = mkdtempSync(join(tmpdir(), "planwright-transcript-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const redact = redactorFor({ MY_SECRET: "a well kept secret" });
const now = (): Date => new Date(0);
const linesOf = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

it("keeps what was said, with a secret taken out that came in pieces", async () => {
  const file = join(folder, "one.jsonl");
  const session: AgentSession = {
    id: "s1",
    turn: async (turn) => {
      for (const text of ["it is a well ", "kept sec", "ret, so hush"]) turn.onEvent?.({ type: "text", text });
      turn.onEvent?.({ type: "tool", name: "Read", state: "done", detail: "a well kept secret" });
      return {
        ending: "finished",
        text: "",
        output: { said: "a well kept secret" },
        usage: NO_AGENT_USAGE,
        durationMs: 1,
      };
    },
    close: async () => {},
  };
  await recorded(session, new Transcript({ file, redact, now })).turn({ prompt: "a well kept secret?", timeoutMs: 1 });
  const at = now().toISOString();
  expect(linesOf(file)).toEqual([
    { at, type: "prompt", text: "[redacted MY_SECRET]?" },
    { at, type: "text", text: "it is [redacted MY_SECRET], so hush" },
    { at, type: "tool", name: "Read", state: "done", detail: "[redacted MY_SECRET]" },
    expect.objectContaining({
      type: "result",
      session: "s1",
      ending: "finished",
      output: { said: "[redacted MY_SECRET]" },
    }),
  ]);
  expect(statSync(file).mode & 0o077).toBe(0);
});

it("says what it left out", () => {
  const file = join(folder, "two.jsonl");
  const transcript = new Transcript({ file, redact, now, maxBytes: 300 });
  for (let at = 0; at < 10; at += 1) transcript.event({ type: "notice", text: "x".repeat(90) });
  transcript.settle();
  transcript.settle();
  const lines = linesOf(file);
  expect(lines.at(-1)).toMatchObject({ type: "left-out", entries: 10 - (lines.length - 1) });
  // Another process goes on with the same file, and with the same limit.
  const later = new Transcript({ file, redact, now, maxBytes: 300 });
  later.event({ type: "text", text: "more" });
  later.settle();
  expect(linesOf(file).at(-1)).toMatchObject({ type: "left-out", entries: 1 });
});

it("shortens a text that is too long for anybody to read", () => {
  const file = join(folder, "three.jsonl");
  const transcript = new Transcript({ file, redact, now });
  transcript.event({ type: "text", text: "y".repeat(1_000_000) });
  transcript.settle();
  expect(JSON.stringify(linesOf(file))).toMatch(/y \[800000 characters left out\]/);
});
