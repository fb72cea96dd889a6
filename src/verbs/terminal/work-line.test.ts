import { describe, expect, it } from "vitest";
import { StoreFault } from "../../store/fault.js";
import { makeStyle } from "../kit/style.js";
import type { Terminal } from "../kit/view.js";
import { WorkLine } from "./work-line.js";

function lineOn(options: Partial<Terminal> = {}) {
  let now = 0;
  const shown: string[] = [];
  const stop = new AbortController();
  const terminal = {
    interactive: true,
    json: false,
    style: makeStyle(false, 80),
    progress: (text: string) => shown.push(text),
    interrupted: () => stop.signal,
    ...options,
  } as Terminal;
  const line = new WorkLine(terminal, () => now);
  const show = (at: number, done: number, total: number | null = 102_001): void => {
    now = at;
    line.show({ doing: "Writing", done, total, unit: "change" });
  };
  return { line, shown, show, stop };
}

describe("the line of a long job", () => {
  it("says how far it is, not for what is soon over and not more often than anybody reads, and goes at the end", () => {
    const { line, shown, show } = lineOn();
    show(100, 500);
    show(800, 34_000);
    show(850, 35_000);
    show(1_000, 1_000_000, null);
    line.close();
    expect(shown).toEqual([
      "\r\u001b[KWriting: 34,000 of 102,001 changes. Ctrl-C stops it and changes nothing.",
      "\r\u001b[KWriting: 1,000,000 changes. Ctrl-C stops it and changes nothing.",
      "\r\u001b[K",
    ]);
  });

  it("is not on what is no terminal, and not beside JSON", () => {
    for (const options of [{ interactive: false }, { json: true }]) {
      const { line, shown, show } = lineOn(options);
      show(800, 500);
      line.close();
      expect(shown).toEqual([]);
    }
  });

  it("stops the job after Ctrl-C", () => {
    const { show, stop } = lineOn({ interactive: false });
    show(100, 500);
    stop.abort();
    expect(() => show(200, 1_000)).toThrow(StoreFault);
  });
});
