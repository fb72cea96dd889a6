// Whether this machine can confine workers. To look starts bubblewrap, so only tests that need it import this.

import type { TestOptions } from "vitest";
import { findSandbox } from "../src/machine/sandbox/sandbox.js";
import { needs } from "./needs.js";
import { must } from "./plan.js";

const found = must(await findSandbox("auto", process.env["PATH"]));

export const needsSandbox = needs(found.kind !== "none", found.kind === "none" ? found.why : "");

/** Both ways to run a worker, each with what it needs. */
export const SANDBOX_MODES: readonly (readonly [mode: "off" | "require", needed: TestOptions])[] = [
  ["off", {}],
  ["require", needsSandbox],
];
