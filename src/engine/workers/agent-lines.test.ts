import { expect, it } from "vitest";
import type { AgentEvent } from "../../machine/agents/agent.js";
import { reportLines } from "./agent.js";

const text = (...pieces: string[]): AgentEvent[] => pieces.map((piece) => ({ type: "text", text: piece }));
const tool = (state: "started" | "done" | "failed", detail = "a.ts"): AgentEvent => ({
  type: "tool",
  name: "Write",
  state,
  detail,
});

it.each<[string, readonly AgentEvent[], readonly string[]]>([
  ["pieces are put together", text("Hel", "lo.\nThe k", "ey is sk-", "1\n"), ["Hello.", "The key is sk-1"]],
  ["what has no end is told at the end", text("a", "b"), ["ab"]],
  ["what has no end is told before what comes next", [...text("ab"), tool("started")], ["ab", "Write a.ts"]],
  ["empty lines are left out", text("\n\n", "  \n", "a\r\n"), ["a"]],
  [
    "a tool is told when it begins and when it fails",
    [tool("started"), tool("done"), tool("started"), tool("failed", "no\nroom")],
    ["Write a.ts", "Write a.ts", "Write failed: no room"],
  ],
  ["a tool without details", [tool("started", "")], ["Write"]],
  [
    "only a refusal is told",
    [
      { type: "permission", what: "x", granted: true },
      { type: "permission", what: "y", granted: false },
    ],
    ["not permitted: y"],
  ],
  [
    "thoughts and counts are not told, and cut no line",
    [...text("a"), { type: "thought", text: "hm" }, ...text("b")],
    ["ab"],
  ],
  ["a notice is told", [{ type: "notice", text: "It was reminded. " }], ["It was reminded."]],
])("%s", (_, events, lines) => {
  const told: string[] = [];
  const telling = reportLines((line) => told.push(line));
  for (const event of events) telling.add(event);
  telling.end();
  expect(told).toEqual(lines);
});
