// What a test needs of the machine. Where that is missing, the test is skipped and says why: `npm test` ends with a list.

import { existsSync } from "node:fs";
import type { TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Why the test was skipped. */
    skipped?: string;
  }
}

/** For `it` or `describe`, after its name. */
export const needs = (isThere: boolean, why: string): TestOptions =>
  isThere ? {} : { skip: true, meta: { skipped: why } };

/** Only Linux shows its processes as files. */
export const needsProc = needs(existsSync("/proc/self/stat"), "this system has no /proc");
