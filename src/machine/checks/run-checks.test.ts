// Checks through real processes: order, environment, place, sandbox, and what becomes of those that cannot run.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Check } from "../../model/node/node.js";
import { commandEnvironment } from "../process/environment.js";
import { type CheckSettings, runCheck, runChecks, wasNotRun } from "./run-checks.js";

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-checks-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const env = { PATH: process.env["PATH"] ?? "" };
const settings = (rest: Partial<CheckSettings> = {}): CheckSettings => ({ cwd: tmpdir(), timeoutS: 60, env, ...rest });
const outcomes = async (checks: readonly Check[], rest: Partial<CheckSettings> = {}): Promise<string[]> =>
  (await runChecks(checks, settings(rest))).map(
    ({ passed, outcome, excused }) => `${passed ? "passed" : "failed"}: ${outcome}${excused ? ` (${excused})` : ""}`,
  );

describe("checks", () => {
  const three = [{ run: "true" }, { run: "exit 3" }, { run: "echo last" }];

  it("run in order, all of them", async () => {
    expect(await outcomes(three)).toEqual(["passed: exit 0", "failed: exit 3, expected exit 0", "passed: exit 0"]);
  });

  it("are kept without secrets, also where the cut goes through one, and judged by what they said", async () => {
    const redact = (text: string): string => text.replaceAll("canary-77aa", "[redacted]");
    const run = "printf 'canary-77aa%03995d' 0";
    const [result] = await runChecks([{ run, expect: "canary-77aa" }], settings({ redact }));
    expect(result).toMatchObject({ passed: true, output: `cted]${"0".repeat(3995)}` });
  });

  it("stop at the first that fails if they are told to; the rest was not run, which is not passed", async () => {
    const started: string[] = [];
    const results = await runChecks(
      three,
      settings({ onFailure: "stop", onStart: ({ run }) => void started.push(run) }),
    );
    expect(results.map(({ passed }) => passed)).toEqual([true, false, false]);
    expect(results.map(wasNotRun)).toEqual([false, false, true]);
    expect(results[2]?.outcome).toBe("not run, since an earlier one failed");
    expect(started).toEqual(["true", "exit 3"]);
  });

  it("are not started any more once nobody wants them", async () => {
    const controller = new AbortController();
    const checks = [{ run: "sleep 60" }, { run: "true" }];
    const stop = { signal: controller.signal, onStart: () => setImmediate(() => controller.abort()) };
    expect(await outcomes(checks, stop)).toEqual(["failed: was canceled", "failed: not run, since it was canceled"]);
  });

  it.each([
    [{ run: "exit 2", expect: "exit 2" }, "passed: exit 2"],
    [{ run: "true", expect: "exit 2" }, "failed: exit 0, expected exit 2"],
    [{ run: "echo all fine", expect: "all fine" }, "passed: exit 0, said what was expected"],
    [{ run: "echo all fine >&2", expect: "all fine" }, "passed: exit 0, said what was expected"],
    [{ run: "echo no", expect: "all fine" }, 'failed: exit 0, but did not say "all fine"'],
    [{ run: "echo all fine; exit 1", expect: "all fine" }, "failed: exit 1, expected exit 0"],
    [{ run: "kill -9 $$" }, "failed: ended by SIGKILL"],
    [{ run: "sleep 60", timeoutS: 0.1 }, "failed: timed out after 0.1 s"],
    [{ run: "echo \0" }, "failed: could not be started"],
  ])("%j: %s", async (check, outcome) => {
    expect(await outcomes([check])).toEqual([outcome]);
  });

  it("see the environment that they are given, and nothing else", async () => {
    process.env["PLANWRIGHT_TEST_CANARY"] = "secret-canary";
    onTestFinished(() => void delete process.env["PLANWRIGHT_TEST_CANARY"]);
    const [result] = await runChecks([{ run: "env" }], settings({ env: { ...env, GIVEN: "yes" } }));
    expect(result?.output).toContain("GIVEN=yes");
    expect(result?.output).not.toContain("secret-canary");
  });

  it("are put into the sandbox that they are given", async () => {
    const wrap: CheckSettings["wrap"] = (command, args) => ({
      command: "/bin/sh",
      args: ["-c", 'echo inside; exec "$@"', "sh", command, ...args],
    });
    const [result] = await runChecks([{ run: "echo 'a  b'; exit 4" }], settings({ wrap }));
    expect(result).toMatchObject({ outcome: "exit 4, expected exit 0", output: "inside\na  b\n" });
  });

  it("keep the end of what they say, and are judged by all of it", async () => {
    const check = { run: "echo first; yes | head -n 100000; echo last" };
    const { result, output, cut } = await runCheck(check, settings());
    expect(result.output).toHaveLength(4000);
    expect(result.output.endsWith("last\n")).toBe(true);
    expect(output.startsWith("first\n")).toBe(true);
    expect(cut).toBe(false);
  });

  it("are never green with an excuse, which does not stop the others", async () => {
    const excuse: CheckSettings["excuse"] = async ({ run }, { exitCode }) =>
      run === "exit 3" ? `BAS-00${exitCode}` : null;
    expect(await outcomes([...three, { run: "exit 4" }, { run: "true" }], { excuse, onFailure: "stop" })).toEqual([
      "passed: exit 0",
      "failed: exit 3, expected exit 0 (BAS-003)",
      "passed: exit 0",
      "failed: exit 4, expected exit 0",
      "failed: not run, since an earlier one failed",
    ]);
  });
});

