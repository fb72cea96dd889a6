// Runs a task's checks, in order and all of them, so that a worker learns of every failure at once.
// A check that cannot run is a failed check.

import { join } from "node:path";
import type { Check, CheckResult } from "../graph/node.js";
import { type RunResult, run } from "../process/run.js";

export interface CheckSettings {
  readonly cwd: string;
  /** For checks that do not say how long they may take. */
  readonly timeoutS: number;
  readonly signal?: AbortSignal;
  onStart?(check: Check): void;
}

/** What is kept of a check's output: its end says what went wrong. */
const OUTPUT_KEPT = 4_000;

export async function runChecks(checks: readonly Check[], settings: CheckSettings): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    settings.onStart?.(check);
    results.push(await runCheck(check, settings));
  }
  return results;
}

async function runCheck(check: Check, { cwd, timeoutS, signal }: CheckSettings): Promise<CheckResult> {
  const limit = check.timeoutS ?? timeoutS;
  const result = await run({
    command: check.run,
    shell: true,
    cwd: check.cwd === undefined ? cwd : join(cwd, check.cwd),
    timeoutMs: limit * 1000,
    ...(signal ? { signal } : {}),
  });
  const { passed, outcome } = judge(result, check.expect ?? "exit 0", limit);
  return { run: check.run, passed, outcome, durationMs: result.durationMs, output: result.output.slice(-OUTPUT_KEPT) };
}

type Judgement = Pick<CheckResult, "passed" | "outcome">;

/** `expect` is an exit code (`exit 2`), or a text that the output of a successful run contains. */
export function judge(result: RunResult, expect: string, limitS: number): Judgement {
  if (result.endedBy === "not-started") return { passed: false, outcome: "could not be started" };
  if (result.endedBy === "timeout") return { passed: false, outcome: `timed out after ${limitS} s` };
  if (result.endedBy === "cancel") return { passed: false, outcome: "was canceled" };
  if (result.exitCode === null) return { passed: false, outcome: `ended by ${result.signal ?? "a signal"}` };
  const said = `exit ${result.exitCode}`;
  const wanted = /^exit (\d+)$/.exec(expect)?.[1];
  if (wanted !== undefined) {
    const passed = result.exitCode === Number(wanted);
    return { passed, outcome: passed ? said : `${said}, expected ${expect}` };
  }
  if (result.exitCode !== 0) return { passed: false, outcome: `${said}, expected exit 0` };
  const passed = result.output.includes(expect);
  return { passed, outcome: passed ? `${said}, said what was expected` : `${said}, but did not say "${expect}"` };
}
