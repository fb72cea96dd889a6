import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { askInLane, type Question } from "./ask.js";

const cwd = tmpdir();
const env = { PATH: process.env["PATH"] ?? "" };
const of = (run: string, more: Partial<Question> = {}): Promise<string | undefined> =>
  askInLane({ command: "sh", args: ["-c", run], cwd, env, timeoutMs: 30_000, ...more });

it("gives what a command says, byte for byte", async () => {
  expect(await of("printf 'one\\0two\\n'; echo aside >&2")).toBe("one\0two\n");
});

it("gives nothing where it does not end well", async () => {
  expect(await of("echo half; exit 3")).toBeUndefined();
  expect(await of("", { command: "/nonexistent/command" })).toBeUndefined();
  expect(await of("pwd", { cwd: "/nonexistent" })).toBeUndefined();
});

it("shows a command its own environment, and nothing of the question before", async () => {
  expect(await of('echo "$A"', { env: { ...env, A: "it's $HOME" } })).toBe("it's $HOME\n");
  expect(await of('echo "$A$HOME"')).toBe("\n");
});

it("takes names that no shell takes", async () => {
  expect(await of("echo there", { env: { ...env, "a.b": "1" } })).toBe("there\n");
});

it("ends a command whose time is up, and goes on with the next", async () => {
  expect(await of("echo early; sleep 600", { timeoutMs: 50 })).toBeUndefined();
  expect(await of("echo next")).toBe("next\n");
});

it("asks again by itself when its shell was ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-ask-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // The second time this program is its parent.
  expect(await of('[ -e once ] || { touch once; kill -9 "$PPID"; }; echo again', { cwd: folder })).toBe("again\n");
  expect(readdirSync(folder)).toEqual(["once"]);
});
