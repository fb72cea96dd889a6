import { type TriageView, triage } from "../../plan/answer/triage.js";
import { harmless, linesOr, planVerb } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "question triage", group: "decide", aliases: ["triage"] },
  summary: "Suggest answers to questions about tasks and landings",
  description:
    "Each open question gets a bucket: stale, verified-done, now-buildable, genuine-decision or needs-design. If a suggestion can be proven, confirming proves it again before it acts. You answer the rest. At level auto the daemon confirms by itself, but never a split.",
  effect: "reads",
  examples: [{ input: {}, does: "what is suggested for each, and what would prove it" }],
  run: (session) => triage(session),
  text: linesOr(
    "No question of execution is open.",
    ({ id, question, bucket, verb, proof, why }: TriageView, style) => {
      const mark = proof === null ? style.yellow("?") : style.green("→");
      const proves = proof === null ? "you decide" : `proof: ${proof}`;
      const head = `${mark} ${style.bold(id)}  ${harmless(question)}`;
      return `${head}\n  ${bucket}: ${verb}  ${style.dim(`(${proves})`)}\n  ${style.dim(harmless(why))}`;
    },
    "\n\n",
  ),
  next: (views) => {
    const first = views.find(({ proof }) => proof !== null) ?? views[0];
    return first ? [first.next] : [];
  },
});
