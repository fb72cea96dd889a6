import { expect, it } from "vitest";
import { watch } from "./watch.js";

it.each(["SIGINT", "SIGTERM"] as const)("draws again when the plan has changed, until %s", async (signal) => {
  const drawn: number[] = [];
  let version = 1;
  await watch({
    version: () => Promise.resolve(version),
    draw: () => {
      drawn.push(version);
      if (drawn.length < 3) version++;
      else process.emit(signal);
      return Promise.resolve(true);
    },
  });
  expect(drawn).toEqual([1, 2, 3]);
  expect(process.listenerCount(signal)).toBe(0);
});

it("ends when there is nothing to draw any more", async () => {
  let frames = 0;
  await watch({ version: () => Promise.resolve(frames), draw: () => Promise.resolve(++frames < 3) });
  expect(frames).toBe(3);
});
