// Threat: a worker changes a package or a cache in its worktree, and the next attempt in that worktree runs it.

import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUpWorktree } from "../../src/machine/worktrees/carry.js";
import { attemptEnvironment } from "../../src/machine/worktrees/environment.js";
import { makeRepository, write } from "../git-repository.js";
import { must } from "../plan.js";

const PACKAGE = "node_modules/left/lib/index.js";

function makeTree() {
  const repository = makeRepository({ ".gitignore": "node_modules/\n", "package-lock.json": "{}" });
  write(repository.path, { [PACKAGE]: "good", "node_modules/.bin/left": "good" });
  const worktree = join(repository.around, "slot-1");
  repository.git("worktree", "add", "-q", "--detach", worktree);
  const setUp = async () =>
    must(
      await setUpWorktree({
        root: repository.path,
        worktree,
        policy: { carry: ["node_modules"], carryBy: "copy", setup: [] },
        env: { PATH: process.env["PATH"] ?? "" },
        wrap: (command, args) => ({ command, args }),
        redact: (text) => text,
      }),
    ).refreshed;
  return { worktree, setUp, main: repository.path };
}

/** The same size and the same time, as somebody would who hides it. */
function poison(file: string): void {
  const { atime, mtime } = statSync(file);
  writeFileSync(file, "evil");
  utimesSync(file, atime, mtime);
}

describe("what a worker leaves in its worktree for the next one", () => {
  it.each<[string, (tree: string) => void, string]>([
    ["a package deep inside", (tree) => poison(join(tree, PACKAGE)), PACKAGE],
    ["a program that scripts start", (tree) => poison(join(tree, "node_modules/.bin/left")), "node_modules/.bin/left"],
  ])("is replaced from the main checkout: %s", async (_, harm, path) => {
    const { worktree, setUp, main } = makeTree();
    expect(await setUp()).toEqual(["node_modules"]);
    expect(await setUp()).toEqual([]);
    harm(worktree);
    expect(await setUp()).toEqual(["node_modules"]);
    expect(readFileSync(join(worktree, path), "utf8")).toBe("good");
    expect(readFileSync(join(main, path), "utf8")).toBe("good");
  });

  it("is removed: a file that nobody installed, and caches of tools", async () => {
    const { worktree, setUp } = makeTree();
    await setUp();
    write(worktree, { "node_modules/.cache/transformed.js": "evil" });
    expect(await setUp()).toEqual([]);
    expect(existsSync(join(worktree, "node_modules/.cache"))).toBe(false);
    write(worktree, { "node_modules/right/index.js": "evil" });
    expect(await setUp()).toEqual(["node_modules"]);
    expect(existsSync(join(worktree, "node_modules/right"))).toBe(false);
  });

  it("is gone from the cache of its slot", async () => {
    const { path: root, around } = makeRepository();
    const place = { slot: 1, task: "T-1", root, worktree: join(around, "slot-1"), env: {} };
    const settings = { env: [], ports: { from: 43_210, each: 1 } };
    const begin = async (attempt: string, again = false) =>
      must(await attemptEnvironment({ ...place, attempt, settings, again }));
    const first = await begin("ATT-00001");
    write(first.cache, { "wheel.whl": "evil" });
    first.release();
    const continued = await begin("ATT-00001", true);
    expect(existsSync(join(continued.cache, "wheel.whl"))).toBe(true);
    await continued.dispose();
    const second = await begin("ATT-00002");
    expect(second.cache).toBe(first.cache);
    expect(existsSync(join(second.cache, "wheel.whl"))).toBe(false);
    await second.dispose();
  });
});
