import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { must, mustFail } from "../../../test/plan.js";
import { openLog } from "./daemon-log.js";

it("whoever reads a log on and on gets what comes after it was cut", () => {
  const folder = mkdtempSync(join(tmpdir(), "planwright-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "daemon.log");
  expect(mustFail(openLog(path)).reason).toBe("no-log");
  writeFileSync(path, "first\n");
  const log = must(openLog(path));
  onTestFinished(() => log.close());
  expect([log.rest(), log.rest()]).toEqual(["first\n", ""]);
  appendFileSync(path, "second\n");
  expect(log.rest()).toBe("second\n");
  truncateSync(path);
  appendFileSync(path, "third\n");
  expect([log.rest(), log.rest()]).toEqual(["third\n", ""]);
});
