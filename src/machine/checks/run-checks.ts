// Runs a task's checks in order: all of them, so that a worker learns of every failure at once, or up to the first
// that fails. A check that cannot run is a failed check, and so is one that was not run.

import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { isInside } from "../../base/paths.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import type { Check, CheckResult } from "../../model/node/node.js";
import { type RunResult, run, shellScript } from "../process/run.js";
import type { Wrap } from "../process/start.js";

export interface CheckSettings {
  readonly cwd: string;
  /** For checks that do not say how long they may take. */
  readonly timeoutS: number;
  /** The whole environment: what is not in here, a check does not see. */
  readonly env: Readonly<Record<string, string>>;
  /** What a failed check does to those after it; without it, they run. */
  readonly onFailure?: "continue" | "stop";
  /** Puts a command into a sandbox. */
  readonly wrap?: Wrap | undefined;
  readonly signal?: AbortSignal;
  /** Takes secrets out of what is kept of the output; it is judged by what was said. */
  readonly redact?: (text: string) => string;
  /** The approved baseline that covers a failure; null if none does. */
  readonly excuse?: Excuse | undefined;
  onStart?(check: Check): void;
  /** Makes the tree what the commit holds again. Returns the files that a check had changed. Throws if that cannot be done or known. */
  putBack?(): Promise<readonly string[]>;
}

/** A check that ran, with all that it said. */
export interface CheckRun {
  readonly result: CheckResult;
  readonly exitCode: number | null;
  readonly output: string;
  /** There was more than is kept. */
  readonly cut: boolean;
}

export type Excuse = (check: Check, failed: CheckRun) => Promise<string | null>;

/** What is kept of a check's output: its end says what went wrong. */
const OUTPUT_KEPT = 4_000;
/** What is cleaned of it before it is cut: half a secret is not known for one. */
const OUTPUT_CLEANED = 4 * OUTPUT_KEPT;
/** What is looked at: all that a compiler says about a large program. */
const OUTPUT_READ = 4_000_000;

const NOT_RUN = "not run";

/** It says nothing about the work, good or bad. */
export const wasNotRun = ({ outcome }: Pick<CheckResult, "outcome">): boolean => outcome.startsWith(NOT_RUN);

export async function runChecks(checks: readonly Check[], settings: CheckSettings): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  let why: string | undefined;
  for (const check of checks) {
    if (settings.signal?.aborted) why ??= "it was canceled";
    if (why === undefined) {
      settings.onStart?.(check);
      results.push(await judgeCheck(check, settings));
    } else results.push(failed(check, `${NOT_RUN}, since ${why}`));
    if (settings.onFailure === "stop" && results.some(hasFailed)) why ??= "an earlier one failed";
  }
  return results;
}

async function judgeCheck(check: Check, settings: CheckSettings): Promise<CheckResult> {
  const ran = await runCheck(check, settings);
  if (ran.result.passed) return ran.result;
  const excuse = (await settings.excuse?.(check, ran)) ?? null;
  return excuse === null ? ran.result : { ...ran.result, excused: excuse };
}

const failed = ({ run }: Check, outcome: string, output = ""): CheckResult => ({
  run,
  passed: false,
  outcome,
  durationMs: 0,
  output,
});

export async function runCheck(check: Check, settings: CheckSettings): Promise<CheckRun> {
  const place = await checkFolderOf(check.cwd, settings.cwd);
  if ("problem" in place) {
    const result = failed(check, `could not be started: ${place.why}`, place.problem);
    return { result, exitCode: null, output: place.problem, cut: false };
  }
  const limit = check.timeoutS ?? settings.timeoutS;
  const { wrap, env, signal, redact = (text: string): string => text } = settings;
  const ran = await run({
    ...(wrap ?? bare)(...shellScript(check.run)),
    cwd: place.folder,
    env,
    timeoutMs: limit * 1000,
    keep: OUTPUT_READ,
    killStrays: true,
    signal,
  });
  const { output, durationMs, exitCode } = ran;
  const { passed, outcome } = judgeRun(ran, check.expect ?? "exit 0", limit);
  // After a check that was stopped no other runs: another attempt may have the worktree by now.
  const changed = signal?.aborted || !settings.putBack ? [] : await settings.putBack();
  const kept = redact(output.slice(-OUTPUT_CLEANED)).slice(-OUTPUT_KEPT) + changedWords(changed);
  const result = { run: check.run, passed, outcome, durationMs, output: kept };
  return { result, exitCode, output, cut: output.length >= OUTPUT_READ };
}

/** How many changed files are named. */
const NAMED = 5;

function changedWords(files: readonly string[]): string {
  if (files.length === 0) return "";
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : "";
  return `\nThis check changed files of its worktree, which were put back after it: ${files.slice(0, NAMED).join(", ")}${more}`;
}

const bare: Wrap = (command, args) => ({ command, args });

/** `expect` is an exit code (`exit 2`), or a text that the output of a successful run contains. */
export function judgeRun(result: RunResult, expect: string, limitS: number): Pick<CheckResult, "passed" | "outcome"> {
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

// The folder that a check runs in: the working directory, or one inside it. Links are followed before that is judged,
// because a worker can make one that leads out.

type CheckFolder = { readonly folder: string } | { readonly why: string; readonly problem: string };

async function checkFolderOf(asked: string | undefined, cwd: string): Promise<CheckFolder> {
  if (asked === undefined) return { folder: cwd };
  const problem = `The check asks for the folder ${JSON.stringify(asked)}, which is not inside ${cwd}.`;
  const outside = { why: "its cwd leads out of the working directory", problem };
  const folder = resolve(cwd, asked);
  if (!isInside(folder, cwd)) return outside;
  try {
    return isInside(await realpath(folder), await realpath(cwd)) ? { folder } : outside;
  } catch {
    return { why: "its cwd does not exist", problem: `There is no folder ${JSON.stringify(asked)} in ${cwd}.` };
  }
}
