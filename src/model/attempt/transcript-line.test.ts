import { describe, expect, it } from "vitest";
import { transcriptLine, transcriptWords } from "./transcript-line.js";

const entry = (fields: object): string => JSON.stringify({ at: "2026-11-18T14:53:02.000Z", ...fields });
const AT = Date.parse("2026-11-18T14:53:02.000Z");

describe("a line of a transcript", () => {
  it.each([
    ["$ npm test", "runs", "npm test", ""],
    ["✗ gives up after 24 hours", "", "✗ gives up after 24 hours", "stop"],
    ["all good", "", "all good", "soft"],
    ['{"cut": "of', "", '{"cut": "of', "soft"],
  ])("of a shell worker: %s", (line, verb, text, tone) =>
    expect(transcriptLine(line)).toEqual({ verb, text, at: null, tone }),
  );

  it.each([
    [{ type: "tool", name: "Read", state: "started", detail: '{"file_path":"src/a.ts"}' }, "reads", "src/a.ts", ""],
    [{ type: "tool", name: "Bash", state: "started", detail: '{"command":"npm test"}' }, "runs", "npm test", ""],
    [{ type: "tool", name: "Edit", state: "started", detail: "src/a.ts" }, "edits", "src/a.ts", ""],
    [{ type: "tool", name: "Read", state: "done", detail: "1000 lines" }, "", "", "soft"],
    [{ type: "tool", name: "Bash", state: "done", detail: "7 tests" }, "", "7 tests", "soft"],
    [{ type: "tool", name: "Bash", state: "failed", detail: "exit 1" }, "", "✗ exit 1", "stop"],
    [{ type: "text", text: "I read it. " }, "says", "I read it.", ""],
    [{ type: "prompt", text: "Do it" }, "asks", "Do it", "soft"],
    [{ type: "thought", text: "Hm. " }, "says", "Hm.", "soft"],
    [{ type: "notice", text: "Slow today" }, "says", "Slow today", "soft"],
    [{ type: "permission", what: "ls", granted: true }, "", "allowed: ls", "soft"],
    [{ type: "refused", problems: ["no title"] }, "", '✗ ["no title"]', "stop"],
    [{ type: "left-out", because: "too long" }, "", "too long", "soft"],
    [{ type: "tool", name: "Grep", state: "started", detail: '{"pattern":"a b"}' }, "reads", "a b", ""],
    [{ type: "tool", name: "Search", state: "started", detail: '{"query":["a"]}' }, "reads", '["a"]', ""],
    [{ type: "tool", name: "View", state: "started", detail: '{"path":"a.ts"}' }, "reads", "a.ts", ""],
    [{ type: "tool", name: "Odd", state: "started", detail: '{"x":1}' }, "runs", 'Odd {"x":1}', ""],
    [{ type: "tool", name: "Odd", state: "started", detail: "[1]" }, "runs", "Odd [1]", ""],
    [{ type: "tool", name: "Fetch", state: "started", detail: '{"url":"http://x"}' }, "reads", "http://x", ""],
    [{ type: "tool", name: "Odd", state: "started" }, "runs", "Odd", ""],
    [{ type: "tool", name: "Odd", state: "failed" }, "", "✗ Odd", "stop"],
    [{ type: "permission", what: "rm", granted: false }, "", "refused: rm", "stop"],
    [{ type: "result", ending: "finished", message: null }, "", "", "soft"],
    [{ type: "result", ending: "unavailable", message: "no credit" }, "", "✗ unavailable: no credit", "stop"],
    [{ type: "result", text: 5 }, "", "✗ ended", "stop"],
    [{ type: "usage", usage: {} }, "", "", "soft"],
  ])("of an agent: %j", (fields, verb, text, tone) =>
    expect(transcriptLine(entry(fields))).toEqual({ verb, text, at: AT, tone }),
  );

  it("says nothing of a time that is none", () => {
    expect(transcriptLine('{"at":"soon","type":"text","text":"a"}').at).toBeNull();
  });

  it("that was cut is read as far as it goes", () => {
    const whole = entry({ type: "text", text: `first "line"\n${"x".repeat(400)}` });
    expect(transcriptLine(`${whole.slice(0, 90)}…`)).toMatchObject({
      verb: "says",
      text: expect.stringMatching(/^first "line"\nx+…$/),
    });
    // Cut in the middle of an escaped letter.
    expect(transcriptLine('{"type":"text","text":"a\\u00').text).toBe("a\\u00");
    expect(
      transcriptLine('{"type":"tool","name":"Bash","state":"started","detail":"{\\"command\\":\\"npm t').verb,
    ).toBe("runs");
  });

  it.each([
    ["$ npm test", "runs npm test"],
    [entry({ type: "text", text: "I read it.\nThen more." }), "I read it. …"],
    [entry({ type: "tool", name: "Read", state: "done", detail: "1000 lines" }), ""],
    ["", ""],
  ])("is short words for a list: %s", (line, words) => expect(transcriptWords(line)).toBe(words));
});
