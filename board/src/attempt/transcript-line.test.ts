import { describe, expect, it } from "vitest";
import { transcriptLine } from "./transcript-line.js";

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
    [{ type: "permission", what: "rm", granted: false }, "", "refused: rm", "stop"],
    [{ type: "result", text: 5 }, "", "", "soft"],
  ])("of an agent: %j", (fields, verb, text, tone) =>
    expect(transcriptLine(entry(fields))).toEqual({ verb, text, at: AT, tone }),
  );
});
