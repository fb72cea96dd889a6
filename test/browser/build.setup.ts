// Browser tests open the page that users get, served by the program that users get: both are built first.

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

export default function build(): void {
  for (const script of ["scripts/build.mjs", "scripts/build-board.mjs"]) {
    execFileSync(process.execPath, [script], { stdio: "inherit" });
  }
  mkdirSync("artifacts/board", { recursive: true });
}
