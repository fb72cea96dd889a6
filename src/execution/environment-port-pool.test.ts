import { createServer } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Store } from "../store/store.js";
import { portsOf } from "./environment-port-pool.js";
import { takePorts } from "./environment-ports.js";

const SETTINGS = { from: 33_000 + (process.pid % 60) * 100, each: 2 };
const SLOT = 5;

async function listenOn(port: number): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
}

it("a slot keeps its ports from one attempt to the next, and gives them back when nobody works", async () => {
  const pool = portsOf({} as Store);
  const one = await pool.take(SLOT, SETTINGS);
  one?.release();
  const two = await pool.take(SLOT, SETTINGS);
  expect(two).toMatchObject({ first: one?.first, last: one?.last });
  // In use, and then only kept: nobody else gets them.
  pool.release();
  for (const release of [() => two?.release(), () => pool.release()]) {
    const other = await takePorts(SLOT, SETTINGS);
    other?.release();
    expect(other?.first).not.toBe(one?.first);
    release();
  }
  const free = await takePorts(SLOT, SETTINGS);
  free?.release();
  expect(free?.first).toBe(one?.first);
});

it("what was free a while ago is looked at again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = portsOf({} as Store);
  onTestFinished(() => pool.release());
  const one = await pool.take(SLOT, SETTINGS);
  one?.release();
  await listenOn(one?.first as number);
  vi.advanceTimersByTime(10_000);
  const two = await pool.take(SLOT, SETTINGS);
  two?.release();
  expect(two?.first).not.toBe(one?.first);
});
