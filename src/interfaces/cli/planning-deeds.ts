// What can be done with a planning run that is there.

import { ok, type Result, usage } from "../../app/vocabulary.js";
import type { Hooks } from "../../planning/driver/services.js";
import type { CallView, RunView } from "../../planning/driver/view.js";
import type { Resumption } from "../../planning/planner.js";
import type { Answer, App, Input } from "./command.js";
import { inLine } from "./one-line.js";
import { appliedAnswer, closePlan, runAnswer } from "./planning-answer.js";
import { planningHooks } from "./planning-session.js";
import { diffLines, dollars, runLines, seconds } from "./render-planning.js";
import { harmless } from "./style.js";

const named = ({ args: [, run] }: Input): string | undefined => run;

export async function resume(input: Input, app: App): Promise<Result<Answer>> {
  const engines = await app.engines();
  const minutes = input.number("timeout-minutes");
  const cost = input.number("max-cost");
  const tokens = input.number("max-tokens");
  const changes = {
    ...(minutes === undefined ? {} : { timeoutMs: minutes * 60_000 }),
    ...(cost === undefined ? {} : { maxCostUsd: cost }),
    ...(tokens === undefined ? {} : { maxTokens: tokens }),
    ...wishesOf(input),
    ...(input.has("defaults") ? { defaults: true } : {}),
  };
  const hooks = planningHooks(app, { json: input.json });
  const resumed = await engines.planner.resume(named(input), changes, hooks);
  hooks.end();
  if (!resumed.ok) return resumed;
  const isForPerson = resumed.value.status === "ready" && app.interactive && !input.json;
  return isForPerson ? closePlan(resumed.value, app, engines) : runAnswer(resumed.value);
}

const wishesOf = (input: Input): Pick<Resumption, "agent" | "model" | "effort" | "level"> => {
  const [agent, model] = [input.text("agent"), input.text("model")];
  const effort = input.text("effort") as Resumption["effort"];
  const level = input.text("level") as Resumption["level"];
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(level === undefined ? {} : { level }),
  };
};

export async function list(app: App): Promise<Result<Answer>> {
  const runs = await (await app.engines()).planner.list();
  return ok({
    data: { runs },
    text: (style) =>
      runs.length === 0
        ? style.dim("No planning run yet.")
        : runs
            .map(
              ({ id, status, stage, title, calls }) =>
                `${style.bold(id)}  ${status.padEnd(8)}  ${stage.padEnd(12)}  ${String(calls).padStart(3)} calls  ${harmless(title)}`,
            )
            .join("\n"),
    note: () => (runs.length === 0 ? "planwright plan docs/spec.md" : `planwright plan show ${runs[0]?.id ?? ""}`),
  });
}

export async function show(input: Input, app: App): Promise<Result<Answer>> {
  const texts = input.has("texts");
  const found = await (await app.engines()).planner.show(named(input), texts || input.json);
  if (!found.ok) return found;
  const { roleCalls } = found.value;
  return ok({
    data: found.value,
    text: (style) =>
      [...runLines(found.value, style), "", ...roleCalls.flatMap((call) => callLines(call, texts))].join("\n"),
    note: () => found.value.next,
  });
}

function callLines(call: CallView, texts: boolean): string[] {
  const {
    id,
    number,
    role,
    stage,
    repair,
    agent,
    model,
    state,
    inputTokens,
    outputTokens,
    costUsd,
    durationMs,
    error,
  } = call;
  const used = [
    durationMs === null ? "" : seconds(durationMs),
    `${inputTokens + outputTokens} tokens`,
    dollars(costUsd ?? 0),
  ]
    .filter(Boolean)
    .join(", ");
  const head = `${String(number).padStart(3)}  ${id}  ${role} (${stage}${repair > 0 ? `, repair ${repair}` : ""})  ${agent}${model === null ? "" : ` ${model}`}  ${state}  ${used}`;
  const failed = error
    ? [
        `       ${error.settled ? "settled" : "open"}: ${inLine(error.message.split("\n")[0] ?? "")}`,
        `       ${inLine(error.recovery)}`,
      ]
    : [];
  const said = texts ? ["", indent(call.input ?? ""), "", indent(call.output ?? "(nothing came back)"), ""] : [];
  return [head, ...failed, ...said];
}

const indent = (text: string): string =>
  harmlessLines(text)
    .map((line) => `       ${line}`)
    .join("\n");

const harmlessLines = (text: string): string[] => text.split("\n").map(harmless);

export async function diff(input: Input, app: App): Promise<Result<Answer>> {
  const { planner } = await app.engines();
  const found = await planner.diff(named(input));
  if (!found.ok) return found;
  const view = await planner.show(found.value.run, false);
  if (!view.ok) return view;
  const { run } = found.value;
  return ok({
    data: found.value,
    text: (style) => diffLines(found.value, style).join("\n"),
    note: () =>
      view.value.status === "ready"
        ? `planwright approve ${run}   does it, as one operation that can be undone`
        : view.value.next,
  });
}

export async function apply(input: Input, app: App): Promise<Result<Answer>> {
  const applied = await (await app.engines()).planner.apply(named(input), false);
  return applied.ok ? appliedAnswer(applied.value) : applied;
}

export async function requestChanges(input: Input, app: App): Promise<Result<Answer>> {
  const note = input.text("note")?.trim() ?? "";
  if (note === "")
    return usage("usage", "Say what should be different with --note.", {
      hint: 'Try: planwright plan revise RUN-001 --note "smaller tasks"',
    });
  const hooks = planningHooks(app, { json: input.json });
  let isUnchanged = false;
  const onProgress: Hooks["onProgress"] = (progress) => {
    const said = progress.type === "answered" ? progress.summary : undefined;
    if (said?.role === "author" && said.stage === "tasks") isUnchanged = said.unchanged;
    hooks.onProgress(progress);
  };
  const revised = await (await app.engines()).planner.requestChanges(named(input), note, { ...hooks, onProgress });
  hooks.end();
  if (!revised.ok) return revised;
  return isUnchanged ? unchangedAnswer(revised.value) : runAnswer(revised.value);
}

/** The author would not, or could not, do what was asked. */
const unchangedAnswer = (view: RunView): Result<Answer> =>
  ok({
    data: view,
    exit: 1,
    text: (style) => [...runLines(view, style), style.yellow("  Nothing was changed in the plan.")].join("\n"),
    note: () => `planwright plan resume ${view.id} --agent NAME   lets another agent write; then ask again`,
  });

export async function abort(input: Input, app: App): Promise<Result<Answer>> {
  const aborted = await (await app.engines()).planner.abort(named(input));
  if (!aborted.ok) return aborted;
  const { id } = aborted.value;
  return ok({
    data: aborted.value,
    text: (style) => style.dim(`${id} was aborted. Nothing was added to the plan.`),
    note: () =>
      `planwright plan show ${id}   still has everything; planwright plan --from tasks ${id}   begins again from there`,
  });
}

export async function exportPlan(input: Input, app: App): Promise<Result<Answer>> {
  const exported = await (await app.engines()).planner.exportDocuments(
    named(input),
    input.text("to") ?? null,
    input.has("commit"),
  );
  if (!exported.ok) return exported;
  const { files, commit } = exported.value;
  return ok({
    data: exported.value,
    text: () => files.join("\n"),
    note: () => (commit === null ? "" : `committed as ${commit.slice(0, 12)}, with nothing but these files`),
  });
}
