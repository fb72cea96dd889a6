import { executionOf } from "../execution/engine-access.js";
import { bytesText, fields, flag, optional, planVerb, plural, step } from "../kit/verb.js";

export const input = fields({ dryRun: optional(flag("only show what would be removed, and its size")) });

export const verb = planVerb({
  command: {
    words: "gc",
    group: "tool",
    aliases: ["attempt expire"],
  },
  summary: "Remove old files and refs that are no longer needed",
  description:
    "Removes transcripts, bundles of finished tasks, plans that a restore replaced, backups of upgrades, refs and temporary files once they are older than gc.transcriptDays and gc.leftoverDays. Worktrees of planning runs that were killed go at once. Unmerged work goes after execution.keepDays, and stays while you may still accept it. Packs loose git objects without removing any; gc.repository turns that off. The daemon does the same every hour.",
  who: "person",
  effect: "runs",
  destructive: true,
  input,
  examples: [
    { input: { dryRun: true }, does: "shows what would be removed, and its size" },
    { input: {}, does: "removes it" },
  ],
  run: async (session, asked) => {
    const { garbage } = await executionOf(session);
    const { collectGarbage } = await import("../../engine/gc/collect-garbage.js");
    return collectGarbage({ ...garbage, ...asked, context: session, signal: session.signal });
  },
  text: ({ removed, expired, bytes, dryRun, repository }, style) => {
    const lines = [
      ...removed.map(
        (each) =>
          `  ${each.kind.padEnd(18)}${(each.bytes === null ? "" : bytesText(each.bytes)).padStart(8)}  ${each.name}`,
      ),
      ...expired.map((id) => `  ${"unmerged work".padEnd(26)}  ${id}`),
    ];
    const count = plural(lines.length, "thing");
    const head =
      lines.length === 0
        ? style.dim("Nothing is old enough to remove.")
        : `${dryRun ? "Would remove" : `${style.green("✓")} Removed`} ${count}, ${bytesText(bytes)}:`;
    const packing = repository?.due
      ? [
          dryRun
            ? `Would pack the repository: it has ${plural(repository.loose, "loose object")}.`
            : `Packed the repository: ${plural(repository.loose, "loose object")} before, ${repository.left} now.`,
        ]
      : [];
    return [head, ...lines, ...packing].join("\n");
  },
  note: ({ problems, soon }) =>
    [...problems, ...soon.map(({ id, until }) => `The unmerged work of ${id} expires on ${until.slice(0, 10)}.`)].join(
      "\n",
    ),
  next: ({ dryRun, removed, expired }) => (dryRun && removed.length + expired.length > 0 ? [step("gc")] : []),
});
