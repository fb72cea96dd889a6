import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository, write } from "../../test/git-repository.js";
import { git, startGitThrough } from "./git.js";
import { harmlessOf } from "./own-config.js";

it("keeps who somebody is and how they write files, and nothing that names a command", () => {
  const entries = [
    ["system", "core.autocrlf\ntrue"],
    ["global", 'user.name\nAda "the first" \\ Lovelace'],
    ["global", "core.symlinks"],
    ["global", "filter.lfs.process\ngit-lfs filter-process"],
    ["global", "filter.lfs.clean\nsh -c 'id; git-lfs clean -- %f'"],
    ["global", "filter.x.clean\nid"],
    ["global", "core.sshcommand\nid"],
    ["global", "include.path\n/tmp/x"],
    ["local", "user.email\nada@example.org"],
  ];
  expect(harmlessOf(entries.flat().join("\0").concat("\0"))).toBe(
    [
      "[user]",
      '\tname = "Ada \\"the first\\" \\\\ Lovelace"',
      "[core]",
      "\tsymlinks",
      '[filter "lfs"]',
      '\tprocess = "git-lfs filter-process"',
      "",
    ].join("\n"),
  );
  expect(harmlessOf("")).toBe("\n");
});

it("an engine's git runs no filter from the home folder, and commits as whoever started it", async () => {
  const { path, around, git: plain } = makeRepository({ ".gitattributes": "* filter=x\n" });
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  const identity = ["AUTHOR", "COMMITTER"].flatMap((who) => [`GIT_${who}_NAME`, `GIT_${who}_EMAIL`]);
  process.env = { ...before, HOME: around, XDG_CONFIG_HOME: around, GIT_CONFIG_NOSYSTEM: "1" };
  for (const name of [...identity, "GIT_CONFIG_GLOBAL", "EMAIL"]) delete process.env[name];
  const config = join(around, ".gitconfig");
  writeFileSync(config, "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  startGitThrough(join(around, "running"));
  await git(path, ["status"]);
  const filter = join(around, "filter.sh");
  write(around, { "filter.sh": `#!/bin/sh\ntouch ${around}/ran\ncat\n` });
  chmodSync(filter, 0o755);
  writeFileSync(config, `[user]\n\tname = Eve\n\temail = eve@example.org\n[filter "x"]\n\tclean = ${filter}\n`);
  write(path, { "new.txt": "new\n" });
  await git(path, ["add", "new.txt"]);
  await git(path, ["commit", "-m", "x"], { commits: true });
  expect(existsSync(join(around, "ran"))).toBe(false);
  expect(plain("log", "-1", "--format=%an %ae %cn %ce")).toBe("Ada ada@example.org Ada ada@example.org");
  // What is the repository's own comes first, as always.
  plain("config", "user.name", "Grace");
  await git(path, ["commit", "--allow-empty", "-m", "y"], { commits: true });
  expect(plain("log", "-1", "--format=%an %ae")).toBe("Grace ada@example.org");
  expect(readFileSync(config, "utf8")).toContain("Eve");
});
