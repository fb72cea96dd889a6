import { describe, expect, it } from "vitest";
import { gitIn, makeRepository, type TestRepository } from "../../../test/git-repository.js";
import { findMainBranch, type MainBranch, type MainBranchHints, seeMainBranch } from "./main-branch.js";

const NOTHING: MainBranchHints = { setting: null, seen: null };

const rename = (name: string) => (repository: TestRepository) => repository.git("branch", "-m", name);
const withOrigin = (head: string, branches: readonly string[]) => (repository: TestRepository) => {
  for (const branch of branches) repository.git("update-ref", `refs/remotes/origin/${branch}`, "HEAD");
  repository.git("symbolic-ref", "refs/remotes/origin/HEAD", `refs/remotes/origin/${head}`);
};

describe("the main branch", () => {
  it.each<[string, (repository: TestRepository) => unknown, Partial<MainBranchHints>, MainBranch | null]>([
    [
      "is the setting first",
      withOrigin("main", ["main"]),
      { setting: "release", seen: "main" },
      { ref: "refs/heads/release", source: "setting" },
    ],
    [
      "is origin's default second",
      withOrigin("trunk", ["trunk"]),
      { seen: "main" },
      { ref: "refs/heads/trunk", source: "origin" },
    ],
    [
      "is not a default that origin renamed",
      withOrigin("master", ["main"]),
      { seen: "main" },
      { ref: "refs/heads/main", source: "init" },
    ],
    ["is what init saw third", rename("develop"), { seen: "develop" }, { ref: "refs/heads/develop", source: "init" }],
    [
      "is main in a plan from before init noted it",
      (r) => r.git("switch", "-qc", "topic"),
      {},
      { ref: "refs/heads/main", source: "usual" },
    ],
    [
      "is master likewise",
      (r) => (rename("master")(r), r.git("switch", "-qc", "topic")),
      {},
      { ref: "refs/heads/master", source: "usual" },
    ],
    [
      "is the only branch likewise",
      (r) => (rename("trunk")(r), r.git("branch", "planwright/feature/F")),
      {},
      { ref: "refs/heads/trunk", source: "usual" },
    ],
    [
      "is unknown rather than the one of several that is checked out",
      (r) => (rename("one")(r), r.git("branch", "two")),
      {},
      null,
    ],
  ])("%s", async (_, prepare, hints, expected) => {
    const repository = makeRepository();
    prepare(repository);
    expect(await findMainBranch(repository.path, { ...NOTHING, ...hints })).toEqual(expected);
  });

  it("is found in a clone, where origin/HEAD is packed or not", async () => {
    const repository = makeRepository();
    rename("trunk")(repository);
    gitIn(repository.around, "clone", "-q", "repo", "copy");
    const copy = `${repository.around}/copy`;
    gitIn(copy, "switch", "-qc", "topic");
    gitIn(copy, "pack-refs", "--all");
    expect(await findMainBranch(copy, NOTHING)).toEqual({ ref: "refs/heads/trunk", source: "origin" });
  });
});

describe("what init takes for the main branch", () => {
  it.each<[string, (repository: TestRepository) => unknown, string | null]>([
    ["the checked-out branch if it is called so", () => undefined, "main"],
    ["main, not the topic that is checked out", (r) => r.git("switch", "-qc", "topic"), "main"],
    ["the checked-out branch without main or master", rename("trunk"), "trunk"],
    [
      "nothing where no branch is checked out",
      (r) => (r.git("switch", "-q", "--detach"), r.git("branch", "-D", "main")),
      null,
    ],
  ])("%s", async (_, prepare, expected) => {
    const repository = makeRepository();
    prepare(repository);
    expect(await seeMainBranch(repository.path)).toBe(expected);
  });

  it("the branch that is to have the first commit", async () => {
    const repository = makeRepository();
    gitIn(repository.around, "init", "-q", "-b", "develop", "new");
    expect(await seeMainBranch(`${repository.around}/new`)).toBe("develop");
  });
});
