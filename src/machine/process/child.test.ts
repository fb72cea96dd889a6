import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isAlive } from "../../../test/alive.js";
import { needsProc } from "../../../test/needs.js";
import { startChild } from "./child.js";
import { findCommand } from "./environment.js";

const folder = mkdtempSync(join(tmpdir(), "planwright-child-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { PATH: process.env["PATH"] ?? "" };

function start(program: string) {
  const lines: string[] = [];
  let heard = (): void => {};
  const first = new Promise<void>((done) => {
    heard = done;
  });
  const onLine = (line: string): void => {
    lines.push(line);
    heard();
  };
  const child = startChild({ command: process.execPath, args: ["-e", program], cwd: folder, env, onLine });
  return { child, lines, first };
}

const LINGER = `const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { detached: true, stdio: "inherit" });
console.log(child.pid);`;

describe("a child", () => {
  it("is talked with", async () => {
    const { child, lines } = start(
      'process.stdin.on("data", (text) => process.stdout.write(String(text).toUpperCase()))',
    );
    child.write("one\ntwo");
    child.endInput();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(lines).toEqual(["ONE", "TWO"]);
  });

  it("says ten megabytes in one line, and all of it is heard", async () => {
    const { child, lines } = start('process.stdout.write("x".repeat(10_000_000) + "\\nend\\n")');
    await child.exited;
    expect(lines.map((line) => line.length)).toEqual([10_000_000, 3]);
  });

  it("keeps the last of what it complains about", async () => {
    const { child } = start('process.stderr.write("x".repeat(100_000) + "the reason"); process.exitCode = 3');
    expect(await child.exited).toEqual({ code: 3, signal: null });
    expect(child.stderr).toMatch(/the reason$/);
    expect(child.stderr.length).toBeLessThan(20_000);
  });

  it("is ended although it does not want to be", async () => {
    const { child, first } = start('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1e6)');
    await first;
    expect(await child.end()).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("takes along what it put into a group of its own", async () => {
    const { child, lines, first } = start(`${LINGER} setInterval(() => {}, 1e6)`);
    await first;
    await child.end();
    await expect.poll(() => isAlive(Number(lines[0]))).toBe(false);
  });

  it("that ends by itself leaves nothing behind, in whatever group", needsProc, async () => {
    const { child, lines } = start(`${LINGER} child.unref()`);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    await expect.poll(() => isAlive(Number(lines[0]))).toBe(false);
    expect(await child.end()).toEqual({ code: 0, signal: null });
  });

  it("takes nothing along that is not its own", needsProc, async () => {
    const other = start('console.log("up"); setInterval(() => {}, 1e6)');
    await other.first;
    await start("").child.exited;
    expect(isAlive(other.child.pid as number)).toBe(true);
    await other.child.end();
  });

  it("does not keep us waiting for one that holds its pipes and has forgotten whose it is", async () => {
    const forgetful = LINGER.replace("detached: true,", "detached: true, env: {},");
    const { child, lines } = start(`${forgetful} child.unref()`);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    process.kill(Number(lines[0]), "SIGKILL");
  });

  it.each([
    ["a command that is not there", { command: join(folder, "nothing"), args: [] }],
    ["an argument that no system takes", { command: process.execPath, args: ["\0"] }],
    ["a megabyte of arguments", { command: process.execPath, args: ["x".repeat(3_000_000)] }],
  ])("that cannot be started has ended: %s", async (_, { command, args }) => {
    const child = startChild({ command, args, cwd: folder, env, onLine: () => {} });
    child.write("hello");
    child.endInput();
    expect(await child.exited).toMatchObject({ code: null, notStarted: expect.any(String) });
    expect(await child.end()).toMatchObject({ notStarted: expect.any(String) });
  });
});

describe("when this program ends, what it started ends too", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("by %s", async (signal) => {
    // The group module alone, in a program of its own: the signal must not reach the test runner.
    const { build } = await import("esbuild");
    const program = join(folder, `program-${signal}.mjs`);
    const entry = join(folder, `entry-${signal}.ts`);
    writeFileSync(
      entry,
      `import { startChild } from ${JSON.stringify(join(import.meta.dirname, "child.ts"))};
       const child = startChild({ command: process.execPath, args: ["-e", "console.log('up'); setInterval(() => {}, 1e6)"],
         cwd: "/", env: {}, onLine: () => console.log(child.pid) });`,
    );
    await build({
      entryPoints: [entry],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    const parent = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
    const [pid] = (await once(parent.stdout, "data")) as [Buffer];
    parent.kill(signal);
    const [, by] = (await once(parent, "exit")) as [number | null, string | null];
    expect(by).toBe(signal);
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });
});

describe("a command is found", () => {
  it.each([
    ["by its name", "sh", "/nowhere:/bin:/usr/bin", /\/sh$/],
    ["by its path", "./tool", "", /\/tool$/],
    ["never where it cannot be run", "./data", "", undefined],
    ["never as a folder", "./", "", undefined],
    ["never in a folder that the path names only relatively", "tool", ".:", undefined],
    ["never without a name", "", "/bin", undefined],
  ])("%s", (_, command, path, found) => {
    writeFileSync(join(folder, "tool"), "", { mode: 0o755 });
    writeFileSync(join(folder, "data"), "", { mode: 0o644 });
    const file = findCommand(command, path, folder);
    expect(file ?? "nowhere").toMatch(found ?? /^nowhere$/);
  });
});
