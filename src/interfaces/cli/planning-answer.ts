// How a planning command ends: the run as it stands, its exit code, and what to type next.

import { ok, type Result } from "../../app/vocabulary.js";
import type { RunView } from "../../planning/driver/view.js";
import type { AppliedView } from "../../planning/planner.js";
import type { Answer, App, Engines } from "./command.js";
import { inLine } from "./one-line.js";
import { planningHooks } from "./planning-session.js";
import { diffLines, runLines } from "./render-planning.js";

const PROBLEMS = 1;
const NOTHING = 2;

/** 0: it is where a person wants it; 1: problems were found; 2: it waits or has stopped. */
function exitOf({ status, mode, verdict }: RunView): number {
  if (mode === "review" && status === "finished") return verdict?.startsWith("approve") ? 0 : PROBLEMS;
  return status === "ready" || status === "finished" || status === "aborted" ? 0 : NOTHING;
}

export const runAnswer = (view: RunView): Result<Answer> =>
  ok({
    data: view,
    exit: exitOf(view),
    text: (style) => runLines(view, style).join("\n"),
    note: () => nextLines(view).join("\n"),
  });

function nextLines({ id, status, next, artifacts, mode }: RunView): string[] {
  if (status === "ready") {
    return [
      `planwright show ${artifacts.plan ?? id}   reads the plan`,
      `planwright plan diff ${id}   shows what it would change`,
      `planwright approve ${id}   adds it to the plan and clears it to run`,
    ];
  }
  if (status === "finished" && mode === "review")
    return [`planwright artifacts --run ${id} --kind findings   lists what was found`];
  return [next];
}

/** At a terminal a plan that is ready is decided on at once, if the person wants to. */
export async function closePlan(view: RunView, app: App, { planner }: Engines): Promise<Result<Answer>> {
  app.progress(`${runLines(view, app.style).join("\n")}\n`);
  if (view.mode === "revise" || view.mode === "expand") {
    const diff = await planner.diff(view.id);
    if (diff.ok) app.progress(`${diffLines(diff.value, app.style).join("\n")}\n`);
  }
  const { askApproval } = await import("./ask.js");
  const { choice, note } = await askApproval(view.id);
  if (choice === "approve") {
    const applied = await planner.apply(view.id, true);
    return applied.ok ? appliedAnswer(applied.value) : applied;
  }
  if (choice === "abort") {
    const aborted = await planner.abort(view.id);
    return aborted.ok ? runAnswer(aborted.value) : aborted;
  }
  if (choice === "later") return runAnswer(view);
  const hooks = planningHooks(app, { json: false });
  const again = await planner.requestChanges(view.id, note, hooks);
  hooks.end();
  if (!again.ok) return again;
  return again.value.status === "ready" ? closePlan(again.value, app, { planner } as Engines) : runAnswer(again.value);
}

export function appliedAnswer(applied: AppliedView): Result<Answer> {
  const { run, added, changed, dropped, approved, documents } = applied;
  const parts = [
    `${added.length} added`,
    `${changed.length} changed`,
    `${dropped.length} dropped`,
    `${approved.length} approved`,
  ];
  return ok({
    data: applied,
    text: (style) =>
      [
        `${style.green("✓")} ${run} is in the plan: ${parts.join(", ")}`,
        ...(documents?.commit
          ? [`  committed ${documents.files.length} documents as ${documents.commit.slice(0, 12)}`]
          : []),
        ...(documents?.problem
          ? [style.yellow(`  the documents were not committed: ${inLine(documents.problem)}`)]
          : []),
      ].join("\n"),
    note: () =>
      approved.length > 0
        ? "planwright next   claims the first task that is ready; `planwright undo` takes it all back"
        : "planwright approve FEATURE   clears it to run; `planwright undo` takes it all back",
  });
}
