import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { isAlive } from "../../../test/alive.js";
import { needsProc } from "../../../test/needs.js";
import { noteChildrenIn } from "./orphans.js";
import { type RunOptions, type RunResult, run } from "./run.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-run-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let cwd = folder;
beforeEach(() => {
  cwd = mkdtempSync(join(folder, "cwd-"));
});

const PATH = process.env["PATH"] ?? "";

const sh = (script: string, over: Partial<RunOptions> = {}): Promise<RunResult> =>
  run({ command: "/bin/sh", args: ["-c", script], cwd, env: { PATH }, timeoutMs: 60_000, killStrays: true, ...over });

async function isGone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false);
}

/** Its time is up once it has said so, and not before, however slow the machine; `graceMs` later, too. */
async function untilUp(script: string, { graceMs = 0, ...over }: Parameters<typeof sh>[1] & { graceMs?: number } = {}) {
  const timeoutMs = 60_000;
  let said = "";
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const onText = (text: string): void => {
    said += text;
    if (!said.endsWith("up\n")) return;
    vi.advanceTimersByTime(timeoutMs + graceMs);
    vi.useRealTimers();
  };
  return sh(script, { ...over, timeoutMs, onText });
}

describe("the result", () => {
  it("has the output and how the command ended", async () => {
    expect(await sh("echo out; echo err >&2; exit 3")).toMatchObject({
      endedBy: "itself",
      exitCode: 3,
      signal: null,
      stdout: "out\n",
      output: "out\nerr\n",
    });
    expect(await sh("exit 143")).toMatchObject({ exitCode: 143, signal: null });
    expect(await sh("kill -9 $$")).toMatchObject({ endedBy: "itself", exitCode: null, signal: "SIGKILL" });
    expect((await sh("kill -INT $$; echo still here")).output).toBe("");
  });

  it("has all output of a command that ends at once", async () => {
    const runs = await Promise.all(Array.from({ length: 20 }, () => run({ command: "echo", args: ["all of it"] })));
    expect(new Set(runs.map(({ stdout }) => stdout))).toEqual(new Set(["all of it\n"]));
  });

  it("has the output byte for byte, whatever its length and its end", async () => {
    expect((await sh("printf 'one\\0two\\n'; echo aside >&2")).stdout).toBe("one\0two\n");
    const said = await sh("head -c 150000 /dev/zero | tr '\\0' x; printf 'no end' >&2");
    expect(said.stdout).toBe("x".repeat(150_000));
    expect(said.output).toHaveLength(150_006);
  });

  it("keeps the end of output that is too long, and passes on all of it", async () => {
    let length = 0;
    const onText = (text: string): void => void (length += text.length);
    const line = "0123456789012345678901234567890123456789";
    const script = `i=0; while [ $i -lt 3000 ]; do echo ${line}; i=$((i+1)); done`;
    const { output, stdout } = await sh(script, { keep: 1_000, onText });
    expect(length).toBe(3000 * 41);
    expect(output).toHaveLength(1_000);
    expect(stdout.endsWith(`${line}\n${line}\n`)).toBe(true);
  });

  it("belongs to its own command when many run at once", async () => {
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => sh(`echo ${n}; exit ${n}`)));
    expect(all.map(({ exitCode, output }) => [exitCode, output])).toEqual(
      Array.from({ length: 30 }, (_, n) => [n, `${n}\n`]),
    );
  });
});

