import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hashFile } from "../plan/base/workspace-file.js";
import { findPlainFile, readPlainBytes, readPlainFile, WRITE_WITHOUT_WAITING } from "./plain-file.js";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-plain-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("a pipe is not read, and nobody waits for it", async () => {
  const folder = makeFolder();
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(() => readPlainFile(pipe)).toThrow("is not a file");
  expect(() => readPlainBytes("/dev/zero")).toThrow("is not a file");
  expect(findPlainFile(pipe)).toBeUndefined();
  expect(hashFile(folder, "pipe")).toBe("");
  await expect(writeFile(pipe, "x", { flag: WRITE_WITHOUT_WAITING })).rejects.toThrow("ENXIO");
});

it("a file is read and written as ever", async () => {
  const folder = makeFolder();
  const file = join(folder, "file");
  writeFileSync(file, "längere Zeile");
  expect(readPlainFile(file)).toBe("längere Zeile");
  expect(findPlainFile(join(folder, "none"))).toBeUndefined();
  mkdirSync(join(folder, "sub"));
  expect(hashFile(folder, "sub")).toBe("folder");
  await writeFile(file, "ä", { flag: WRITE_WITHOUT_WAITING });
  expect(readFileSync(file, "utf8")).toBe("ä");
});
