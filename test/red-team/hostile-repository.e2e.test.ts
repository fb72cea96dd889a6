// Threat: a worker fills the git folder of its worktree with programs: settings, hooks, drivers, replaced commits. Our own git runs outside
// of its sandbox. Here the whole program goes through such worktrees, with a git on the PATH that writes down how it was started.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findCommand } from "../../src/machine/process/environment.js";
import { makeRig, type Rig } from "../rig.js";

/** Each setting names a program of its own, so that the proof says which one ran. */
const PROGRAMS = `core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.alternateRefsCommand
  credential.helper sequence.editor gpg.program gpg.ssh.program diff.external diff.evil.textconv diff.evil.command
  filter.evil.clean filter.evil.smudge filter.evil.process merge.evil.driver interactive.diffFilter
  uploadpack.packObjectsHook remote.origin.uploadpack trailer.x.command alias.status alias.diff alias.add`.split(/\s+/);

const HOOKS =
  `pre-commit commit-msg prepare-commit-msg post-commit post-checkout post-merge post-rewrite pre-merge-commit
  pre-push pre-rebase reference-transaction post-index-change fsmonitor-watchman`.split(/\s+/);

/** What the worker does besides its task. Everything that it plants would leave a file in `proof`. */
const plant = (proof: string): string =>
  [
    "mkdir -p .git/hooks .git/info nested",
    `evil() { printf '#!/bin/sh\\ntouch "${proof}/%s"\\ncat\\n' "$1" > ".git/evil-$1"; chmod 755 ".git/evil-$1"; }`,
    `for name in ${PROGRAMS.join(" ")}; do evil "$name"; git config "$name" "$PWD/.git/evil-$name"; done`,
    `for name in ${HOOKS.join(" ")}; do evil "$name"; cp ".git/evil-$name" ".git/hooks/$name"; done`,
    "git config commit.gpgSign true; git config log.showSignature true; git config core.hooksPath .git/hooks",
    "git config filter.evil.required true; git config extensions.worktreeConfig true; cp .git/config .git/config.worktree",
    "echo '* filter=evil diff=evil merge=evil' > .git/info/attributes",
    // Another commit in the place of the one that it began from, and one that never was.
    "other=$(GIT_CONFIG_COUNT=0 git -c commit.gpgSign=false commit-tree -m other HEAD^{tree})",
    "mkdir -p .git/refs/replace && echo $other > .git/refs/replace/$(git rev-parse HEAD)",
    'echo "$(git rev-parse HEAD) $other" > .git/info/grafts',
    "cp -r .git nested/.git; echo x > nested/file.txt; rm -rf nested",
    'printf "%s" "ref: refs/heads/main" > .git/HEAD; rm -f .git/index; mkdir .git/index.lock',
    "true",
  ].join("\n");

const LOGGED = "calls.log";

/** A git that notes where it was started, with which arguments, by whom, and then is the real one. */
function noteGit(rig: Rig): string {
  const folder = join(rig.state, "bin");
  const log = join(rig.state, LOGGED);
  mkdirSync(folder, { recursive: true });
  const real = findCommand("git", process.env["PATH"], "/") ?? "git";
  const script = [
    "#!/bin/sh",
    `printf '%s\\t%s\\t%s\\t%s\\n' "$PWD" "\${PLANWRIGHT_ATTEMPT-}" "\${GIT_NO_REPLACE_OBJECTS-}" "$(echo "$*" | tr '\\n' ' ')" 2>/dev/null >> '${log}'`,
    `exec '${real}' "$@"`,
  ];
  writeFileSync(join(folder, "git"), `${script.join("\n")}\n`, { mode: 0o755 });
  return `${folder}:${process.env["PATH"]}`;
}

it("no git of ours obeys it, wherever a plan leads: accepted, rejected, kept, landed and looked at", {
  timeout: 120_000,
}, () => {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.write("README.md", "hello\n");
  rig.write(".gitattributes", "*.lock merge=evil\n");
  rig.git("add", "-A");
  rig.git("commit", "-q", "-m", "first");
  rig.ok(["init", "--mission", "A shop"]);
  const proof = join(rig.state, "proof");
  mkdirSync(proof, { recursive: true });
  const task = (id: string, script: string, check: string) => ({
    id,
    title: `Task ${id}`,
    parent: "FEAT-001",
    body: `\`\`\`sh run\n${script}\n${plant(proof)}\n\`\`\``,
    files: [`${id}.txt`],
    checks: [{ run: check }],
  });
  const nodes = [
    { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" },
    task("good", "echo 1 > good.txt", "test -s good.txt"),
    task("bad", "echo 1 > bad.txt", "false"),
    { ...task("after", "cat good.txt > after.txt", "test -s after.txt"), dependsOn: ["good"] },
  ];
  rig.write("tasks.jsonl", nodes.map((node) => JSON.stringify(node)).join("\n"));
  rig.ok(["add", "--from", "tasks.jsonl"]);
  rig.ok(["approve", "FEAT-001"]);
  const env = { PATH: noteGit(rig) };
  rig.run(["run", "--batch"], { env });
  const states = (rig.ok(["attempt", "list"], { env }) as { task: string; state: string }[]).map(
    ({ task: id, state }) => `${id} ${state}`,
  );
  expect([...new Set(states)].sort()).toEqual(["after accepted", "bad rejected", "good accepted"]);
  for (const look of [
    ["status"],
    ["why", "bad"],
    ["show", "good"],
    ["diff", "good"],
    ["doctor"],
    ["verify"],
    ["attempt", "show", "ATT-00001"],
  ]) {
    rig.run(look, { env });
  }
  rig.ok(["drop", "bad", "--reason", "not needed"], { env });
  rig.ok(["land", "FEAT-001", "--yes"], { env });
  rig.run(["gc", "--yes"], { env });
  expect([rig.git("show", "main:good.txt"), rig.git("show", "main:after.txt")]).toEqual(["1", "1"]);

  expect(readdirSync(proof)).toEqual([]);
  const calls = readFileSync(join(rig.state, LOGGED), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([cwd = "", attempt = "", noReplace = "", words = ""]) => ({ cwd, attempt, noReplace, words }))
    .filter(({ attempt }) => attempt === "");
  expect(calls.length).toBeGreaterThan(50);
  const inWorktrees = calls.filter(({ cwd }) => cwd.startsWith(rig.worktrees));
  expect(inWorktrees.length).toBeGreaterThan(10);
  // None lets git find a repository by itself in a folder where a worker was.
  const trusting = inWorktrees.filter(({ words }) => {
    const named = /--git-dir=(\S+)/.exec(words)?.[1];
    return named === undefined || named.startsWith(rig.worktrees);
  });
  expect(trusting).toEqual([]);
  expect(inWorktrees.filter(({ noReplace }) => noReplace !== "1")).toEqual([]);
});