describe("a command", () => {
  it("gets its arguments, folder and environment unchanged, and nothing else", async () => {
    const odd =
      'it\'s "$HOME" \\ * ;\n\n\techo no\n' +
      Array.from({ length: 0x800 }, (_, n) => String.fromCodePoint(n + 1)).join("");
    const script = 'pwd; printf "%s|" "$0" "$ODD"; cat';
    const said = await sh(script, { args: ["-c", script, odd], env: { PATH, ODD: odd, "odd-name": "b" } });
    expect(said.output).toBe(`${cwd}\n${odd}|${odd}|`);
    const names = (await sh("env")).output.split("\n").map((line) => line.split("=")[0]);
    const own = new Set(["", "PATH", "PLANWRIGHT_CHILD", "PWD", "SHLVL", "_", "OLDPWD"]);
    expect(names.filter((name) => !own.has(name ?? ""))).toEqual([]);
  });

  it("gets its input unchanged, and no input is an empty one", async () => {
    for (const input of ["one\n$two `three` 'four\n", "one\ntwo", "", "one\0two\n", `${"x".repeat(150_000)}\n`]) {
      expect((await sh("cat", { input })).stdout).toBe(input);
    }
    expect((await sh("cat; echo end")).stdout).toBe("end\n");
    expect((await sh("echo unread", { input: "x".repeat(1_000_000) })).stdout).toBe("unread\n");
  });

  it("leads its own group, which it can signal", async () => {
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

  it("that cannot be started says why", async () => {
    const nothing = join(cwd, "nothing");
    expect(await sh("", { command: nothing })).toMatchObject({ endedBy: "not-started" });
    expect(await sh("echo no", { cwd: nothing })).toMatchObject({ endedBy: "not-started" });
    expect(await sh("", { args: ["-c", "\0"] })).toMatchObject({
      endedBy: "not-started",
      output: expect.stringContaining("null bytes"),
    });
  });
});

describe("a command that has to end", () => {
  it("gets SIGTERM at its time limit, and SIGKILL if it ignores that", async () => {
    const kind = await untilUp('trap "echo bye; exit 0" TERM; echo up; while :; do sleep 0.05; done');
    expect(kind).toMatchObject({
      endedBy: "timeout",
      output: expect.stringMatching(/^up\n(?:bye\n|Terminated\n){1,2}$/),
    });
    expect(kind.stdout).toBe("up\nbye\n");
    const stubborn = await untilUp('trap "" TERM; echo up; while :; do sleep 0.05; done', { graceMs: 2_000 });
    expect(stubborn).toMatchObject({ endedBy: "timeout", exitCode: null, signal: "SIGKILL" });
  });

  it("takes its descendants with it, in whatever group", async () => {
    const script = "sleep 60 & echo $!; setsid sleep 60 & echo $!; echo up; sleep 60";
    const { endedBy, output } = await untilUp(script, { killStrays: false });
    expect(endedBy).toBe("timeout");
    const pids = output.split("\n").slice(0, 2).map(Number);
    for (const pid of pids) await isGone(pid);
  });

  it("ends when it is cancelled", async () => {
    const stop = new AbortController();
    const ran = sh("echo up; sleep 60", { signal: stop.signal, onText: () => stop.abort() });
    expect(await ran).toMatchObject({ endedBy: "cancel", output: "up\n" });
    expect(await sh("echo no", { signal: stop.signal })).toMatchObject({ endedBy: "cancel" });
  });

  it("ends when it is cancelled right after its start", async () => {
    const stop = new AbortController();
    const ran = sh("sleep 60; echo done", { signal: stop.signal });
    stop.abort();
    expect(await ran).toMatchObject({ endedBy: "cancel", output: expect.not.stringContaining("done") });
  });

  it("keeps its time limit when another process holds its output", async () => {
    const held =
      "(env -i setsid sh -c 'echo $$ > pid; exec sleep 60' &); while [ ! -s pid ]; do sleep 0.02; done; echo up; sleep 60";
    expect(await untilUp(held)).toMatchObject({ endedBy: "timeout" });
    // It would have ended if we had waited for it.
    expect(process.kill(Number(readFileSync(join(cwd, "pid"), "utf8")), "SIGKILL")).toBe(true);
  });
});

describe("a command that has ended", () => {
  // Only Linux shows the environment of another process.
  it("leaves nothing running, in whatever group", needsProc, async () => {
    const { output, exitCode } = await sh(
      "sleep 60 & echo $!; (setsid sleep 60 & echo $!); env -i sleep 60 & echo $!; exit 0",
    );
    expect(exitCode).toBe(0);
    const pids = output.trim().split("\n").map(Number);
    expect(pids).toHaveLength(3);
    for (const pid of pids) await isGone(pid);
  });

  it("is not waited for when a stray holds its output, and the stray is not heard later", async () => {
    let late = "";
    const script = "(env -i setsid /bin/sh -c 'echo $$; while :; do echo noise; sleep 0.05; done' &) ; sleep 0.3";
    const { output } = await sh(script, { onText: (text) => (late += text) });
    expect(late).toBe(output);
    await sh("sleep 0.3");
    expect(late).toBe(output);
    process.kill(Number(output.split("\n")[0]), "SIGKILL");
  });

  it("leaves its group at once even if that goes on writing", async () => {
    expect(await sh("(while :; do echo chat; done) & exit 0")).toMatchObject({ exitCode: 0 });
  });

  it("was noted in the folder of its own workspace, and is no longer", needsProc, async () => {
    const notes = await Promise.all(
      ["one", "two"].map((name) => {
        const running = join(cwd, name);
        return noteChildrenIn(running, async () => {
          const { stdout } = await sh(`until [ -s ${running}/$$.json ]; do sleep 0.02; done; ls ${running}; echo $$`);
          const [file, pid] = stdout.trim().split("\n");
          expect(file).toBe(`${pid}.json`);
          return readdirSync(running);
        });
      }),
    );
    expect(notes).toEqual([[], []]);
  });
});
