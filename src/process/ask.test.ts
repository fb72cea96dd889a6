import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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

it("keeps its time also when something else holds the stream", async () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-ask-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const held = "(setsid sh -c 'echo $$ > pid; exec sleep 60' &); while [ ! -s pid ]; do sleep 0.02; done; sleep 60";
  expect(await of(held, { cwd: folder, timeoutMs: 1_000 })).toBeUndefined();
  // It would not be there any more if it had been waited for.
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  expect(process.kill(pid, "SIGKILL")).toBe(true);
});
