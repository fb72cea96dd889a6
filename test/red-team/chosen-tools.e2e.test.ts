// Threat: an agent hands in work with an environment of its own making, so that the commands of its checks are other programs.

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRig, type Rig } from "../rig.js";

const PATH = process.env["PATH"] ?? "";
const AGENT = "agent:coder";

/** A folder with a program `judge` that ends so. */
function toolIn(folder: string, exit: number): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "judge"), `#!/bin/sh\nexit ${exit}\n`);
  chmodSync(join(folder, "judge"), 0o755);
  return folder;
}

/** Ada's own `judge` finds fault with everything; that of the agent with nothing. */
function makeShop(check: string, inGit = true): { rig: Rig; honest: string; evil: string } {
  const rig = makeRig();
  const [honest, evil] = [toolIn(join(makeRig().root, "honest"), 1), toolIn(join(makeRig().root, "evil"), 0)];
  rig.write("planwright.json", JSON.stringify({ execution: { proof: "off", footprint: "note" } }));
  if (inGit) {
    rig.git("init", "--quiet", "--initial-branch", "main");
    rig.git("add", ".");
    rig.git("commit", "--quiet", "--message", "begin");
  }
  rig.ok(["init", "--mission", "Greet"], { env: { PATH: `${honest}:${PATH}` } });
  rig.ok(["add", "Say hello", "--parent", "BUGS", "--id", "T-1", "--check", check]);
  rig.ok(["approve", "T-1"]);
  return { rig, honest, evil };
}

/** What `complete` of the agent says, with these variables. */
function handedIn(rig: Rig, env: Readonly<Record<string, string>>) {
  const own = { PLANWRIGHT_ACTOR: AGENT, PLANWRIGHT_SECRET: "", ...env };
  const { token } = rig.ok(["next"], { env: { PLANWRIGHT_ACTOR: AGENT, PLANWRIGHT_SECRET: "" } }) as { token: string };
  rig.write("greeting.txt", "hello\n");
  return rig.run(["complete", "T-1", "--token", token, "--json"], { env: own });
}

it.each([
  ["in a repository", true],
  ["without one", false],
])("an agent that hands in does not choose what the command of a check means, %s", (_, inGit) => {
  const { rig, evil } = makeShop("judge", inGit);
  const said = handedIn(rig, { PATH: `${evil}:${PATH}` });
  expect(said.stdout).toContain("exit 1, expected exit 0");
  expect(rig.ok(["show", "T-1"])).not.toMatchObject({ status: "done" });
});

it.each([
  ["PYTHONPATH", 'test -z "$PYTHONPATH"'],
  ["NODE_PATH", 'test -z "$NODE_PATH"'],
  ["LD_LIBRARY_PATH", 'test -z "$LD_LIBRARY_PATH"'],
  ["HOME", 'test "$HOME" != "/evil"'],
  ["XDG_CONFIG_HOME", 'test "$XDG_CONFIG_HOME" != "/evil"'],
])("nor where its tools look for themselves (%s)", (name, check) => {
  const { rig } = makeShop(check);
  const said = handedIn(rig, { [name]: "/evil" });
  expect(said).toMatchObject({ code: 0 });
  expect(rig.ok(["show", "T-1"])).toMatchObject({ status: "done" });
});

it("nor does one where no person ever said which tools count: then the system's own do", () => {
  const { rig, evil } = makeShop("judge");
  const said = handedIn(rig, { PATH: `${evil}:${PATH}`, PLANWRIGHT_CONFIG: makeRig().root });
  expect(said.stdout).toContain("exit 127, expected exit 0");
});

it("the tools of a person count from the next command on that runs checks", () => {
  const { rig, evil } = makeShop("judge");
  rig.ok(["config", "trust", "--yes"], { env: { PATH: `${evil}:${PATH}` } });
  expect(handedIn(rig, {})).toMatchObject({ code: 0 });
});

it("a relative folder of the PATH, which would be one of the worktree, is not searched, not even a person's", () => {
  const { rig } = makeShop("judge");
  rig.ok(["config", "trust", "--yes"], { env: { PATH: `tools:${PATH}` } });
  toolIn(join(rig.root, "tools"), 0);
  expect(handedIn(rig, {}).stdout).toContain("exit 127, expected exit 0");
});

it("a daemon uses a tool that its person installed after it began, once a command of theirs had it", {
  timeout: 60_000,
}, async () => {
  const { rig, evil: tools } = makeShop("judge");
  // Without it the check would fail: at the beginning there is no such program on the PATH.
  rig.ok(["config", "trust", "--yes"], { env: { PATH } });
  rig.write(
    "tasks.jsonl",
    JSON.stringify({
      id: "T-2",
      title: "Say more",
      parent: "BUGS",
      body: "```sh run\necho more > more.txt\n```",
      checks: [{ run: "judge" }],
    }),
  );
  rig.ok(["add", "--from", "tasks.jsonl"]);
  rig.ok(["freeze", "T-1", "--reason", "an agent does it"]);
  rig.ok(["daemon", "start"], { env: { PATH } });
  onTestFinished(() => void rig.run(["daemon", "stop"]));
  rig.ok(["config", "trust", "--yes"], { env: { PATH: `${tools}:${PATH}` } });
  rig.ok(["level", "on"], { env: { PATH: `${tools}:${PATH}` } });
  rig.ok(["approve", "T-2"], { env: { PATH: `${tools}:${PATH}` } });
  await expect.poll(() => rig.ok(["show", "T-2"]).status, { timeout: 40_000 }).toBe("done");
});
