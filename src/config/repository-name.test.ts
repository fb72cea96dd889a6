import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { gitIn, makeRepository } from "../../test/git-repository.js";
import { findCommand } from "../machine/process/environment.js";
import { nameRepository } from "./repository-name.js";

/** A git on the PATH that notes each start. */
function countGits(around: string): () => number {
  const log = join(around, "starts");
  const before = process.env["PATH"];
  onTestFinished(() => {
    process.env["PATH"] = before;
  });
  writeFileSync(log, "");
  writeFileSync(join(around, "git"), `#!/bin/sh\necho x >> '${log}'\nexec '${findCommand("git", before, "/")}' "$@"\n`);
  chmodSync(join(around, "git"), 0o755);
  process.env["PATH"] = `${around}:${before}`;
  return () => readFileSync(log, "utf8").split("\n").length - 1;
}

it("a shallow clone is named without a git each time, and named anew when it gets more history", () => {
  const { around, path, git, commit } = makeRepository();
  const first = git("rev-parse", "HEAD");
  const second = commit({ "b.txt": "b\n" });
  gitIn(around, "clone", "-q", "--depth", "1", `file://${path}`, "shallow");
  const [root, env] = [join(around, "shallow"), { PLANWRIGHT_CONFIG: join(around, "config") }];
  const starts = countGits(around);
  const names = [1, 2, 3].map(() => nameRepository(root, env).name);
  expect([names, starts()]).toEqual([[second, second, second], 1]);
  gitIn(root, "fetch", "-q", "--unshallow");
  const before = starts();
  expect([nameRepository(root, env).name, nameRepository(root, env).name, starts() - before]).toEqual([
    first,
    first,
    1,
  ]);
});
