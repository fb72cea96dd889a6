import { expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../test/git-repository.js";
import { presenceIn } from "./merge.js";

/** `side` has two commits that main does not have. */
function begin(): TestRepository & { tip: string } {
  const repository = makeRepository({ a: "1\n", b: "1\n" });
  const { git, commit } = repository;
  git("checkout", "-q", "-b", "side");
  commit({ a: "2\n" }, "one");
  const tip = commit({ c: "new\n" }, "two");
  git("checkout", "-q", "main");
  commit({ b: "main went on\n" });
  return { ...repository, tip };
}

it.each<[string, (repository: TestRepository) => unknown, unknown]>([
  ["missing", () => {}, null],
  ["merged", ({ git }) => git("merge", "-q", "--no-ff", "side"), { how: "contained" }],
  ["rebased", ({ git }) => git("cherry-pick", "main..side"), { how: "rebased" }],
  [
    "squashed",
    ({ git }) => {
      git("merge", "-q", "--squash", "side");
      git("commit", "-qm", "all at once");
    },
    { how: "squashed", commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  ],
  [
    "there with more in the same commit",
    ({ commit }) => commit({ a: "2\n", c: "new\n", d: "more\n" }),
    { how: "absorbed" },
  ],
  ["there in part", ({ commit }) => commit({ a: "2\n" }), null],
  ["there otherwise", ({ commit }) => commit({ a: "other\n" }), null],
])("a branch that is %s", async (_, deed, presence) => {
  const repository = begin();
  deed(repository);
  expect(await presenceIn(repository.path, "refs/heads/main", repository.tip)).toEqual(presence);
});

it("stays there when the same lines change later", async () => {
  const repository = begin();
  repository.git("merge", "-q", "--squash", "side");
  repository.git("commit", "-qm", "all at once");
  const squashed = repository.git("rev-parse", "HEAD");
  repository.commit({ a: "3\n", c: "changed\n" });
  expect(await presenceIn(repository.path, "refs/heads/main", repository.tip)).toEqual({
    how: "squashed",
    commit: squashed,
  });
});
