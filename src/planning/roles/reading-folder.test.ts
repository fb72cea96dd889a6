import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn, makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { makePlan, must, mustFail, type TestPlan } from "../../../test/plan.js";
import { removeReadingFolders } from "../../plan/repository/reading-folders.js";
import { type Project, surroundingsOf } from "../project.js";
import { openReadingFolder, type ReadingFolder } from "./reading-folder.js";

interface Place {
  readonly repository: TestRepository;
  readonly plan: TestPlan;
  readonly folder: ReadingFolder;
  /** The worktree of RUN-001. */
  readonly path: string;
  project(commit?: string): Project;
}

async function openPlace(root = ""): Promise<Place> {
  const repository = makeRepository({ "a.txt": "a\n", "shop/b.txt": "b\n", ".gitignore": "out/\n" });
  const worktrees = join(repository.around, "state");
  const at = join(repository.path, root);
  const plan = { ...(await makePlan()), root: at, worktreesFolder: async () => worktrees };
  return {
    repository,
    plan,
    folder: await openReadingFolder(plan, "RUN-001", { process: "here/1", isAlive: () => false }),
    path: join(worktrees, "planning", "RUN-001"),
    project: (commit = repository.git("rev-parse", "HEAD")) =>
      surroundingsOf({ root: at, home: undefined, hasTool: () => false, at: { commit, checkout: at } }),
  };
}

const worktrees = ({ repository }: Place): number => repository.git("worktree", "list").split("\n").length;

const listed = (folder: string): string[] => readdirSync(folder).filter((name) => name !== ".git");

describe("the folder in which agents of a run read", () => {
  it("is a worktree at the commit, and names what an agent wrote into it", async () => {
    const place = await openPlace();
    write(place.repository.path, { "a.txt": "edited\n", "new.txt": "new\n" });
    expect(must(await place.folder.layOut(place.project()))).toBe(place.path);
    expect([listed(place.path), readFileSync(join(place.path, "a.txt"), "utf8")]).toEqual([
      [".gitignore", "a.txt", "shop"],
      "a\n",
    ]);
    expect(await place.folder.written()).toEqual([]);
    write(place.path, { "a.txt": "theirs\n", "deep/x": "x", "out/built": "x" });
    rmSync(join(place.path, "shop/b.txt"));
    expect(await place.folder.written()).toEqual(["a.txt", "deep/x", "shop/b.txt"]);
    expect(place.repository.git("status", "--short")).toBe(" M a.txt\n?? new.txt");
  });

  it("holds nothing of an earlier agent, whatever that did in it", async () => {
    const place = await openPlace();
    const first = place.repository.git("rev-parse", "HEAD");
    must(await place.folder.layOut(place.project()));
    write(place.path, { "a.txt": "theirs\n", "out/built": "x" });
    gitIn(place.path, "commit", "-qam", "theirs");
    expect(await place.folder.written()).toEqual(["a.txt"]);
    must(await place.folder.layOut(place.project()));
    expect([gitIn(place.path, "rev-parse", "HEAD"), listed(place.path)]).toEqual([
      first,
      [".gitignore", "a.txt", "shop"],
    ]);
    expect(await place.folder.written()).toEqual([]);
    const second = place.repository.commit({ "c.txt": "c\n" });
    must(await place.folder.layOut(place.project()));
    expect([gitIn(place.path, "rev-parse", "HEAD"), existsSync(join(place.path, "c.txt"))]).toEqual([second, true]);
  });

  it.each<[string, (path: string) => void]>([
    ["deleted", (path) => rmSync(join(path, ".git"))],
    ["replaced", (path) => writeFileSync(join(path, ".git"), "gitdir: /nowhere\n")],
    ["made a repository of its own", (path) => void [rmSync(join(path, ".git")), gitIn(path, "init", "-q")]],
  ])("is right again after an agent broke it: .git was %s", async (_, breaks) => {
    const place = await openPlace();
    must(await place.folder.layOut(place.project()));
    breaks(place.path);
    write(place.path, { "a.txt": "theirs\n" });
    expect((await place.folder.written()).length).toBeGreaterThan(0);
    must(await place.folder.layOut(place.project()));
    expect([readFileSync(join(place.path, "a.txt"), "utf8"), await place.folder.written()]).toEqual(["a\n", []]);
    place.folder.letGo();
    await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => false });
    expect([existsSync(place.path), worktrees(place)]).toEqual([false, 1]);
  });

  it("takes the place of one that a killed program left half made", async () => {
    const place = await openPlace();
    must(await place.folder.layOut(place.project()));
    const again = await openReadingFolder(place.plan, "RUN-001", { process: "here/1", isAlive: () => false });
    appendFileSync(join(place.path, "a.txt"), "half\n");
    rmSync(join(place.path, "shop"), { recursive: true });
    must(await again.layOut(place.project()));
    expect([listed(place.path), await again.written(), worktrees(place)]).toEqual([
      [".gitignore", "a.txt", "shop"],
      [],
      2,
    ]);
    again.letGo();
    await removeReadingFolders(place.plan, { process: "here/1", isAlive: () => false });
    expect(readdirSync(join(place.path, ".."))).toEqual([]);
  });

  it("is the folder of the workspace in it, also before the first commit in that folder", async () => {
    const place = await openPlace("shop");
    expect(must(await place.folder.layOut(place.project()))).toBe(join(place.path, "shop"));
    const other = await openPlace();
    mkdirSync(join(other.repository.path, "young"));
    const young = { ...other.plan, root: join(other.repository.path, "young") };
    const folder = await openReadingFolder(young, "RUN-002", { process: "here/1", isAlive: () => false });
    const path = must(await folder.layOut(other.project()));
    expect([path.endsWith("RUN-002/young"), readdirSync(path)]).toEqual([true, []]);
  });

  it("has the files of submodules, without the network", async () => {
    const place = await openPlace();
    const { repository } = place;
    const inner = makeRepository({ "inner.txt": "inner\n" });
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
    repository.commit({});
    rmSync(inner.path, { recursive: true });
    const config = readFileSync(join(repository.path, ".git/config"), "utf8");
    must(await place.folder.layOut(place.project()));
    expect(readFileSync(join(place.path, "sub/inner.txt"), "utf8")).toBe("inner\n");
    must(await place.folder.layOut(place.project()));
    expect([existsSync(join(place.path, "sub/inner.txt")), await place.folder.written()]).toEqual([true, []]);
    expect(readFileSync(join(repository.path, ".git/config"), "utf8")).toBe(config);
  });

  it("is not made where it cannot be, and says where another place is set", async () => {
    const place = await openPlace();
    write(place.repository.around, { state: "a file" });
    const { message } = mustFail(await place.folder.layOut(place.project()));
    expect(message).toContain("execution.worktrees");
    expect(mustFail(await (await openPlace()).folder.layOut(place.project("0".repeat(40)))).reason).toBe("no-worktree");
  });
});
