import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { Heard } from "./heard.js";

const begin = () => {
  const stream = new PassThrough();
  return { stream, heard: new Heard(stream, "MARK") };
};

it("finds a mark that comes in pieces, and what was said before it", async () => {
  const { stream, heard } = begin();
  const whole = heard.whole(100);
  for (const piece of ["one M", "MA", "R", "K", "\n"]) stream.write(piece);
  expect(await whole).toBe("one M");
  expect(heard.isForeign).toBe(false);
});

it("finds a mark that somebody else's words follow, and tells of them", async () => {
  const { stream, heard } = begin();
  const whole = heard.whole(100);
  stream.write("mineMARK\nother");
  expect(await whole).toBe("mine");
  expect(heard.isForeign).toBe(true);
});

it("tells of words that nobody waited for, and does not take them for the next", async () => {
  const { stream, heard } = begin();
  stream.write("late");
  await new Promise((done) => setImmediate(done));
  expect(heard.isForeign).toBe(true);
  const whole = heard.whole(100);
  stream.write("mineMARK\n");
  expect(await whole).toBe("mine");
});

it("keeps the end, as much as it is told to, however small the pieces are", async () => {
  const { stream, heard } = begin();
  const whole = heard.whole(70_000);
  const said = Array.from({ length: 60_000 }, (_, n) => `${n} `);
  for (const piece of said) stream.write(piece);
  stream.write("MARK\n");
  expect(await whole).toBe(said.join("").slice(-70_000));
});
