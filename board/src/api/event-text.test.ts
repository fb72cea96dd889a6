import { describe, expect, it } from "vitest";
import { EventText } from "./event-text.js";

const STREAM = [
  "retry: 1000\n\n",
  'id: 7\nevent: operation\ndata: {"op":7,"sentence":"Ünï → “ok”"}\n\n',
  ":\n\n",
  "event: attempt\ndata: a\ndata: b\n\n",
  "data:without a name\n\n",
].join("");

const EVENTS = [
  { name: "operation", data: '{"op":7,"sentence":"Ünï → “ok”"}' },
  { name: "attempt", data: "a\nb" },
  { name: "message", data: "without a name" },
];

describe("the text of a stream", () => {
  it.each([1, 2, 3, 7, 50, STREAM.length])("gives the same events in pieces of %i characters", (size) => {
    const text = new EventText();
    const events = [];
    for (let from = 0; from < STREAM.length; from += size) events.push(...text.push(STREAM.slice(from, from + size)));
    expect(events).toEqual(EVENTS);
  });

  it("holds nothing of an event that was read, and no event without an end", () => {
    const text = new EventText();
    expect(text.push("data: half")).toEqual([]);
    expect(text.push(" and half\n\n")).toEqual([{ name: "message", data: "half and half" }]);
    expect(() => text.push("x".repeat(16_000_001))).toThrow("without an end");
  });
});
