import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { boundLog, findDaemon, logFile, noteForeground, startDaemon } from "./background.js";

function makeRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "planwright-daemon-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".planwright"));
  return root;
}

describe("the log of a daemon", () => {
  it("is cut when it is too long, and goes on for whoever has it open", () => {
    const root = makeRoot();
    boundLog(root, 10);
    const open = openSync(logFile(root), "a");
    onTestFinished(() => closeSync(open));
    writeSync(open, "0123456789");
    boundLog(root, 10);
    expect(readFileSync(logFile(root), "utf8")).toBe("0123456789");
    writeSync(open, "!");
    boundLog(root, 10);
    writeSync(open, "after\n");
    expect(readFileSync(logFile(root), "utf8")).toBe("after\n");
    expect(readFileSync(`${logFile(root)}.1`, "utf8")).toBe("0123456789!");
    appendFileSync(logFile(root), "more\n");
    boundLog(root, 10);
    expect(readFileSync(`${logFile(root)}.1`, "utf8")).toBe("after\nmore\n");
  });
});

describe("a daemon at a terminal", () => {
  it("is known while it runs, and keeps another from being started", () => {
    const root = makeRoot();
    const forget = noteForeground(root);
    expect(findDaemon(root)).toMatchObject({ pid: process.pid, log: null });
    expect(startDaemon(root, ["true"], {})).toMatchObject({ ok: false, error: { reason: "running" } });
    // A second one leaves the note to the first.
    noteForeground(root)();
    expect(findDaemon(root)).toBeDefined();
    forget();
    expect(findDaemon(root)).toBeUndefined();
  });

  it("takes the place of one that is gone", () => {
    const root = makeRoot();
    const gone = { pid: process.pid, began: "before", startedAt: "", log: logFile(root) };
    writeFileSync(join(root, ".planwright", "daemon.json"), JSON.stringify(gone));
    noteForeground(root);
    expect(findDaemon(root)).toMatchObject({ pid: process.pid, log: null });
  });
});
