import { proofWords, taskProof } from "../../model/attempt/proof-strength.js";
import { isoTime } from "../../model/iso-time.js";
import type { CheckResult, Node } from "../../model/node/node.js";
import { deriveStatus } from "../../model/status/status.js";
import { gatherSurroundings } from "../../plan/base/surroundings.js";
import { fields, harmless, type Item, node, ok, planVerb, type Reader, resolve, type Session } from "../kit/verb.js";

export const input = fields({ reference: node("the node") });

export const verb = planVerb({
  command: { words: "trace", group: "look", positional: ["reference"] },
  summary: "Follow a task from spec to check to commit",
  description:
    "The lines of the spec that a task answers to, the approval and its hash, each check with its last result, the commit, and how strong the proof is.",
  effect: "reads",
  input,
  examples: [{ input: { reference: "TASK-00001" }, does: "shows why the task exists and what proves it" }],
  run: (session, { reference }) => traceNode(session, reference),
  text: ({ id, title, spec, approval, checks, commit, kept, proof }, style) => {
    const lines = [`${style.bold(id)}  ${harmless(title)}`];
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
  },
});

/**
 * `spec`: the lines that it answers to; null if a person added it by hand. `attempt`: the one that made it, or the latest. `kept`: the ref
 * that keeps work that was not merged. `dependsOn`, `holdsUp`: the first of what it waits for, and of what waits for it.
 */
export async function traceNode(session: Session, reference: string) {
  const { sourceOfNode } = await import("../../planning/run/source-of-node.js");
  return session.store.read(async (reader) => {
    const found = await resolve(reader, reference, session);
    if (!found.ok) return found;
    const node = found.value;
    const source = await sourceOfNode(reader, node.id);
    const needed = await reader.dependencies(node, MAX_NEIGHBOURS);
    const dependents = await reader.dependents(node.nr, MAX_NEIGHBOURS);
    const attempts = await reader.items("attempt", { owner: String(node.nr), newest: true });
    const attempt = attempts.find(({ fields }) => fields.state === "accepted") ?? attempts[0];
    return ok({
      id: node.id,
      title: node.title,
      spec: source?.spec
        ? { ...source.spec, run: source.run, lines: await linesOf(reader, source.spec.artifact, source.spec.lines) }
        : null,
      approval: node.approval && {
        by: node.approval.by,
        at: isoTime(node.approval.at),
        hash: node.approval.hash,
        stale: node.approval.hash !== node.hash,
      },
      checks: checksOf(node, attempt),
      attempt: attempt ? { id: attempt.key, state: attempt.fields.state } : null,
      commit: await commitOf(reader, node),
      dependsOn: await Promise.all(needed.map(({ target }) => neighbour(reader, target))),
      holdsUp: await Promise.all(dependents.map((each) => neighbour(reader, each))),
      kept: attempts.find(({ fields }) => fields.kept !== null)?.fields.kept ?? null,
      proof: node.outcome?.kind === "done" && node.kind === "work" ? proofOf(node) : null,
    });
  });
}

const MAX_NEIGHBOURS = 20;

const neighbour = async (reader: Reader, node: Node) => {
  const { status } = deriveStatus(node, await gatherSurroundings(reader, node));
  return { id: node.id, title: node.title, status };
};

const proofOf = (node: Node) => {
  const { strength, words } = taskProof(node);
  return { strength, words };
};

async function linesOf(reader: Reader, artifact: string, lines: readonly number[]) {
  const item = await reader.item("artifact", artifact);
  const text = item && (await reader.document(item.fields.hash));
  const all = (text ?? "").split("\n");
  return lines.map((line) => ({ line, text: all[line - 1] ?? "" }));
}

/** The end says what went wrong. */
const MAX_OUTPUT_SHOWN = 4_000;

/** `passed`: null if it has not run yet. `shows`: what it proves, such as `red → green`. `output`: of a check that failed. */
function checksOf({ checks, report }: Node, attempt: Item<"attempt"> | undefined) {
  const fields = attempt?.fields;
  const ran = new Map<string, CheckResult>();
  for (const result of [...(fields?.checks ?? []), ...(fields?.mergedChecks ?? []), ...(report?.checks ?? [])])
    ran.set(result.run, result);
  return checks.map(({ run }) => {
    const result = ran.get(run);
    if (!result) return { run, passed: null, outcome: null, shows: "", output: null };
    const { passed, outcome, output } = result;
    return { run, passed, outcome, shows: proofWords(result), output: passed ? null : output.slice(-MAX_OUTPUT_SHOWN) };
  });
}

async function commitOf(reader: Reader, { report, outcome, feature: nr }: Node) {
  if (!report?.commit || outcome?.kind !== "done") return null;
  const feature = nr === null ? undefined : await reader.node(nr);
  return { commit: report.commit, landed: (feature?.landedOp ?? 0) >= outcome.op };
}
