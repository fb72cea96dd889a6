import { type CallView, showRun } from "../../planning/run/show.js";
import { dollars, durationText, fields, harmless, inLine, planVerb, plural } from "../kit/verb.js";
import { runLines } from "../text/plan-lines.js";
import { runKey } from "./run-text.js";

export const input = fields({ run: runKey });

export const verb = planVerb({
  command: { words: "show", when: { flag: "calls" }, group: "plan", positional: ["run"], aliases: ["plan show"] },
  summary: "Show a planning run with its role calls and their cost",
  effect: "reads",
  resource: { address: "run", summary: "A planning run", field: "run" },
  input,
  examples: [{ input: { run: "RUN-001" }, does: "shows every role call with tokens, cost and duration" }],
  run: async (session, { run: reference }) => showRun(await (await session.engines()).planning(), reference),
  flags: { texts: "also print the whole input and output of every role call" },
  text: (run, style, given) => [
    ...runLines(run, style),
    "",
    ...run.roleCalls.flatMap((call) => callLines(call, given.has("texts"))),
  ],
  next: ({ next }) => next,
});

const MAX_PROBLEMS_SHOWN = 10;

const indent = (text: string): string =>
  text
    .split("\n")
    .map((line) => `       ${harmless(line)}`)
    .join("\n");

/** What went wrong, with the fields of a reply that did not fit. */
function problemLines(message: string, state: string): string[] {
  const [first = "", ...others] = message.split("\n");
  const more = others.length > MAX_PROBLEMS_SHOWN ? [`and ${others.length - MAX_PROBLEMS_SHOWN} more`] : [];
  return [
    `       ${state}: ${inLine(first)}`,
    ...[...others.slice(0, MAX_PROBLEMS_SHOWN), ...more].map((line) => `         ${inLine(line)}`),
  ];
}

function callLines(call: CallView, texts: boolean): string[] {
  const { id, number, role, stage, repair, agent, model, state, inputTokens, outputTokens, costUsd, durationMs } = call;
  const { error, commit, wrote } = call;
  const used = [
    durationMs === null ? "" : durationText(durationMs),
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
