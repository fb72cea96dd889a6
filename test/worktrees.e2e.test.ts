import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRig, type Rig } from "./rig.js";

function repository(): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.write("a.txt", "a");
  rig.git("add", ".");
  rig.git("commit", "-qm", "first");
  return rig;
}

/** A folder that has nothing to do with the rig's. */
function elsewhere(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-elsewhere-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const folder = (...parts: string[]): string => {
  const path = join(...parts);
  mkdirSync(path, { recursive: true });
  return path;
};

describe("one plan for a repository", () => {
  it("stands at its top, and is found from every folder below", () => {
    const rig = repository();
    const deep = folder(rig.root, "src/deep");
    expect(rig.ok(["init"], { cwd: deep }).root).toBe(rig.root);
    expect(rig.ok(["show", "MISSION"], { cwd: deep }).id).toBe("MISSION");
    expect(rig.ok(["init"], { cwd: folder(rig.root, "other") })).toMatchObject({ root: rig.root, created: false });
  });

  it("is found from a linked worktree anywhere, and from below it", () => {
    const rig = repository();
    rig.ok(["init", "--mission", "Shared"]);
    const outside = join(elsewhere(), "feature");
    rig.git("worktree", "add", "-q", outside, "-b", "feature");
    rig.git("worktree", "add", "-q", join(rig.root, ".trees/fix"), "-b", "fix");
    for (const tree of [outside, join(rig.root, ".trees/fix")]) {
      expect(rig.ok(["show", "MISSION"], { cwd: tree }).title).toBe("Shared");
      expect(rig.ok(["show", "MISSION"], { cwd: folder(tree, "src/deep") }).title).toBe("Shared");
      expect(rig.ok(["init"], { cwd: tree })).toMatchObject({ root: rig.root, created: false });
    }
    rig.ok(["add", "From the worktree", "--id", "T-1"], { cwd: outside });
    expect(rig.ok(["show", "T-1"]).title).toBe("From the worktree");
  });

  it("is made in the main working tree, also when it is asked for in a linked one", () => {
    const rig = repository();
    const tree = join(elsewhere(), "feature");
    rig.git("worktree", "add", "-q", tree, "-b", "feature");
    expect(rig.ok(["init"], { cwd: folder(tree, "src") })).toMatchObject({ root: rig.root, created: true });
    expect(rig.ok(["show", "MISSION"]).id).toBe("MISSION");
  });

  it("serves the worktrees of a bare repository beside them", () => {
    const rig = repository();
    const project = elsewhere();
    rig.git("clone", "-q", "--bare", rig.root, join(project, ".bare"));
    rig.git("-C", join(project, ".bare"), "worktree", "add", "-q", join(project, "main"), "main");
    rig.git("-C", join(project, ".bare"), "worktree", "add", "-q", join(project, "fix"), "-b", "fix");
    expect(rig.ok(["init"], { cwd: join(project, "fix") }).root).toBe(project);
    expect(rig.ok(["show", "MISSION"], { cwd: join(project, "main") }).id).toBe("MISSION");
  });

  it("keeps two bare repositories in one folder apart", () => {
    const rig = repository();
    const shelf = elsewhere();
    for (const name of ["one", "two"]) {
      rig.git("clone", "-q", "--bare", rig.root, join(shelf, `${name}.git`));
      rig.git("-C", join(shelf, `${name}.git`), "worktree", "add", "-q", join(shelf, name), "main");
      expect(rig.ok(["init", "--mission", name], { cwd: join(shelf, name) }).root).toBe(join(shelf, `${name}.git`));
    }
    for (const name of ["one", "two"]) {
      expect(rig.ok(["show", "MISSION"], { cwd: join(shelf, name) }).title).toBe(name);
    }
  });

  it("is a submodule's own unless the repository around it has one", () => {
    const library = repository();
    const outer = () => {
      const rig = repository();
      rig.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.root, "lib");
      return rig;
    };
    const own = outer();
    expect(own.ok(["init"], { cwd: join(own.root, "lib") }).root).toBe(join(own.root, "lib"));
    expect(own.fails(["show", "MISSION"])).toMatchObject({ code: 2, reason: "no-workspace" });
    const tree = join(elsewhere(), "lib-fix");
    own.git("-C", join(own.root, "lib"), "worktree", "add", "-q", tree, "-b", "fix");
    expect(own.ok(["init"], { cwd: tree })).toMatchObject({ root: join(own.root, "lib"), created: false });

    const shared = outer();
    shared.ok(["init"]);
    const cwd = join(shared.root, "lib");
    expect(shared.fails(["init"], { cwd })).toMatchObject({ code: 3, reason: "inside-plan" });
    expect(shared.ok(["show", "MISSION"], { cwd }).id).toBe("MISSION");
  });

  it("needs no git", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    expect(rig.ok(["show", "MISSION"], { cwd: folder(rig.root, "src/deep") }).id).toBe("MISSION");
  });

  it("never gives two worktrees the same id", async () => {
    const rig = repository();
    rig.ok(["init"]);
    const trees = ["one", "two", "three", "four"].map((name) => join(rig.root, ".trees", name));
    for (const tree of trees)
      rig.git("worktree", "add", "-q", tree, "-b", `branch-${tree.length}-${tree.at(-1) ?? ""}`);
    const all = await Promise.all(
      [...trees, ...trees].map((cwd) => rig.start(["add", "Work", "--parent", "BUGS", "--json"], { cwd })),
    );
    const ids = all.map(({ stdout }) => (JSON.parse(stdout) as { data: { id: string } }).data.id);
    expect(new Set(ids).size).toBe(8);
  });
});
