import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { HandLine, HandPlace } from "../../../execution/hand-work/begin.js";
import type { Handed } from "../../../execution/hand-work/end.js";
import type { HandWork, Watched } from "../../../execution/hand-work/hand-work.js";
import { despiteFlag } from "../claim-flags.js";
import type { Answer, App, Command, Input } from "../command.js";
import { optional } from "../input.js";
import { notes } from "../render-change.js";
import { harmless } from "../style.js";
import { minute } from "../times.js";

export const work: Command = {
  name: "work",
  group: "working",
  summary: "Work on a task by hand, in a worktree of your own, behind its checks",
  description:
    "Claims the task for you and makes a folder for it: a git worktree at the tip of its feature's branch, with the environment that any worker gets. --done takes what lies in the folder as one commit, runs the checks on it and merges it into the feature's branch; if a check fails you see why, and go on. --abandon gives the task back and keeps what you did: `planwright attempts restore` brings it back as a branch. The folder goes with either, unless you say --keep; a folder that you kept goes with --abandon later on. Inside the folder the task need not be named.",
  arguments: [{ name: "TASK", help: "the task", optional: true, reference: true }],
  flags: {
    done: { type: "boolean", help: "hand in what is in the folder" },
    abandon: { type: "boolean", help: "give the task back; what you did is kept" },
    keep: { type: "boolean", help: "with --done or --abandon: leave the folder" },
    "print-env": { type: "boolean", help: "print the environment as shell exports, and nothing else" },
    despite: despiteFlag,
    list: { type: "boolean", help: "what people work on, and folders that were kept" },
  },
  examples: [
    { run: "planwright work TASK-00007", does: "claims it and says where to work" },
    { run: 'eval "$(planwright work TASK-00007 --print-env)"', does: "takes its ports and folders into this shell" },
    { run: "planwright work TASK-00007 --done", does: "checks what you did and puts it on the feature's branch" },
    { run: "planwright work --list", does: "who works on what, and where" },
  ],
  run: async (input, app) => {
    const asked = DEEDS.filter((deed) => input.has(deed));
    if (asked.length > 1) {
      return usage("usage", `planwright work takes one of --${asked.join(" and --")} at a time.`, { hint: HINT });
    }
    const workshop = (await app.engines()).workshop();
    if (!workshop.ok) return workshop;
    const { byHand } = workshop.value;
    if (input.has("list")) return ok(listAnswer(await byHand.list()));
    return input.has("done") || input.has("abandon") ? end(input, app, byHand) : begin(input, app, byHand);
  },
};

const DEEDS = ["done", "abandon", "print-env", "list"] as const;
const HINT = "`planwright work --help` shows how.";

const watched = (input: Input, app: App): Watched => ({
  signal: app.interrupted(),
  onEvent: (event) => {
    if (input.json) return;
    if (event.type === "line") app.progress(`${harmless(event.line)}\n`);
    if (event.type === "notice") app.progress(`${harmless(event.text)}\n`);
  },
});

async function begin(input: Input, app: App, byHand: HandWork): Promise<Result<Answer>> {
  const [reference] = input.args;
  if (reference === undefined) {
    return usage("usage", "planwright work needs a TASK.", {
      hint: "`planwright next --peek` shows one that is ready; `planwright work --list` what people work on.",
    });
  }
  const begun = await byHand.begin({ reference, ...optional("despite", input.text("despite")) }, watched(input, app));
  if (!begun.ok) return begun;
  return ok(input.has("print-env") ? environmentAnswer(begun.value) : placeAnswer(begun.value));
}

const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;

const environmentAnswer = (place: HandPlace): Answer => ({
  data: place,
  text: () =>
    Object.entries(place.env)
      .map(([name, value]) => `export ${name}=${quoted(value)}`)
      .join("\n"),
});

const placeAnswer = (place: HandPlace): Answer => ({
  data: place,
  text: (style) => {
    const { task, title, attempt, worktree, branch, env } = place;
    const row = (label: string, value: string): string => `  ${style.dim(label.padEnd(10))}${value}`;
    return [
      `${style.bold(task)}  ${harmless(title)}  ${style.dim(place.resumed ? `${attempt}, begun before` : attempt)}`,
      row("folder", worktree),
      row("branch", branch),
      row("ports", env["PLANWRIGHT_PORTS"] ?? ""),
    ].join("\n");
  },
  note: () =>
    notes(
      `cd ${quoted(place.worktree)}`,
      `planwright work ${place.task} --done   when it is done; --abandon gives it back`,
    ),
});

async function end(input: Input, app: App, byHand: HandWork): Promise<Result<Answer>> {
  const asked = { ...optional("reference", input.args[0]), keep: input.has("keep") };
  const how = watched(input, app);
  const ended = await (input.has("done") ? byHand.finish(asked, how) : byHand.abandon(asked, how));
  return ended.ok ? ok(endAnswer(ended.value)) : ended;
}

const endAnswer = (handed: Handed): Answer => ({
  data: handed,
  text: (style) => {
    const { task, state, note, attempt } = handed;
    if (state === "open")
      return `${style.red("✗")} ${style.bold(task)} is not done yet (${attempt})\n${harmless(note)}`;
    const mark = state === "accepted" ? style.green("✓") : style.yellow("○");
    return `${mark} ${style.bold(task)}  ${WORDS[state]}: ${harmless(note)}`;
  },
  note: () => notes(...nextSteps(handed)),
  exit: handed.state === "open" ? 1 : 0,
});

const WORDS: Readonly<Record<Exclude<Handed["state"], "open">, string>> = {
  accepted: "is done",
  pending: "is handed in",
  released: "is given back",
};

function nextSteps({ state, task, attempt, worktree, kept }: Handed): string[] {
  if (state === "open") return [`Mend it in ${worktree ?? ""}, then: planwright work ${task} --done`];
  return [
    state === "pending" ? `planwright accept ${task} --reason TEXT   makes it done` : "",
    kept === null || state === "pending"
      ? ""
      : `planwright attempts restore ${attempt}   brings what you did back as a branch`,
    worktree === null ? "Its folder is gone." : `Its folder stays: ${worktree}`,
  ];
}

const listAnswer = (lines: readonly HandLine[]): Answer => ({
  data: lines,
  text: (style) =>
    lines.length === 0
      ? style.dim("Nobody works by hand.")
      : lines
          .map(({ task, attempt, by, worktree, since }) => {
            const how = since === null ? "ended; its folder is left" : `since ${minute(since)}`;
            return `${style.bold(task)}  ${attempt}  ${by}  ${style.dim(how)}\n  ${worktree}`;
          })
          .join("\n"),
});
