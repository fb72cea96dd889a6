import { ok, type Result } from "../../../app/vocabulary.js";
import type { Ended, Worked } from "../../../execution/engine/run-session.js";
import type { Answer, App, Command, Input, Style } from "../command.js";

export const run: Command = {
  name: "run",
  group: "working",
  summary: "Have approved tasks carried out by workers, each in a worktree of its own, behind its checks",
  description:
    "Each task is claimed, done by the agent or command that serves its profile, checked, and merged into its feature's branch, where it is checked again. Nothing lands on the main branch: `planwright land` does that. Ctrl-C gives back what is being worked on and keeps what was done of it.",
  arguments: [{ name: "TASK", help: "only this one", optional: true, reference: true }],
  flags: {
    in: { type: "string", value: "REF", help: "only below this node" },
    batch: { type: "boolean", help: "go on until nothing is ready, without asking" },
    parallel: {
      type: "number",
      value: "N",
      min: 1,
      max: 16,
      whole: true,
      help: "so many at once, until nothing is ready",
    },
  },
  examples: [
    { run: "planwright run", does: "does the next task, then asks whether to go on" },
    { run: "planwright run TASK-00001", does: "does this task" },
    { run: "planwright run --parallel 4 --in FEAT-001", does: "works the feature through with four workers" },
  ],
  run: async (input, app) => {
    const engines = await app.engines();
    const workshop = engines.workshop();
    if (!workshop.ok) return workshop;
    const { RunProgress } = await import("../render-run.js");
    const progress = new RunProgress(app, { quiet: input.json });
    try {
      const worked = await workshop.value.work({
        ...asked(input),
        signal: app.interrupted(),
        onEvent: (event) => progress.note(event),
        ...goOn(input, app),
      });
      return worked.ok ? answer(worked.value) : worked;
    } finally {
      progress.end();
    }
  },
};

function asked(input: Input): { task?: string; within?: string; workers: number } {
  const [task] = input.args;
  const within = input.text("in");
  return {
    ...(task === undefined ? {} : { task }),
    ...(within === undefined ? {} : { within }),
    workers: input.number("parallel") ?? 1,
  };
}

/** One at a time, a person is asked in between; where nobody can be asked, one is all. */
function goOn(input: Input, app: App): { goOn?(last: Ended): Promise<boolean> } {
  if (input.has("batch") || input.number("parallel") !== undefined || input.args.length > 0) return {};
  return {
    goOn: async () => {
      if (!app.interactive || input.json) return false;
      const { askToGoOn } = await import("../ask.js");
      return askToGoOn();
    },
  };
}

const FINE: ReadonlySet<string> = new Set(["accepted", "pending"]);

function answer(worked: Worked): Result<Answer> {
  const { ended, stopped } = worked;
  const wrong = lastStates(ended).filter((state) => !FINE.has(state));
  return ok({
    data: worked,
    text: (style) => summaryOf(ended, style),
    note: () => nextSteps(worked),
    exit: wrong.length > 0 || stopped ? 1 : ended.length === 0 ? 2 : 0,
  });
}

function summaryOf(ended: readonly Ended[], style: Style): string {
  if (ended.length === 0) return "Nothing was ready to be done.";
  const count = (state: string): number => ended.filter((each) => each.state === state).length;
  const parts = [...new Set(ended.map(({ state }) => state))].map((state) => `${count(state)} ${state}`);
  return `${style.bold(String(ended.length))} ${ended.length === 1 ? "attempt" : "attempts"}: ${parts.join(", ")}.`;
}

/** How the last attempt of each task ended: one before may have been taken over, or tried again. */
const lastStates = (ended: readonly Ended[]): string[] => [
  ...new Map(ended.map(({ task, state }) => [task, state])).values(),
];

export function nextSteps({ ended, held, stopped }: Worked): string {
  const states = lastStates(ended);
  const lines = held.slice(0, 5).map(({ task, phrase }) => `${task} was not started: ${phrase}.`);
  if (states.includes("pending")) lines.push("Handed in without a check: planwright accept TASK --reason TEXT.");
  if (states.includes("rejected") || states.includes("failed"))
    lines.push("What a person has to decide: planwright escalations.");
  if (stopped) lines.push("Stopped. `planwright run` goes on; what was done is kept: planwright attempts.");
  if (lines.length === 0)
    lines.push(
      ended.length === 0
        ? "`planwright status` shows what the tasks wait for."
        : "Next: planwright status, then planwright land FEATURE.",
    );
  return lines.join("\n");
}
