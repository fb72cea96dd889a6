// Notes which test files start bubblewrap, where a pass over the tests without it follows. The program never looks for it without a
// trial start (src/machine/sandbox/sandbox.test.ts holds that): a file that never starts it has nothing to tell in the second pass. So
// each file finds a bubblewrap of its own on the PATH, which leaves a note and starts the real one.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { delimiter, join, relative, resolve } from "node:path";
import { expect } from "vitest";
import { findCommand } from "../src/machine/process/environment.js";

const notes = process.env["PLANWRIGHT_SANDBOX_USE"];
const path = process.env["PATH"] ?? "";
const bwrap = findCommand("bwrap", path, "");

if (notes !== undefined && bwrap !== undefined) {
  const file = relative(resolve(import.meta.dirname, ".."), expect.getState().testPath ?? "unknown");
  const folder = mkdtempSync(join(notes, "path-"));
  const note = join(notes, "used", file.replaceAll("/", "%"));
  mkdirSync(join(notes, "used"), { recursive: true });
  const script = `#!/bin/sh\n: > '${note}'\nexec '${bwrap}' "$@"\n`;
  writeFileSync(join(folder, "bwrap"), script, { mode: 0o755 });
  process.env["PATH"] = `${folder}${delimiter}${path}`;
}
