import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createStore } from "./create.js";
import { EndNote, readEnd, resetEnd } from "./side-files.js";

function makeFolder(): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), "planwright-end-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, "plan.db") };
}

it("never goes back when a process closes the plan after another one went on", () => {
  const { folder, path } = makeFolder();
  const old = new EndNote(path);
  old.note(1);
  old.note(2);
  new EndNote(path).note(9);
  old.flush();
  expect(readEnd(path)).toBe(9);
  expect(readdirSync(folder)).toEqual(["plan.db-end"]);
});

it("is written soon after the last commit, although the plan stays open", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { path } = makeFolder();
  const note = new EndNote(path);
  note.note(1);
  note.note(2);
  note.note(3);
  expect(readEnd(path)).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(readEnd(path)).toBe(3);
});

it("of a plan that was here before says nothing about a new one", async () => {
  const { path } = makeFolder();
  resetEnd(path, 100);
  const { store } = await createStore({ path, durability: "normal", engine: "auto" });
  await store.close();
  expect(readEnd(path)).toBe(0);
});

it("of a backup that was stopped in the middle leaves no file once another one is made", async () => {
  const { folder, path } = makeFolder();
  const { store } = await createStore({ path, durability: "normal", engine: "auto" });
  const gone = spawnSync(process.execPath, ["-e", "0"]).pid;
  const backups = join(folder, "backups");
  mkdirSync(backups);
  for (const name of [`plan-1.db.${gone}.partial`, `plan-2.db.${process.ppid}.partial`, "notes.partial"])
    writeFileSync(join(backups, name), "");
  await store.backUp(join(backups, "plan-3.db"));
  await store.close();
  expect(readdirSync(backups).sort()).toEqual(["notes.partial", `plan-2.db.${process.ppid}.partial`, "plan-3.db"]);
});
