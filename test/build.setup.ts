// End-to-end tests run the program that users get: the built bundle. Their scripted agent is bundled as well: it is started
// hundreds of times, and in one file it starts in half the time.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { SCRIPTED_AGENT } from "./agents/scripted-agent.js";

export default function build(): () => void {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  const entryPoints = ["test/agents/scripted-agent.mjs"];
  buildSync({ entryPoints, outfile: SCRIPTED_AGENT, bundle: true, platform: "node", format: "esm", minify: true });
  const templates = mkdtempSync(join(tmpdir(), "planwright-templates-"));
  process.env["PLANWRIGHT_TEST_TEMPLATES"] = templates;
  return () => rmSync(templates, { recursive: true, force: true });
}
