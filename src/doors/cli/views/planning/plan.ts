// Views of planning runs.

import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { ApprovalPreview } from "../../../../actions/branch/approval-preview.js";
import type { App } from "../../../../app/app.js";
import { spell } from "../../../../app/command-line.js";
import type { Input } from "../../../../app/read-words.js";
import type { Door } from "../../../../app/session.js";
import { harmless } from "../../../../app/text/harmless.js";
import { inLine } from "../../../../app/text/one-line.js";
import { previewText } from "../../../../app/text/preview-lines.js";
import { dollars, plural, seconds } from "../../../../app/text/wording.js";
import { ok, type Result, step, usage } from "../../../../app/vocabulary.js";
import type { AppliedRun } from "../../../../planning/apply/apply-run.js";
import type { CallView, PlanningRunView } from "../../../../planning/driver/view.js";
import { planProgress } from "../../live/plan-progress.js";
import { readText } from "../../read-text.js";
import { appliedText } from "../../text/applied-run.js";
import { undoStep } from "../../text/ids.js";
import { diffLines, editLines, runLines } from "../../text/plan-lines.js";
import { errorStyle, type Style } from "../../text/style.js";
import type { After, Terminal, ViewOf } from "../../view.js";

const isPersonHere = ({ interactive, json }: Terminal): boolean => interactive && !json;

const runText = (run: PlanningRunView, style: Style): string => runLines(run, style).join("\n");

/** What every operation shows that ends with a run, wherever the run stands. */
export const RUN_VIEW = {
  live: planProgress,
  text: runText,
  next: ({ next }: PlanningRunView): PlanningRunView["next"] => next,
  reports: ["run-waiting", "run-halted", "interrupted"],
  problems: (details: PlanningRunView, style: Style): string => runText(details, style),
};

const start: ViewOf<"plan.start"> = {
  prepare: async (given, terminal, app) => {
    const said = await askForSource(given, terminal, app);
    if (!said.ok) return said;
    const input = said.value;
    const { source } = input;
    if (typeof source !== "string") return ok(input);
    const read = await readSource(source, terminal);
    if (!read.ok) return read;
    const isSpec = read.value !== source || /\S\s+\S/.test(source);
    const asked = isSpec && isPersonHere(terminal) ? await askWhatIsMissing(input) : {};
    return asked === undefined ? notPlanned() : ok({ ...input, ...asked, source: read.value });
  },
  ...RUN_VIEW,
  after: (run, asked) => decideOnPlan(run, asked),
};

/** Asks for what is missing before anything can be planned: a workspace, and what to plan. */
async function askForSource(input: Input, terminal: Terminal, app: App): Promise<Result<Input>> {
  const isSaid = [input["source"], input["revise"], input["from"]].some((field) => field !== undefined);
  const { root, exists, doubt } = app.folder().workspace();
  if (!isPersonHere(terminal)) {
    if (isSaid) return ok(input);
    return usage("no-source", "Say what to plan: an idea in quotes, a file, - for standard input, or a node.", {
      next: [...(exists ? [] : [step("init")]), step("plan.start", {}, "source")],
    });
  }
  if (!exists && doubt === null) {
    const { askYes } = await import("../../ask.js");
    if (!(await askYes(`There is no plan in ${root} yet. Start one?`))) return notPlanned();
    const started = await app.call("init", {});
    if (!started.ok) return started;
  }
  if (isSaid) return ok(input);
  const source = await (await import("../../ask.js")).askSource();
  return source === undefined ? notPlanned() : ok({ ...input, source });
}

const notPlanned = (): Result<never> =>
  usage("cancelled", "Nothing was planned.", { next: [step("plan.start", {}, "source")] });

/** The text of a file or of standard input; other words stay as they are. */
async function readSource(word: string, { cwd, readStdin }: Terminal): Promise<Result<Input["source"]>> {
  if (word === "-") return decode(await readStdin(), "Standard input");
  const path = resolve(cwd, word);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    return usage("is-folder", `${word} is a folder. Name a file in it.`, { next: [step("plan.start", {}, "source")] });
  return found?.isFile() === true ? decode(readFileSync(path), word, path) : ok(word);
}

