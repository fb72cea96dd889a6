import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitIn } from "../../../test/git-repository.js";
import { readLooseObject } from "./loose-object.js";
import { treeOf } from "./merge.js";

function makeRepository() {
  const root = mkdtempSync(join(tmpdir(), "planwright-loose-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  gitIn(root, "init", "--quiet");
  writeFileSync(join(root, "a"), "one\n");
  gitIn(root, "add", ".");
  gitIn(root, "commit", "--quiet", "--message", "begin");
  const commit = gitIn(root, "rev-parse", "HEAD").trim();
  const file = join(root, ".git/objects", commit.slice(0, 2), commit.slice(2));
  return { root, commit, file, at: { commonDir: join(root, ".git") } };
}

describe("an object that is read without git", () => {
  it("is what git says it is", () => {
    const { root, commit, at } = makeRepository();
    expect(readLooseObject(at, commit, "commit")).toBe(`${gitIn(root, "cat-file", "commit", commit).trimEnd()}\n`);
    const blob = gitIn(root, "rev-parse", "HEAD:a").trim();
    expect(readLooseObject(at, blob, "blob")).toBe("one\n");
  });

  it("is left to git when it is packed, of another kind, or not there", async () => {
    const { root, commit, at } = makeRepository();
    expect(readLooseObject(at, commit, "blob")).toBeUndefined();
    expect(readLooseObject(at, "0".repeat(40), "commit")).toBeUndefined();
    expect(readLooseObject(at, "../../config", "blob")).toBeUndefined();
    const tree = gitIn(root, "rev-parse", "HEAD^{tree}").trim();
    gitIn(root, "gc", "--quiet");
    expect(readLooseObject(at, commit, "commit")).toBeUndefined();
    expect(await treeOf(root, commit)).toBe(tree);
  });

  it("cannot be made to say something else by whoever writes into its file", () => {
    const { commit, file, at } = makeRepository();
    const real = readFileSync(file);
    chmodSync(file, 0o600);
    const forged = `tree ${"1".repeat(40)}\n`;
    for (const bytes of [deflateSync(`commit ${forged.length}\0${forged}`), real.subarray(0, 20), Buffer.alloc(0)]) {
      writeFileSync(file, bytes);
      expect(readLooseObject(at, commit, "commit")).toBeUndefined();
    }
  });
});
