import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitIn } from "../../../../test/git-repository.js";
import { LOG_HEAD, noteLogHead, readLogHead } from "./log-head.js";
import { noteInFiles } from "./note-in-files.js";

const REF = LOG_HEAD;

function makeRepository(...options: string[]) {
  const root = mkdtempSync(join(tmpdir(), "planwright-note-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  gitIn(root, "init", "--quiet", ...options);
  const commonDir = join(root, ".git");
  writeFileSync(join(root, "first"), "first\n");
  const first = gitIn(root, "hash-object", "-w", "first").trim();
  gitIn(root, "update-ref", REF, first);
  const move = (from = first, text = "second\n") => noteInFiles({ commonDir }, { ref: REF, from }, text);
  const noted = () => gitIn(root, "cat-file", "blob", REF);
  return { root, commonDir, first, move, noted, ref: join(commonDir, REF) };
}

describe("a note that is written without git", () => {
  it.each([[[]], [["--object-format=sha256"]]])("is what git would have written (%s)", (options) => {
    const { root, move, noted, ref } = makeRepository(...options);
    expect(move()).toBe(true);
    expect(noted().trimEnd()).toBe("second");
    writeFileSync(join(root, "second"), "second\n");
    expect(gitIn(root, "rev-parse", REF)).toBe(gitIn(root, "hash-object", "second"));
    expect(gitIn(root, "fsck", "--strict", "--no-dangling")).toBe("");
    expect(readdirSync(dirname(ref))).toEqual(["log"]);
  });

  it("can be written twice: the object is there already", () => {
    const { root, first, move } = makeRepository();
    expect(move()).toBe(true);
    const second = gitIn(root, "rev-parse", REF).trim();
    expect(move(second, "first\n")).toBe(true);
    expect(gitIn(root, "rev-parse", REF).trim()).toBe(first);
  });

  it("moves nothing if the ref moved meanwhile, or if another program holds the lock", () => {
    const { move, noted, ref } = makeRepository();
    expect(move("0".repeat(40))).toBe(false);
    expect(existsSync(`${ref}.lock`)).toBe(false);
    writeFileSync(`${ref}.lock`, "");
    expect(move()).toBe(false);
    expect(existsSync(`${ref}.lock`)).toBe(true);
    expect(noted().trimEnd()).toBe("first");
  });

  it("is left to git where the ref is packed, has a log, or others share the repository", () => {
    const packed = makeRepository();
    gitIn(packed.root, "pack-refs", "--all");
    expect(packed.move()).toBe(false);
    const logged = makeRepository();
    mkdirSync(join(logged.commonDir, "logs", dirname(REF)), { recursive: true });
    writeFileSync(join(logged.commonDir, "logs", REF), "");
    expect(logged.move()).toBe(false);
    const shared = makeRepository();
    const objects = join(shared.commonDir, "objects");
    chmodSync(objects, statSync(objects).mode | 0o2070);
    expect(shared.move()).toBe(false);
  });

  it("is written by git then, so the end of the log is noted all the same", async () => {
    const { root } = makeRepository();
    const head = (op: number) => ({ op, link: "a".repeat(64), first: "b".repeat(64), chainedFrom: 1 });
    expect(await noteLogHead(root, head(7))).toBe(true);
    gitIn(root, "pack-refs", "--all");
    expect(await noteLogHead(root, head(8))).toBe(true);
    expect(await readLogHead(root)).toEqual(head(8));
  });
});
