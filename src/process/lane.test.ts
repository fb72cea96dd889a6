import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";

const spawn = vi.hoisted(() => vi.fn<() => unknown>());
vi.mock("node:child_process", async (original) => ({ ...(await original<object>()), spawn }));
// Files share a worker: they are read anew here, and again by whoever comes next.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { askInLane } = await import("./ask.js");
const { runCommand, startCommandsThrough } = await import("./command.js");
const { Starter } = await import("./starter.js");

/** As the system's own: without a number and without streams. */
function fullOfFiles(): EventEmitter {
  const child = new EventEmitter();
  process.nextTick(() => child.emit("error", new Error("spawn EMFILE")));
  return child;
}

it("where files have run out, a command was not started", async () => {
  spawn.mockImplementation(fullOfFiles);
  const folder = mkdtempSync(join(tmpdir(), "planwright-lane-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const told = { command: "/bin/sh", args: ["-c", "true"], cwd: folder, env: {}, keep: 100, timeoutMs: 1_000 };
  startCommandsThrough(folder);
  const expected = { endedBy: "not-started", output: "spawn EMFILE" };
  expect(await runCommand(told)).toMatchObject(expected);
  expect(await new Starter(folder, {}).run(told)).toMatchObject(expected);
  expect(await askInLane(told)).toBeUndefined();
});