describe("the folder of a check", () => {
  const OUTSIDE = "failed: could not be started: its cwd leads out of the working directory";

  it.each([
    ["a folder inside", "inside", "passed: exit 0"],
    ["a folder with a strange name", "in side; touch x $(id)", "passed: exit 0"],
    ["the working directory", ".", "passed: exit 0"],
    ["there and back", "inside/../inside", "passed: exit 0"],
    ["a link inside", "link-inside", "passed: exit 0"],
    ["nothing", "no/such/folder", "failed: could not be started: its cwd does not exist"],
    ["no name for a folder", "a\0b", "failed: could not be started: its cwd does not exist"],
    ["the folder above", "..", OUTSIDE],
    ["another folder", "../elsewhere", OUTSIDE],
    ["one whose name begins alike", "../work-too", OUTSIDE],
    ["an absolute path", "/", OUTSIDE],
    ["a link that leads out", "link-out", OUTSIDE],
    ["a folder behind such a link", "link-out/deeper", OUTSIDE],
  ])("may be %s: %j", async (_, folder, outcome) => {
    const around = makeFolder();
    const cwd = join(around, "work");
    for (const path of ["work/inside", "work/in side; touch x $(id)", "elsewhere/deeper", "work-too"]) {
      mkdirSync(join(around, path), { recursive: true });
    }
    symlinkSync(join(around, "elsewhere"), join(cwd, "link-out"));
    symlinkSync("inside", join(cwd, "link-inside"));
    expect(await outcomes([{ run: "touch ran", cwd: folder }], { cwd })).toEqual([outcome]);
    expect(existsSync(join(around, "elsewhere", "ran"))).toBe(false);
  });

  it("says which one it was", async () => {
    const cwd = makeFolder();
    const [result] = await runChecks([{ run: "true", cwd: "../x" }], settings({ cwd }));
    expect(result?.output).toBe(`The check asks for the folder "../x", which is not inside ${cwd}.`);
  });

  it("is where the check runs, also when the working directory is reached by a link", async () => {
    const around = makeFolder();
    mkdirSync(join(around, "work/inside"), { recursive: true });
    symlinkSync("work", join(around, "way"));
    const [result] = await runChecks([{ run: "pwd -P", cwd: "inside" }], settings({ cwd: join(around, "way") }));
    expect(result?.output).toBe(`${join(around, "work/inside")}\n`);
  });
});

describe("hostile values", () => {
  const metacharacters = fc.constantFrom(
    ..."$(touch pwned)|`touch pwned`|; touch pwned;|\" ; touch pwned ; \"|' ; touch pwned ; '|\n touch pwned\n|&& touch pwned|> pwned|*|~|{a,b}|-rf|--|\\|é|  ".split(
      "|",
    ),
    "| tee pwned",
  );
  const hostile = fc
    .array(fc.oneof(metacharacters, fc.string({ maxLength: 5 })), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join(""));

  it("in variables and folders are never read by a shell", async () => {
    const around = makeFolder();
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (title, name) => {
        const cwd = mkdtempSync(join(around, "w-"));
        const folder = `x${name}`.replaceAll(/[/\0]/g, "_").slice(0, 60);
        const value = title.replaceAll("\0", "");
        fc.pre(folder.trim() === folder);
        mkdirSync(join(cwd, folder));
        const check = { run: 'printf %s "$TITLE" > said', cwd: folder };
        const given = commandEnvironment({ ...process.env, TITLE: value }, ["TITLE"]);
        expect(await outcomes([check], { cwd, env: given })).toEqual(["passed: exit 0"]);
        expect(readFileSync(join(cwd, folder, "said"), "utf8")).toBe(value);
        expect(existsSync(join(cwd, "pwned")) || existsSync(join(cwd, folder, "pwned"))).toBe(false);
      }),
      { numRuns: 60 },
    );
    expect(existsSync("pwned")).toBe(false);
  });

  it("in folders that do not exist are a failed check, never an error", async () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, "a-file"), "");
    await fc.assert(
      fc.asyncProperty(hostile, async (name) => {
        const [said] = await outcomes([{ run: "touch ran", cwd: `no-such/${name}` }], { cwd });
        expect(said).toMatch(/^failed: could not be started/);
      }),
      { numRuns: 60 },
    );
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    expect(await outcomes([{ run: "true", cwd: "a-file" }], { cwd })).toEqual(["failed: could not be started"]);
  });
});
