import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hashed, noteSession, sessionOfClaim } from "./session-notes.js";

it("forgets old notes, and looks for them at most once an hour", () => {
  const root = mkdtempSync(join(tmpdir(), "planwright-notes-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, ".planwright", "sessions");
  const addOld = (name: string): void => {
    writeFileSync(join(folder, name), "");
    utimesSync(join(folder, name), 1, 1);
  };
  noteSession(root, "one", [{ id: "T-1", epoch: 1 }]);
  addOld("old");
  noteSession(root, "one", [{ id: "T-2", epoch: 1 }]);
  expect(readdirSync(folder)).toContain("old");
  const twoHoursAgo = Date.now() / 1000 - 7200;
  utimesSync(join(folder, "swept"), twoHoursAgo, twoHoursAgo);
  noteSession(root, "one", [{ id: "T-3", epoch: 1 }]);
  expect(readdirSync(folder)).not.toContain("old");
  expect(sessionOfClaim(root, { id: "T-1", epoch: 1 })).toBe(hashed("one"));
  // The name of a conversation is as good as a token, so no file tells it.
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(texts.join()).not.toContain('"one"');
  expect(statSync(folder).mode & 0o077).toBe(0);
});
