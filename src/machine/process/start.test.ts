import { EventEmitter } from "node:events";
import { afterAll, expect, it, vi } from "vitest";

const spawn = vi.hoisted(() => vi.fn<() => unknown>());
vi.mock("node:child_process", async (original) => ({ ...(await original<object>()), spawn }));
// Test files share a worker: load the modules again here, and again for the next file.
vi.resetModules();
afterAll(() => void vi.resetModules());
const { run } = await import("./run.js");
const { startChild } = await import("./child.js");

/** What Node returns if the process has no file descriptor left: a child without number and streams. */
function withoutStreams(): EventEmitter {
  const child = new EventEmitter();
  process.nextTick(() => child.emit("error", new Error("spawn EMFILE")));
  return child;
}

it("without free file descriptors a command is not started", async () => {
  spawn.mockImplementation(withoutStreams);
  const options = { command: "/bin/sh", args: ["-c", "true"], cwd: "/", env: {} };
  expect(await run({ ...options, input: "text", timeoutMs: 1_000 })).toMatchObject({
    endedBy: "not-started",
    output: "spawn EMFILE",
  });
  const child = startChild({ ...options, onLine: () => {} });
  child.write("text");
  child.endInput();
  expect(await child.end()).toMatchObject({ code: null, notStarted: "spawn EMFILE" });
});
