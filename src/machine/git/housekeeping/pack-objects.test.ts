import { expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../../test/git-repository.js";
import { packObjects } from "./pack-objects.js";

const LIMIT = 20;

function withLooseObjects(limit: number | null): { repository: TestRepository; lost: string } {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}.txt`, `${i}\n`]));
  const repository = makeRepository(files);
  if (limit !== null) repository.git("config", "gc.auto", String(limit));
  const lost = repository.git("commit-tree", "-m", "nobody knows me", "HEAD^{tree}");
  return { repository, lost };
}

/** So many that no ref leads to. */
function loseMany({ git, commit }: TestRepository): void {
  commit(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`lost-${i}.txt`, `lost ${i}\n`])));
  git("reset", "-q", "--hard", "HEAD~1");
  git("reflog", "expire", "--expire=now", "--all");
}

const count = ({ git }: TestRepository): number => Number(/^count: (\d+)$/m.exec(git("count-objects", "-v"))?.[1]);

it("packs when there are more than the user's limit, and removes nothing", async () => {
  const { repository, lost } = withLooseObjects(LIMIT);
  const loose = count(repository);
  expect(await packObjects(repository.path, { dryRun: true })).toEqual({ loose, due: true, left: loose });
  expect(count(repository)).toBe(loose);
  expect(await packObjects(repository.path)).toEqual({ loose, due: true, left: 1 });
  expect(repository.git("cat-file", "-t", lost)).toBe("commit");
  expect(await packObjects(repository.path)).toEqual({ loose: 1, due: false, left: 1 });
  repository.git("fsck", "--strict");
});

it("packs what no ref leads to as well, and keeps it, the reflogs and the refs", async () => {
  const { repository, lost } = withLooseObjects(LIMIT);
  loseMany(repository);
  repository.git("update-ref", "refs/planwright/kept/ATT-00001", "HEAD");
  const state = (): string[] => [repository.git("reflog", "--all"), repository.git("for-each-ref")];
  const before = state();
  const packed = await packObjects(repository.path);
  expect(packed).toMatchObject({ due: true, left: 0 });
  expect(repository.git("cat-file", "-t", lost)).toBe("commit");
  expect(state()).toEqual(before);
});

it.each([
  ["there are few", null],
  ["the user turned git's maintenance off", 0],
])("leaves the repository alone when %s", async (_, limit) => {
  const { repository } = withLooseObjects(limit);
  const loose = count(repository);
  expect(await packObjects(repository.path)).toEqual({ loose, due: false, left: loose });
});