function decode(bytes: Uint8Array, where: string, path?: string): Result<Input["source"]> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return ok({ text, ...(path !== undefined && { path }) });
  } catch {
    return usage("bad-encoding", `${where} is not UTF-8 text. Save it as UTF-8 first.`);
  }
}

/** Undefined if the person left. */
async function askWhatIsMissing({ stack, target, defaults, revise }: Input): Promise<Input | undefined> {
  if ([stack, target, defaults, revise].some((field) => field !== undefined)) return {};
  return (await import("../../ask.js")).askIntake();
}

/** At a terminal you decide on a plan that is ready at once, if you want to. */
async function decideOnPlan(run: PlanningRunView, asked: After, hasRead?: string): Promise<Result<unknown>> {
  const { terminal, app } = asked;
  if (run.status !== "ready" || !isPersonHere(terminal)) return ok(undefined);
  const { askApproval, askAfterPreview } = await import("../../ask.js");
  const isProvable = run.checked === null || run.checked.withCheck > 0;
  const { choice, note } = await askApproval(run.id, hasRead !== undefined, isProvable);
  if (choice === "later") return ok(undefined);
  if (choice === "abort") return shown(asked, await app.call("plan.abort", { run: run.id }), abortedText);
  if (choice === "read") {
    const preview = (await app.call("approve", { references: [run.id], preview: true })) as Result<ApprovalPreview>;
    if (!preview.ok) return preview;
    terminal.progress(`${previewText(preview.value, errorStyle(terminal.style))}\n`);
    return decideOnPlan(run, asked, preview.value.hash);
  }
  if (choice === "approve") {
    const seen = hasRead === undefined ? {} : { seen: hasRead };
    const confirm: Door["confirm"] = (question, preview) => askAfterPreview(question, preview, terminal);
    const approved = await app.ask("approve", { references: [run.id], ...seen }, { confirm });
    return shown(asked, approved as Result<AppliedRun>, appliedText);
  }
  const live = planProgress(terminal);
  const door = { onEvent: live.onEvent, signal: () => terminal.interrupted() };
  const revised = (await app.ask("plan.revise", { run: run.id, note }, door)) as Result<PlanningRunView>;
  live.close();
  if (!revised.ok) return revised;
  terminal.print(`${runText(revised.value, terminal.style)}\n`);
  return decideOnPlan(revised.value, asked);
}

function shown<T>(
  { terminal }: After,
  answer: Result<T>,
  textOf: (output: T, style: Style) => string,
): Result<unknown> {
  if (answer.ok) terminal.print(`${textOf(answer.value, terminal.style)}\n`);
  return answer;
}

const resume: ViewOf<"plan.resume"> = {
  ...RUN_VIEW,
  after: (run, asked) => decideOnPlan(run, asked),
};

const list: ViewOf<"plan.list"> = {
  text: ({ runs }, style) =>
    runs.length === 0
      ? style.dim("No planning runs.")
      : runs
          .map(
            ({ id, status, stage, title, calls }) =>
              `${style.bold(id)}  ${status.padEnd(8)}  ${stage.padEnd(12)}  ${plural(calls, "call").padStart(9)}  ${harmless(title)}`,
          )
          .join("\n"),
  next: ({ runs: [latest] }) => [latest ? step("plan.show", { run: latest.id }) : step("plan.start", {}, "source")],
};

const show: ViewOf<"plan.show"> = {
  flags: { texts: "also print the whole input and output of every role call" },
  text: (run, style, given) =>
    [...runLines(run, style), "", ...run.roleCalls.flatMap((call) => callLines(call, given.has("texts")))].join("\n"),
  next: ({ next }) => next,
};

const SHOWN_PROBLEMS = 10;

