// The worker without a model: runs the commands that a task carries, or one that the configuration names. What was
// wrong last time is in a file that it is told of.

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LineCutter } from "../../machine/process/lines.js";
import { type RunResult, run, shellScript } from "../../machine/process/run.js";
import { NO_USAGE } from "../../model/attempt/attempt.js";
import { commandsIn } from "../../model/attempt/choose-worker.js";
import type { WorkerInput, WorkResult, WorkSession, WorkTurn } from "../services.js";

export interface ShellOptions {
  /** Runs in place of the commands of the task. */
  readonly command?: string;
  redact(text: string): string;
}

const SAID_LENGTH = 4_000;
/** This much of the end of a command's output is kept. */
const OUTPUT_KEPT = 64_000_000;

export function shellSession(work: WorkerInput, options: ShellOptions): WorkSession {
  mkdirSync(dirname(work.transcript), { recursive: true });
  const scripts = options.command === undefined ? commandsIn(work.task.body) : [options.command];
  return {
    id: null,
    async turn(turn) {
      if (scripts.length === 0) return work.task.kind === "review" ? LOOKED : nothingToRun(work);
      const env = { ...work.env, ...failureFile(work, turn) };
      let said = "";
      for (const script of scripts) {
        const ran = await runScript(script, { ...work, env }, turn, options);
        said = `${said}${ran.said}`.slice(-SAID_LENGTH);
        if (ran.ending !== "done") return { ...ran, said };
      }
      return { ending: "done", said, usage: NO_USAGE };
    },
    close: async () => undefined,
  };
}

/** A review changes nothing: without commands of its own its checks do the looking, or a person does. */
const LOOKED: WorkResult = { ending: "done", said: "", usage: NO_USAGE };

const nothingToRun = ({ task }: WorkerInput): WorkResult => ({
  ending: "gave-up",
  said: "",
  usage: NO_USAGE,
  failure: { class: "plan", reason: `${task.id} carries no commands for the shell worker` },
  problem: "Its body has no fenced block that says run, as in ```sh run. An agent could do it.",
});

/** A file, because a variable has no room for the output of a check. */
function failureFile({ env }: WorkerInput, { failure }: WorkTurn): Record<string, string> {
  const folder = env["PLANWRIGHT_TMP"];
  if (failure === null || folder === undefined) return {};
  const file = join(folder, "failure.txt");
  // The worker may have put a link there that leads to a file of yours.
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, failure, { flag: "wx" });
  return { PLANWRIGHT_FAILURE: file };
}

async function runScript(script: string, work: WorkerInput, turn: WorkTurn, options: ShellOptions) {
  const { signal, timeoutMs, onLine } = turn;
  const cutter = new LineCutter();
  const note = (text: string): void => appendFileSync(work.transcript, options.redact(text));
  // Before it runs, so that the board shows what is done now.
  note(`$ ${script}\n`);
  const ran = await run({
    ...work.wrap(...shellScript(script)),
    cwd: work.cwd,
    env: work.env,
    timeoutMs,
    signal,
    keep: OUTPUT_KEPT,
    killStrays: true,
    onText: (text) => {
      for (const line of cutter.cut(text)) onLine(line);
    },
  });
  for (const line of cutter.rest()) onLine(line);
  note(`${ran.output}\n`);
  const said = ran.output.trimEnd().slice(-SAID_LENGTH);
  return { ...endingOf(ran, said), said, usage: NO_USAGE };
}

function endingOf(
  { endedBy, exitCode, signal, output }: RunResult,
  said: string,
): Pick<WorkResult, "ending" | "problem" | "failure" | "exit"> {
  if (endedBy === "cancel") return { ending: "cancelled" };
  if (endedBy === "timeout") return { ending: "timeout" };
  if (endedBy === "not-started") return { ending: "unavailable", problem: output };
  if (exitCode === 0) return { ending: "done" };
  const reason = exitCode === null ? `ended by ${signal ?? "a signal"}` : `exit ${exitCode}`;
  return { ending: "crashed", exit: exitCode, problem: `the command ended with ${reason}: ${said.slice(-300)}` };
}
