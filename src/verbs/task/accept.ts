import type { ChangeSet } from "../../model/attempt/attempt.js";
import { fields, filled, nodes, type PlanAsker, planVerb, step, undoStep } from "../kit/verb.js";
import { harmless } from "../kit/wording.js";

export const input = fields({
  references: nodes("a task that was handed in or rejected"),
  reason: filled("why it counts as done"),
});

export const verb = planVerb({
  command: { words: "accept", group: "decide", positional: ["references"] },
  summary: "Accept work that has no checks, or override them",
  description:
    "The reason stays with the task. Work that an attempt left behind is merged into the feature's branch by the next run, daemon or landing. Open questions about the tasks are withdrawn.",
  who: "person",
  effect: "writes",
  unsuggested: true,
  hints: ["accept"],
  tools: [{ tool: "decide", action: "accept", fields: ["references", "reason"] }],
  background: attemptLines,
  input,
  examples: [{ input: { references: ["TASK-00007"], reason: "read it, ran it by hand" }, does: "makes the task done" }],
  run: async (session, asked) => (await import("../../plan/claim/settle-tasks.js")).accept(session, asked),
  text: ({ tasks }, style) =>
    tasks.flatMap(({ id, changes, outside }) => [
      `${style.green("✓")} ${style.bold(id)} is done: accepted`,
      ...changeLines(changes ?? {}).map(harmless),
      ...(outside.length > 0 ? [style.yellow(`  outside of its footprint: ${harmless(outside.join(", "))}`)] : []),
    ]),
  note: ({ tasks }) =>
    tasks.map(({ integrates }) => integrates && `The next run, daemon or landing merges the work of ${integrates}.`),
  next: ({ tasks, op }) => [
    ...(tasks.some(({ integrates }) => integrates !== null) ? [step("run")] : []),
    ...undoStep(op),
  ],
});

async function attemptLines(app: PlanAsker, reference: string): Promise<string[]> {
  const attempts = await app.call("attempt.list", { reference });
  const [newest] = attempts.ok ? attempts.value : [];
  const shown = newest && (await app.call("attempt.show", { id: newest.id }));
  if (!shown?.ok) return [];
  const { id, note, state, changes, outside } = shown.value;
  const stray = outside.length > 0 ? [`  outside of its footprint: ${outside.join(", ")}`] : [];
  return [`${id}, ${state}: ${note}`.trim(), ...changeLines(changes ?? {}), ...stray];
}

const changeLines = ({ created = [], modified = [], deleted = [] }: Partial<ChangeSet>): string[] =>
  Object.entries({ created, modified, deleted }).flatMap(([word, paths]) =>
    paths.length > 0 ? [`  ${word}: ${paths.join(", ")}`] : [],
  );
