import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository, write } from "../../../test/git-repository.js";
import { dirtyFilesIn } from "./main-checkout.js";

it("a look at the main checkout serves all who asked before it began, and nobody who asks later", async () => {
  const { path } = makeRepository({ a: "1" });
  const asked = performance.now();
  const [one, two] = [dirtyFilesIn(path, asked), dirtyFilesIn(path, asked)];
  expect(two).toBe(one);
  expect([...(await one).keys()]).toEqual([]);
  write(path, { b: "2" });
  expect([...(await dirtyFilesIn(path, performance.now())).keys()]).toEqual(["b"]);
});

it("a pipe that git would wait for is named, wherever it is", async () => {
  for (const name of [".gitignore", "deep/.gitignore"]) {
    const { path } = makeRepository({ "deep/a": "1" });
    execFileSync("mkfifo", [join(path, name)]);
    await expect(dirtyFilesIn(path, performance.now())).rejects.toMatchObject({ pipes: [name] });
  }
});

it("one that failed serves nobody", async () => {
  const { around, git } = makeRepository({ a: "1" });
  const [path, asked] = [join(around, "later"), performance.now()];
  await expect(dirtyFilesIn(path, asked)).rejects.toThrow("could not be looked at");
  git("init", "-q", path);
  expect([...(await dirtyFilesIn(path, asked)).keys()]).toEqual([]);
});
