import { fields, node } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import type { Style } from "../text/style.js";
import { type NodeTrace, traceNode } from "./trace-node.js";

export const input = fields({ reference: node("the node") });

export const verb = planVerb({
  name: "trace",
  command: { words: "trace", group: "look", positional: ["reference"] },
  summary: "Follow a task from spec to check to commit",
  description:
    "The lines of the spec that a task answers to, the approval and its hash, each check with its last result, the commit, and how strong the proof is.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { reference: "TASK-00001" }, does: "shows why the task exists and what proves it" }],
  run: (session, { reference }) => traceNode(session, reference),
  text: traceText,
});

function traceText(traced: NodeTrace, style: Style): string {
  const { spec, approval, checks, commit, kept, proof } = traced;
  const lines = [`${style.bold(traced.id)}  ${harmless(traced.title)}`];
  const from =
    spec === null ? "no spec: it was added by hand" : `${harmless(spec.file ?? spec.artifact)} (${spec.run})`;
  lines.push(`Spec      ${from}`);
  for (const { line, text } of spec?.lines ?? [])
    lines.push(`  ${style.dim(String(line).padStart(5))}  ${harmless(text)}`);
  lines.push(
    `Approval  ${approval === null ? "none" : `${approval.by} at ${approval.at}, ${approval.hash.slice(0, 12)}${approval.stale ? "; changed since" : ""}`}`,
  );
  lines.push(`Checks    ${checks.length === 0 ? "none" : ""}`.trimEnd());
  for (const { run, passed, outcome, shows } of checks) {
    const sign = passed === null ? style.dim("·") : passed ? style.green("✓") : style.red("✗");
    lines.push(
      `  ${sign} ${harmless(run)}${outcome === null ? "" : style.dim(`  ${outcome}`)}${shows === "" ? "" : `  ${shows}`}`,
    );
  }
  const where = commit === null ? (kept === null ? "none" : `none; work is kept in ${kept}`) : commit.commit;
  lines.push(`Commit    ${where}${commit === null ? "" : commit.landed ? ", landed" : ", not landed yet"}`);
  if (proof) lines.push(`Proof     ${proof.strength}${proof.words === "" ? "" : `: ${harmless(proof.words)}`}`);
  return lines.join("\n");
}
