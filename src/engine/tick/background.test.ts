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
import {
  boundLog,
  findDaemon,
  findDeadDaemon,
  logFile,
  noteForeground,
  readBeat,
  startDaemon,
  writeBeat,
} from "./background.js";

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
  it("is known while it runs, and keeps another from being started", async () => {
    const root = makeRoot();
    const forget = noteForeground(root);
    expect(findDaemon(root)).toMatchObject({ pid: process.pid, log: null });
    expect(await startDaemon(root, ["true"], {})).toMatchObject({ ok: false, error: { reason: "running" } });
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

describe("a daemon in the background", () => {
  it("never counts as started when it stops at once, and says why", async () => {
    const root = makeRoot();
    writeFileSync(logFile(root), "what an earlier one said\n");
    const started = await startDaemon(root, ["sh", "-c", "echo no git here >&2; exit 3"], process.env);
    expect(started).toMatchObject({
      ok: false,
      error: { reason: "not-started", message: "The daemon stopped at once: no git here" },
    });
    expect([findDaemon(root), findDeadDaemon(root)]).toEqual([undefined, undefined]);
    const missing = await startDaemon(root, [join(root, "no-such-program")], process.env);
    expect(missing).toMatchObject({ ok: false, error: { reason: "not-started" } });
  });

  it("counts as started when it has looked at the plan", async () => {
    const root = makeRoot();
    const beat = `${root}/.planwright/daemon-beat.json`;
    const script = `printf '{"pid":%s,"at":"now","workers":2,"problem":null}' $$ > ${beat}; exec sleep 60`;
    const started = await startDaemon(root, ["sh", "-c", script], process.env);
    if (!started.ok) throw new Error(started.error.message);
    const { pid } = started.value;
    expect(readBeat(root, { pid })).toMatchObject({ at: "now", workers: 2 });
    expect(findDaemon(root)).toMatchObject({ pid });
    process.kill(pid, "SIGKILL");
    await expect.poll(() => findDaemon(root)).toBeUndefined();
    expect(findDeadDaemon(root)).toMatchObject({ pid });
  });

  it("has no beat of one before it", () => {
    const root = makeRoot();
    writeBeat(root, { at: "then", workers: 1, problem: "no disk" });
    expect(readBeat(root, { pid: process.pid })).toMatchObject({ at: "then", problem: "no disk" });
    expect(readBeat(root, { pid: process.pid + 1 })).toBeUndefined();
  });
});
