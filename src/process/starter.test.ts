import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Starter } from "./starter.js";

function begin() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-starter-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const starter = new Starter(join(folder, "a"), { PATH: process.env["PATH"], BASE: "base" });
  const run = (
    args: readonly string[],
    over: { env?: Record<string, string>; input?: string; timeoutMs?: number; keep?: number; cwd?: string } = {},
  ) => starter.run({ command: "/bin/sh", args, cwd: folder, env: {}, timeoutMs: 60_000, keep: 1_000_000, ...over });
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
  expect(said.stdout).toBe(`${folder}\n${odd}|base|${odd}|in\n\nput`);
});

it("does many at once, each with its own answer", async () => {
  const { run } = begin();
  const asked = Array.from({ length: 30 }, async (_, n) => run(["-c", `echo ${n}; exit ${n}`]));
  const all = await Promise.all(asked);
  expect(all.map((result) => [result.exitCode, result.stdout])).toEqual(
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

it("says of what cannot be started that it was not", async () => {
  const { folder, run } = begin();
  expect(await run(["-c", "echo a\0"])).toMatchObject({ endedBy: "not-started" });
  expect(await run(["-c", "echo a"], { cwd: join(folder, "nothing") })).toMatchObject({ endedBy: "not-started" });
});

it("uses a shell again, but none that was killed meanwhile", async () => {
  const { run, folder } = begin();
  const parent = async () => Number((await run(["-c", "echo $PPID"])).stdout);
  const first = await parent();
  expect(await parent()).toBe(first);
  process.kill(first, "SIGKILL");
  expect(await run(["-c", "echo at once"])).toMatchObject({ exitCode: 0, stdout: "at once\n" });
  // Each waits for the others, so that none of the three is done by a shell that another has given back.
  const together = `echo $PPID; > ${folder}/here-$$; until [ -e "$(set -- ${folder}/here-*; echo "$3")" ]; do sleep 0.02; done`;
  const several = await Promise.all([1, 2, 3].map(() => run(["-c", together])));
  for (const { stdout } of several) process.kill(Number(stdout), "SIGKILL");
  await vi.waitFor(
    () => {
      for (const { stdout } of several) expect(() => process.kill(Number(stdout), 0)).toThrow("ESRCH");
    },
    { timeout: 20_000 },
  );
  for (const _ of several) expect(await run(["-c", "echo fine"])).toMatchObject({ exitCode: 0, stdout: "fine\n" });
});

it("keeps the end of what is too long, on both streams together", async () => {
  const { run } = begin();
  const script = "head -c 900000 /dev/zero | tr '\\0' x; echo; echo end; head -c 400 /dev/zero | tr '\\0' y >&2";
  const { stdout, output } = await run(["-c", script], { keep: 1_000 });
  expect(stdout).toBe(`${"x".repeat(995)}\nend\n`);
  expect(output).toBe(`${"x".repeat(595)}\nend\n${"y".repeat(400)}`);
});

// Elsewhere than on Linux nobody tells who holds a stream.
it.runIf(existsSync("/proc/self/fd"))("hears nothing of what an earlier command left running", async () => {
  const { folder, run } = begin();
  const wait = `while [ ! -e go ]; do sleep 0.02; done`;
  const script = `setsid sh -c 'trap "" PIPE; ${wait}; echo late; echo late >&2; touch gone' & echo now`;
  expect(await run(["-c", script])).toMatchObject({ exitCode: 0, output: "now\n" });
  const next = await run([
    "-c",
    "touch go; i=0; while [ ! -e gone ] && [ $i -lt 200 ]; do sleep 0.02; i=$((i+1)); done; echo mine",
  ]);
  expect(next.output).toBe("mine\n");
  expect(readdirSync(folder)).toContain("go");
});

it("settles while something that was left goes on talking", async () => {
  const { run } = begin();
  for (let n = 0; n < 5; n++) {
    expect(await run(["-c", "(while :; do echo chat; done) & exit 0"])).toMatchObject({ exitCode: 0 });
    expect(await run(["-c", "echo mine"])).toMatchObject({ stdout: "mine\n" });
  }
});

it("runs what reads a long input by itself when its folder is gone", async () => {
  const { folder, run } = begin();
  rmSync(join(folder, "a"), { recursive: true });
  expect((await run(["-c", "cat"], { input: "no end of line" })).stdout).toBe("no end of line");
});

it("hands over an input of any kind, and leaves no file", async () => {
  const { folder, run } = begin();
  const lines = "one\n$two `three` 'four\n";
  for (const input of [lines, "one\ntwo", "", "one\0two\n", `${"x".repeat(200_000)}\n`]) {
    expect((await run(["-c", "cat"], { input })).stdout).toBe(input);
  }
  expect(readdirSync(join(folder, "a")).flatMap((name) => readdirSync(join(folder, "a", name)))).toEqual([]);
});

it("says what was said, whatever its length and its end", async () => {
  const { run } = begin();
  const said = await run(["-c", "head -c 300000 /dev/zero | tr '\\0' x; printf 'no end' >&2"]);
  expect(said.stdout).toBe("x".repeat(300_000));
  expect(said.output).toBe(`${said.stdout}no end`);
});
