// The first command of README.md. It has to work on any machine: in an agent's shell, in CI, with any settings of git.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** Settings that would sign commits, run a hook, ignore files and paint git's output. */
function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), "planwright-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, "hooks"));
  writeFileSync(join(home, "hooks/pre-commit"), `#!/bin/sh\ntouch '${home}/hook-ran'\nexit 1\n`);
  chmodSync(join(home, "hooks/pre-commit"), 0o755);
  writeFileSync(join(home, "ignored"), "*.txt\n*.sh\n");
  const settings = ["[commit]", "gpgSign = true", "[gpg]", "program = false", "[color]", "ui = always"];
  const core = ["[core]", `hooksPath = ${home}/hooks`, `excludesFile = ${home}/ignored`, "autocrlf = true"];
  writeFileSync(join(home, ".gitconfig"), [...settings, ...core].join("\n"));
  return home;
}

it("shows the product to its end without a terminal, for agents too, and leaves nothing behind", async () => {
  const home = makeHome();
  const tmp = join(home, "tmp");
  mkdirSync(tmp);
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TMPDIR: tmp,
    CLAUDECODE: "1",
    AI_AGENT: "claude",
    PLANWRIGHT_ACTOR: "agent:x",
  };
  const demo = spawn(process.execPath, ["scripts/demo.mjs"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [demo.stdout, demo.stderr]) stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(demo, "close")) as [number | null];
  expect(printed).toContain("rows are as they should be");
  expect(printed).toContain("Where to go next:");
  expect(code).toBe(0);
  expect(existsSync(join(home, "hook-ran"))).toBe(false);
  expect(readdirSync(tmp)).toEqual([]);
});

it.each(["npm ci && npm run demo", "npm ci && npm test"])("is in README.md, near its top: %s", (command) => {
  const lines = readFileSync("README.md", "utf8").split("\n").slice(0, 40);
  expect(lines).toContain(command);
});
