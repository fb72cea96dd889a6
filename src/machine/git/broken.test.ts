import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../test/git-repository.js";
import { checkoutsOf } from "./checkouts/checkout.js";
import { missingFrom, presenceIn } from "./merge.js";
import { listRemotes, usualRemote } from "./push.js";
import { listRefs } from "./refs.js";
import { listWorktrees } from "./worktree.js";

const MAIN = "refs/heads/main";

it.each<[string, (cwd: string, commit: string) => Promise<unknown>]>([
  ["worktrees", listWorktrees],
  ["checkouts", (cwd) => checkoutsOf(cwd, MAIN)],
  ["refs", (cwd) => listRefs(cwd, "refs/heads")],
  ["missing commits", (cwd, commit) => missingFrom(cwd, MAIN, [commit])],
  ["what has landed", (cwd, commit) => presenceIn(cwd, MAIN, commit)],
  ["remotes", listRemotes],
  ["the usual remote", (cwd) => usualRemote(cwd, "main")],
])("where git cannot look, nobody says that there are no %s", async (_, look) => {
  const { path, git } = makeRepository({ a: "1" });
  const commit = git("rev-parse", "HEAD");
  await look(path, commit);
  writeFileSync(join(path, ".git/config"), "[nonsense");
  await expect(look(path, commit)).rejects.toThrow("bad config");
});

it("nothing is in a branch that there is not, nor in no repository", async () => {
  const { path, git } = makeRepository({ a: "1" });
  const commit = git("rev-parse", "HEAD");
  expect(await missingFrom(path, MAIN, [commit])).toEqual([]);
  expect(await missingFrom(path, "refs/heads/none", [commit])).toEqual([commit]);
  expect(await missingFrom(path, MAIN, ["0".repeat(40)])).toEqual(["0".repeat(40)]);
  const nowhere = mkdtempSync(join(tmpdir(), "planwright-"));
  onTestFinished(() => rmSync(nowhere, { recursive: true }));
  expect(await missingFrom(nowhere, MAIN, [commit])).toEqual([commit]);
  expect([...(await listRefs(nowhere, "refs/heads"))]).toEqual([]);
});
