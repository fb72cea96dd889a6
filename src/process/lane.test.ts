import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import { expect, it, vi } from "vitest";

const spawn = vi.hoisted(() => vi.fn<() => unknown>());
vi.mock("node:child_process", async (original) => ({ ...(await original<object>()), spawn }));
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
  const told = { command: "/bin/sh", args: ["-c", "true"], cwd: tmpdir(), env: {}, keep: 100, timeoutMs: 1_000 };
  startCommandsThrough(tmpdir());
  const expected = { endedBy: "not-started", output: "spawn EMFILE" };
  expect(await runCommand(told)).toMatchObject(expected);
  expect(await new Starter(`${tmpdir()}/planwright-lane-${process.pid}`, {}).run(told)).toMatchObject(expected);
  expect(await askInLane(told)).toBeUndefined();
});
