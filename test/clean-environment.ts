// Tests see the programs of the machine that they run on, and nothing else of it: no settings of git, no plan, no coding agent
// around them, and none on the PATH, which they would start. Vitest hands this environment on to its workers.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hideCommands } from "../scripts/hide-command.mjs";
import { KNOWN_AGENTS } from "../src/machine/agents/known.js";

/** Where programs are, how they show text, and what the tests themselves are told. */
const KEPT = [
  /^(PATH|LD_LIBRARY_PATH|TMPDIR|USER|LOGNAME|SHELL|TZ|LANG|LC_.*|SystemRoot|ComSpec|PATHEXT)$/,
  /^(TERM|COLORTERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CI|GITHUB_ACTIONS)$/,
  /^(NODE_.*|VITEST.*)$/,
  /^PLANWRIGHT_(TEST_.*|AGENTS|AGENTS_LOG|PICTURES|PRINTED_COMMANDS|SANDBOX_USE|SKIPPED|SURROUNDINGS)$/,
];

export function cleanEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!KEPT.some((kept) => kept.test(name))) delete process.env[name];
  const home = mkdtempSync(join(tmpdir(), "planwright-home-"));
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));
  process.env["HOME"] = home;
  process.env["GIT_CONFIG_NOSYSTEM"] = "1";
  process.env["PATH"] = hideCommands(Object.values(KNOWN_AGENTS).map(({ command }) => command));
}
