import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository, write } from "../../test/git-repository.js";
import { type Project, surroundingsOf } from "./project.js";

it("reads roadmaps from the root, docs/ and specs/, and the file that you name", async () => {
  const root = mkdtempSync(join(tmpdir(), "planwright-roadmap-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const files = ["ROADMAP.md", "docs/roadmap.md", "specs/Roadmap.md", "plans/next.md"];
  for (const folder of ["docs", "specs", "plans"]) mkdirSync(join(root, folder));
  for (const file of files) writeFileSync(join(root, file), `The words of ${file}.\n`);
  const textsOf = async (roadmap?: string): Promise<string[]> =>
    (await surroundingsOf({ root, home: undefined, hasTool: () => false }).materials(roadmap)).map(({ text }) =>
      text.trim(),
    );
  const found = files.slice(0, 3).map((file) => `The words of ${file}.`);
  expect((await textsOf()).toSorted()).toEqual(found.toSorted());
  expect((await textsOf("plans/next.md")).toSorted()).toEqual([...found, "The words of plans/next.md."].toSorted());
  expect((await textsOf("plans/nothing.md")).toSorted()).toEqual(found.toSorted());
});

describe("a project at a commit", () => {
  const at = (root: string, commit: string): Project =>
    surroundingsOf({ root, home: undefined, hasTool: () => false, at: { commit, checkout: root } });

  it("has the files, scripts and test commands of the commit, whatever lies in the folder", async () => {
    const repository = makeRepository({
      "package.json": '{"scripts":{"test":"true"}}',
      Makefile: "test:\n\ttrue\n",
      "src/a.ts": "1\n2\n",
    });
    const commit = repository.git("rev-parse", "HEAD");
    write(repository.path, { "package.json": "{}", "src/a.ts": "1\n2\n3\n", "src/new.ts": "", "go.mod": "" });
    const project = at(repository.path, commit);
    expect(await project.files()).toEqual(["Makefile", "package.json", "src/a.ts"]);
    expect(await project.scripts()).toEqual(new Set(["test"]));
    expect((await project.commands()).map(({ run }) => run)).toEqual(["npm test", "make test"]);
    expect([await project.lines("src/a.ts"), await project.lines("./src/a.ts")]).toEqual([3, 3]);
    for (const none of ["src", "src/new.ts", "../x", "/etc/passwd", ""]) {
      expect(await project.lines(none)).toBeUndefined();
    }
    const folder = surroundingsOf({ root: repository.path, home: undefined, hasTool: () => false });
    expect([folder.commit, await folder.unseen(), await folder.lines("src/a.ts")]).toEqual([null, [], 4]);
    expect((await folder.commands()).map(({ run }) => run)).toEqual(["go test ./...", "make test"]);
  });

  it("knows which files of the checkout nobody sees: not those whose text is read from the folder", async () => {
    const repository = makeRepository({ "a.txt": "a\n", "b.txt": "b\n" });
    const project = at(repository.path, repository.git("rev-parse", "HEAD"));
    write(repository.path, {
      "a.txt": "mine\n",
      "new/c.txt": "c\n",
      "AGENTS.md": "Be brief.\n",
      "planwright.json": "{}",
    });
    rmSync(join(repository.path, "b.txt"));
    expect(await project.unseen()).toEqual(["a.txt", "b.txt", "new/c.txt"]);
    expect((await project.materials()).map(({ text }) => text)).toEqual(["Be brief.\n"]);
  });

  it("is a folder of its repository, if the workspace is", async () => {
    const repository = makeRepository({ "a.txt": "a\n", "shop/b.txt": "b\nb\n" });
    const project = at(join(repository.path, "shop"), repository.git("rev-parse", "HEAD"));
    write(repository.path, { "a.txt": "mine\n", "shop/c.txt": "c\n" });
    expect([await project.files(), await project.lines("b.txt"), await project.unseen()]).toEqual([
      ["b.txt"],
      3,
      ["c.txt"],
    ]);
  });
});