/** What went wrong, with the fields of a reply that did not fit. */
function problemLines(message: string, state: string): string[] {
  const [first = "", ...others] = message.split("\n");
  const more = others.length > SHOWN_PROBLEMS ? [`and ${others.length - SHOWN_PROBLEMS} more`] : [];
  return [
    `       ${state}: ${inLine(first)}`,
    ...[...others.slice(0, SHOWN_PROBLEMS), ...more].map((line) => `         ${inLine(line)}`),
  ];
}

function callLines(call: CallView, texts: boolean): string[] {
  const { id, number, role, stage, repair, agent, model, state, inputTokens, outputTokens, costUsd, durationMs } = call;
  const { error, commit, wrote } = call;
  const used = [
    durationMs === null ? "" : seconds(durationMs),
    plural(inputTokens + outputTokens, "token"),
    dollars(costUsd ?? 0),
    commit === null ? "" : `commit ${commit.slice(0, 10)}`,
  ];
  const what = `${role} (${stage}${repair > 0 ? `, repair ${repair}` : ""})`;
  const who = model === null ? agent : `${agent} ${model}`;
  const head = `${String(number).padStart(3)}  ${id}  ${what}  ${who}  ${state}  ${used.filter(Boolean).join(", ")}`;
  const failed = error
    ? [...problemLines(error.message, error.settled ? "settled" : "open"), `       ${inLine(error.recovery)}`]
    : [];
  const said = texts ? ["", indent(call.input), "", indent(call.output ?? "(no answer)"), ""] : [];
  const thrownAway = wrote.length === 0 ? [] : [`       wrote ${inLine(wrote.join(", "))}: thrown away`];
  return [head, ...thrownAway, ...failed, ...said];
}

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `       ${harmless(line)}`)
    .join("\n");

const diff: ViewOf<"plan.diff"> = {
  text: (found, style) => diffLines(found, style).join("\n"),
  next: ({ run, status, next }) => (status === "ready" ? [step("approve", { references: [run] })] : next),
};

const edit: ViewOf<"plan.edit"> = {
  inputs: { from: ["read the edited document from a file, or - for standard input", "FILE"] },
  prepare: async (input, terminal, app) => {
    const { from, ...rest } = input;
    if (typeof from === "string") {
      const text = await readText(from, terminal);
      return text.ok ? ok({ ...rest, document: text.value }) : text;
    }
    if (rest["document"] !== undefined) return ok(rest);
    if (!isPersonHere(terminal)) {
      return usage(
        "usage",
        "Which document? Give the edited plan document: --from FILE, or --from - for standard input.",
      );
    }
    return (await import("../../edit-plan.js")).editPlan(rest, terminal, app);
  },
  ...RUN_VIEW,
  reports: [...RUN_VIEW.reports, "prose"],
  text: (run, style) => [...editLines(run.edits, style), ...runLines(run, style)].join("\n"),
  after: (run, asked) => decideOnPlan(run, asked),
};

const apply: ViewOf<"plan.apply"> = {
  text: appliedText,
  next: ({ added, op }) => [...added.slice(0, 1).map((id) => step("approve", { references: [id] })), ...undoStep(op)],
};

const revise: ViewOf<"plan.revise"> = {
  ...RUN_VIEW,
  after: (run, asked) => decideOnPlan(run, asked),
};

const exportPlan: ViewOf<"plan.export"> = {
  text: ({ files }) => files.join("\n"),
  note: ({ commit }) => (commit === null ? "" : `Committed as ${commit.slice(0, 12)}, with nothing but these files.`),
};

const abortedText = ({ id }: PlanningRunView, style: Style): string =>
  style.dim(`${id} was aborted. Nothing was added to the plan.`);

const abort: ViewOf<"plan.abort"> = {
  text: abortedText,
  note: ({ id }) => `To begin again from its tasks: ${spell(step("plan.start", { source: id, from: "tasks" }))}`,
  next: ({ id }) => [step("plan.show", { run: id })],
};

export const planViews = {
  "plan.start": start,
  "plan.resume": resume,
  "plan.list": list,
  "plan.show": show,
  "plan.diff": diff,
  "plan.edit": edit,
  "plan.apply": apply,
  "plan.revise": revise,
  "plan.export": exportPlan,
  "plan.abort": abort,
};
