import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { isAlive } from "../../test/alive.js";
import { type CommandOptions, runCommand, startCommandsThrough } from "./command.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-command-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";

const sh = (script: string, over: Partial<CommandOptions> = {}) =>
  runCommand({
    command: "/bin/sh",
    args: ["-c", script],
    cwd: folder,
    env: { PATH },
    keep: 100_000,
    timeoutMs: 60_000,
    ...over,
  });

/** The same holds with and without small shells; the second comes last, because nobody goes back. */
describe.each(["by itself", "through a small shell"])("a command that is started %s", (how) => {
  const begin = (): void => {
    if (how !== "by itself") startCommandsThrough(folder);
  };

  it("says everything in one stream, and how it ended", async () => {
    begin();
    expect(await sh("echo out; echo err >&2; exit 3")).toMatchObject({
      endedBy: "itself",
      exitCode: 3,
      signal: null,
      output: "out\nerr\n",
    });
    expect(await sh("exit 143")).toMatchObject({ exitCode: 143, signal: null });
    expect(await sh("kill -9 $$")).toMatchObject({ endedBy: "itself", exitCode: null, signal: "SIGKILL" });
  });

  it("gets its words, its place and its environment as they are, and nothing else", async () => {
    begin();
    const odd =
      'it\'s "$HOME" \\ * ;\n\n\techo no\n' +
      Array.from({ length: 0x800 }, (_, n) => String.fromCodePoint(n + 1)).join("");
    const said = await sh('pwd; printf "%s|" "$0" "$ODD"; cat', {
      args: ["-c", 'pwd; printf "%s|" "$0" "$ODD"; cat', odd],
      env: { PATH, ODD: odd },
    });
    expect(said.output).toBe(`${folder}\n${odd}|${odd}|`);
    const names = (await sh("env")).output.split("\n").map((line) => line.split("=")[0]);
    const own = new Set(["", "PATH", "PLANWRIGHT_CHILD", "PWD", "SHLVL", "_", "OLDPWD"]);
    expect(names.filter((name) => !own.has(name ?? ""))).toEqual([]);
    expect((await sh("kill -INT $$; echo still here")).output).toBe("");
  });

  it("is heard while it goes on, also when it says much", async () => {
    begin();
    let heard = 0;
    const said = await sh(
      "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890123456789; i=$((i+1)); done",
      {
        keep: 1_000,
        onText: (text) => {
          heard += text.length;
        },
      },
    );
    expect(heard).toBe(3000 * 41);
    expect(said.output).toHaveLength(1_000);
  });

  it("is one of many at once", async () => {
    begin();
    const all = await Promise.all(Array.from({ length: 12 }, (_, n) => sh(`echo ${n}; exit ${n}`)));
    expect(all.map(({ exitCode, output }) => [exitCode, output])).toEqual(
      Array.from({ length: 12 }, (_, n) => [n, `${n}\n`]),
    );
  });

  it("is asked to end when its time is up, and made to", async () => {
    begin();
    const kind = await sh('trap "echo bye; exit 0" TERM; while :; do sleep 0.05; done', { timeoutMs: 300 });
    expect(kind).toMatchObject({ endedBy: "timeout", output: expect.stringMatching(/bye\n$/) });
    expect(await sh('trap "" TERM; while :; do sleep 0.05; done', { timeoutMs: 100 })).toMatchObject({
      endedBy: "timeout",
    });
    expect(await sh("echo again")).toMatchObject({ exitCode: 0, output: "again\n" });
  });

  it("ends when nobody wants it any more", async () => {
    begin();
    const stop = new AbortController();
    const ran = sh("echo up; sleep 60", { signal: stop.signal, onText: () => stop.abort() });
    expect(await ran).toMatchObject({ endedBy: "cancel", output: "up\n" });
    expect(await sh("echo no", { signal: stop.signal })).toMatchObject({ endedBy: "cancel" });
  });

  it("ends when nobody wants it any more just after it was asked for", async () => {
    begin();
    for (const _ of ["with a new shell, perhaps", "with one that is there"]) {
      const stop = new AbortController();
      const ran = sh("sleep 60; echo done", { signal: stop.signal });
      stop.abort();
      expect(await ran).toMatchObject({ endedBy: "cancel", output: expect.not.stringContaining("done") });
      await sh("true");
    }
  });

  it("leads a group of its own, which it can ask and end", async () => {
    begin();
    expect(await sh("trap '' INT; kill -INT 0; echo survived")).toMatchObject({ exitCode: 0, output: "survived\n" });
    expect(await sh("sleep 60 & kill -TERM -$$; wait; echo no")).toMatchObject({
      endedBy: "itself",
      exitCode: null,
      signal: "SIGTERM",
      output: "",
    });
    expect(await sh("trap 'kill -- -$$' EXIT; echo hi")).toMatchObject({ signal: "SIGTERM", output: "hi\n" });
    expect((await sh("echo $PPID; kill -KILL 0")).signal).toBe("SIGKILL");
  });

  it("in a folder that cannot be entered was not started", async () => {
    begin();
    expect(await sh("echo no", { cwd: join(folder, "nothing") })).toMatchObject({ endedBy: "not-started" });
  });

  // Elsewhere than on Linux nobody tells what another process was started with.
  it.runIf(existsSync("/proc/self/environ"))("leaves nothing running, in whatever group", async () => {
    begin();
    const { output, exitCode } = await sh(
      "sleep 60 & echo $!; (setsid sleep 60 & echo $!); env -i sleep 60 & echo $!; exit 0",
    );
    expect(exitCode).toBe(0);
    const pids = output.trim().split("\n").map(Number);
    expect(pids).toHaveLength(3);
    for (const pid of pids) await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 });
  });

  it("does not wait for one that holds its stream and has forgotten whose it is, and hears nothing of it later", async () => {
    begin();
    const { output } = await sh(
      "(env -i setsid /bin/sh -c 'echo $$; while :; do echo noise; sleep 0.05; done' &) ; sleep 0.3",
    );
    const pid = Number(output.split("\n")[0]);
    expect((await sh("sleep 0.3; echo mine")).output).toBe("mine\n");
    process.kill(pid, "SIGKILL");
  });

  it("that cannot be started says so", async () => {
    begin();
    expect(await sh("", { command: join(folder, "nothing") })).toMatchObject({ endedBy: "not-started" });
    expect(await sh("", { args: ["-c", "\0"] })).toMatchObject({ endedBy: "not-started" });
    expect(await sh('printf "%s" "$A"', { env: { PATH, A: "a", "odd-name": "b" } })).toMatchObject({ output: "a" });
  });
});

