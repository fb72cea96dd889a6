// Whether this machine can confine workers. To look starts bubblewrap, so only tests that need it import this.

import type { TestOptions } from "vitest";
import { sandboxFor } from "../src/machine/sandbox/sandbox.js";
import { needs } from "./needs.js";
import { must } from "./plan.js";

const { kind, why } = must(
  await sandboxFor("auto", { root: "/", worktree: "/", env: { PATH: process.env["PATH"] ?? "" } }),
);

export const needsSandbox = needs(kind !== "none", why);

/** Both ways to run a worker, each with what it needs. */
export const SANDBOX_MODES: readonly (readonly [mode: "off" | "require", needed: TestOptions])[] = [
  ["off", {}],
  ["require", needsSandbox],
];
