import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository, write } from "../../../test/git-repository.js";
import { dirtyFilesIn } from "./main-checkout.js";

it("shows what git knows nothing of", async () => {
  const { path } = makeRepository({ a: "1" });
  expect([...(await dirtyFilesIn(path)).keys()]).toEqual([]);
  write(path, { b: "2" });
  expect([...(await dirtyFilesIn(path)).keys()]).toEqual(["b"]);
});

it("a pipe that git would wait for is named, wherever it is", async () => {
  for (const name of [".gitignore", "deep/.gitignore"]) {
    const { path } = makeRepository({ "deep/a": "1" });
    execFileSync("mkfifo", [join(path, name)]);
    await expect(dirtyFilesIn(path)).rejects.toMatchObject({ pipes: [name] });
  }
});

it("one that failed serves nobody", async () => {
  const { around, git } = makeRepository({ a: "1" });
  const path = join(around, "later");
  await expect(dirtyFilesIn(path)).rejects.toThrow("could not be looked at");
  git("init", "-q", path);
  expect([...(await dirtyFilesIn(path)).keys()]).toEqual([]);
});
