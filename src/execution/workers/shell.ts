// The worker without a model: runs the commands that a task carries, or one that the configuration names. What was
// wrong last time is in a file that it is told of.

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NO_USAGE } from "../../graph/attempt.js";
import { commandsIn } from "../../graph/shell-commands.js";
import { startChild } from "../../process/child.js";
import type { Work, WorkResult, WorkSession, WorkTurn } from "../worker.js";

export const SHELL = "shell";

export interface ShellOptions {
  /** In place of the commands of the task. */
  readonly command?: string;
  /** Where running processes are noted, so that a later program can end them if this one is killed. */
  readonly running: string;
  redact(text: string): string;
}

const SAID = 4_000;

export function shellSession(work: Work, options: ShellOptions): WorkSession {
  mkdirSync(dirname(work.transcript), { recursive: true });
  const scripts = options.command === undefined ? commandsIn(work.task.body) : [options.command];
  return {
    id: null,
    async turn(turn) {
      if (scripts.length === 0) return nothingToRun(work);
      const env = { ...work.env, ...failureFile(work, turn) };
      let said = "";
      for (const script of scripts) {
        const ran = await runScript(script, { ...work, env }, turn, options);
        said = `${said}${ran.said}`.slice(-SAID);
        if (ran.ending !== "done") return { ...ran, said };
      }
      return { ending: "done", said, usage: NO_USAGE };
    },
    close: async () => undefined,
  };
}

const nothingToRun = ({ task }: Work): WorkResult => ({
  ending: "gave-up",
  said: "",
  usage: NO_USAGE,
  failure: { class: "plan", reason: `${task.id} carries no commands for the shell worker` },
  problem: "Its body has no fenced block that says run, as in ```sh run. An agent could do it: planwright agents.",
});

/** A file, because a variable has no room for the output of a check. */
function failureFile({ env }: Work, { failure }: WorkTurn): Record<string, string> {
  const folder = env["PLANWRIGHT_TMP"];
  if (failure === null || folder === undefined) return {};
  const file = join(folder, "failure.txt");
  writeFileSync(file, failure);
  return { PLANWRIGHT_FAILURE: file };
}

async function runScript(script: string, work: Work, turn: WorkTurn, options: ShellOptions): Promise<WorkResult> {
  const { signal, timeoutMs, onLine } = turn;
  const lines: string[] = [];
  const { command, args } = work.wrap("/bin/sh", ["-c", `exec 2>&1\n${script}`]);
  const child = startChild({
    command,
    args,
    cwd: work.cwd,
    env: work.env,
    running: options.running,
    onLine: (line) => {
      lines.push(line);
      onLine(line);
    },
  });
  child.endInput();
  let stopped: "cancelled" | "timeout" | undefined;
  const stop = (why: "cancelled" | "timeout") => (): void => {
    stopped ??= why;
    void child.end();
  };
  const timer = setTimeout(stop("timeout"), timeoutMs);
  const cancel = stop("cancelled");
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  const exit = await child.exited;
  clearTimeout(timer);
  signal.removeEventListener("abort", cancel);
  const said = lines.join("\n").slice(-SAID);
  appendFileSync(work.transcript, options.redact(`$ ${script}\n${lines.join("\n")}\n`));
  return { ...endingOf(stopped, exit, said), said, usage: NO_USAGE };
}

function endingOf(
  stopped: "cancelled" | "timeout" | undefined,
  { code, signal, notStarted }: { code: number | null; signal: string | null; notStarted?: string },
  said: string,
): Pick<WorkResult, "ending" | "problem" | "failure" | "exit"> {
  if (stopped !== undefined) return { ending: stopped };
  if (notStarted !== undefined) return { ending: "unavailable", problem: notStarted };
  if (code === 0) return { ending: "done" };
  const reason = code === null ? `ended by ${signal ?? "a signal"}` : `exit ${code}`;
  return { ending: "crashed", exit: code, problem: `the command ended with ${reason}: ${said.slice(-300)}` };
}
