import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLog } from "./logs.js";

it("gives what is written after the log was cut", () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "daemon.log");
  writeFileSync(path, "first\n");
  const log = openLog(path, "start");
  onTestFinished(() => log.close());
  expect([log.rest(), log.rest()]).toEqual(["first\n", ""]);
  appendFileSync(path, "second\n");
  expect(log.rest()).toBe("second\n");
  truncateSync(path);
  appendFileSync(path, "third\n");
  expect([log.rest(), log.rest()]).toEqual(["third\n", ""]);
});
