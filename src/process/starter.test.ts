import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Starter } from "./starter.js";

function begin() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-starter-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const starter = new Starter(join(folder, "a"), { PATH: process.env["PATH"], BASE: "base" });
  const run = (
    args: readonly string[],
    over: { env?: Record<string, string>; input?: string; timeoutMs?: number } = {},
  ) => starter.run({ command: "/bin/sh", args, cwd: folder, env: {}, timeoutMs: 60_000, ...over });
  return { folder, run };
}

it("tells what a command said, and how it ended", async () => {
  const { folder, run } = begin();
  expect(await run(["-c", "echo out; echo err >&2; exit 3"])).toMatchObject({
    endedBy: "itself",
    exitCode: 3,
    stdout: "out\n",
    output: "out\nerr\n",
  });
  expect(await run(["-c", "kill -9 $$"])).toMatchObject({ endedBy: "itself", exitCode: null });
  expect(readdirSync(join(folder, "a")).flatMap((name) => readdirSync(join(folder, "a", name)))).toEqual([]);
});

it("hands over words, settings, a place and an input as they are", async () => {
  const { folder, run } = begin();
  const odd = `it's "$HOME" \\ * ; echo no`;
  const said = await run(["-c", 'pwd; printf "%s|" "$0" "$BASE" "$MORE"; cat', odd], {
    env: { MORE: odd },
    input: "in\n\nput",
  });
  expect(said?.stdout).toBe(`${folder}\n${odd}|base|${odd}|in\n\nput`);
});

it("does many at once, each with its own answer", async () => {
  const { run } = begin();
  const asked = Array.from({ length: 30 }, async (_, n) => run(["-c", `echo ${n}; exit ${n}`]));
  const all = await Promise.all(asked);
  expect(all.map((result) => [result?.exitCode, result?.stdout])).toEqual(
    Array.from({ length: 30 }, (_, n) => [n, `${n}\n`]),
  );
});

it("ends what takes too long, with everything that it started", async () => {
  const { run } = begin();
  expect(await run(["-c", "sleep 60 & sleep 60"], { timeoutMs: 300 })).toMatchObject({
    endedBy: "timeout",
    exitCode: null,
  });
});

it("goes on with another shell when its own was killed, and says that the command did not end well", async () => {
  const { run } = begin();
  expect(await run(["-c", "kill -9 0"])).toMatchObject({ exitCode: null });
  expect(await run(["-c", "echo again"])).toMatchObject({ exitCode: 0, stdout: "again\n" });
});

it("leaves to others what cannot be said to a shell", () => {
  const { run } = begin();
  expect(run(["-c", "echo a\0"])).toBeUndefined();
});

it("hands over an input of any kind, and leaves no file", async () => {
  const { folder, run } = begin();
  const lines = "one\n$two `three` 'four\n";
  for (const input of [lines, "one\ntwo", "", "one\0two\n", `${"x".repeat(200_000)}\n`]) {
    expect((await run(["-c", "cat"], { input }))?.stdout).toBe(input);
  }
  expect(readdirSync(join(folder, "a")).flatMap((name) => readdirSync(join(folder, "a", name)))).toEqual([]);
});

it("says what was said, whatever its length and its end", async () => {
  const { run } = begin();
  const said = await run(["-c", "head -c 300000 /dev/zero | tr '\\0' x; printf 'no end' >&2"]);
  expect(said?.stdout).toBe("x".repeat(300_000));
  expect(said?.output).toBe(`${said?.stdout}no end`);
});
