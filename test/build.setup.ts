// End-to-end tests run the program that users get: the built bundle.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function build(): () => void {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  const templates = mkdtempSync(join(tmpdir(), "planwright-templates-"));
  process.env["PLANWRIGHT_TEST_TEMPLATES"] = templates;
  return () => rmSync(templates, { recursive: true, force: true });
}