// Where one of the two is missing, commands are started by the program itself: the tests above.
describe.runIf(existsSync("/usr/bin/setsid") && existsSync("/proc/self/stat"))("a small shell", () => {
  const parent = async (): Promise<number> => Number((await sh("echo $PPID")).output);

  it("is used again", async () => {
    startCommandsThrough(folder);
    const first = await parent();
    expect(first).not.toBe(process.pid);
    expect(await parent()).toBe(first);
  });

  it("that was killed before a command began is replaced, and the command runs once", async () => {
    startCommandsThrough(folder);
    process.kill(await parent(), "SIGKILL");
    expect(await sh("echo ran >> once; cat once")).toMatchObject({ exitCode: 0, output: "ran\n" });
  });

  it("that was killed while a command ran takes it with it", async () => {
    startCommandsThrough(folder);
    const ran = await sh("echo $$; kill -KILL $PPID; sleep 60");
    expect(ran).toMatchObject({ endedBy: "itself", exitCode: null, signal: "SIGKILL" });
    await vi.waitFor(() => expect(isAlive(Number(ran.output))).toBe(false), { timeout: 20_000 });
  });

  it("whose pipe was removed is replaced", async () => {
    startCommandsThrough(folder);
    const before = await parent();
    for (const name of readdirSync(folder)) if (name.endsWith(".pipe")) rmSync(join(folder, name));
    expect(await sh("echo here")).toMatchObject({ exitCode: 0, output: "here\n" });
    expect(await parent()).not.toBe(before);
  });
});
