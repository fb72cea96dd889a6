// End-to-end tests run the program that users get: the built bundle.

import { execFileSync } from "node:child_process";

export default function build(): void {
  execFileSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
}
