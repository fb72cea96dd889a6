// The program's own part of a run: it puts the tasks in order, and judges the plan's form. No tokens, no waiting.

import { ok, type Result } from "../../model/result.js";
import type { LintFinding } from "../lint/finding.js";
import { roundNumber } from "../machine/machine.js";
import { sequence } from "../sequence.js";
import { conformanceVerdict } from "../verdict.js";
import { jsonArtifact, saveArtifacts } from "./artifacts.js";
import { lintRun, planTexts } from "./draft-context.js";
import { type Driver, type Run, stepRun } from "./runs.js";
import { type Hooks, type PlanningServices, projectOf } from "./services.js";

export async function order(
  { context }: PlanningServices,
  hooks: Hooks,
  run: Run,
  driver: Driver,
): Promise<Result<Run>> {
  const { draft } = await context.store.read((reader) => planTexts(reader, run));
  const { waves, added, hours } = sequence(draft);
  hooks.onProgress({ type: "sequenced", waves: waves.length, tasks: draft.tasks.length, added: added.length, hours });
  return stepRun(context, run.key, driver, async () =>
    ok({ sentence: `${run.key} put ${draft.tasks.length} tasks in order`, event: { type: "sequenced" } }),
  );
}

/** What has to be gone after a revision. */
const errorsOf = (findings: readonly LintFinding[]): string[] => [
  ...new Set(findings.filter(({ grade }) => grade === "error").map(({ code, where }) => `${code} ${where}`)),
];

export async function conform(
  services: PlanningServices,
  hooks: Hooks,
  run: Run,
  driver: Driver,
): Promise<Result<Run>> {
  const { context } = services;
  const project = await projectOf(services, run.intake);
  const { findings, coverage, stats } = await context.store.read((reader) => lintRun(reader, run, project));
  const verdict = conformanceVerdict(findings);
  const round = roundNumber(run.machine);
  const kept = { source: "conformance", round, verdict, findings, coverage, stats, questions: [], note: "" };
  const stepped = await stepRun(context, run.key, driver, async (writer, now, at) => {
    const saved = await saveArtifacts(writer, now, [jsonArtifact("findings", kept)], { actor: context.actor, at });
    const event = { type: "linted", verdict, high: errorsOf(findings) } as const;
    return ok({
      sentence: `${run.key} was linted: ${verdict}`,
      changes: saved.changes,
      patch: { current: saved.current },
      event,
    });
  });
  const { grades } = stats;
  hooks.onProgress({
    type: "linted",
    round,
    verdict,
    errors: grades.unreadable + grades.error,
    warnings: grades.warning,
    remarks: grades.remark,
    coverage: coverage ?? null,
  });
  if (stepped.ok && roundNumber(stepped.value.machine) > round) {
    const { machine } = stepped.value;
    hooks.onProgress({ type: "revising", round: roundNumber(machine), because: machine.feedback });
  }
  return stepped;
}
