import { type Landing, landFeature, landingOutlook } from "../../engine/landing/land.js";
import type { EngineServices } from "../../engine/services.js";
import { LAND_STRATEGIES } from "../../machine/git/git-settings.js";
import { WEAK_PROOF } from "../../model/attempt/proof-strength.js";
import type { CheckResult } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import type { Style } from "../kit/style.js";
import {
  choice,
  fields,
  filled,
  flag,
  type Infer,
  node,
  optional,
  planVerb,
  rule,
  type Session,
  spoken,
  step,
  text,
} from "../kit/verb.js";
import { harmless, idList, plural } from "../kit/wording.js";
import { checkLines, workProgress } from "../text/check-lines.js";
import { asAsker, executionOf, sure } from "./engine-access.js";

export const input = fields({
  reference: node("the feature, or its land task", "FEATURE"),
  dryRun: optional(flag("show the proof and change nothing")),
  pr: optional(flag("push the branch for a review instead of merging; the land task stays open")),
  remote: optional(text("where to push for a review; otherwise where git would", "NAME")),
  strategy: optional(choice(LAND_STRATEGIES, "how it gets onto main; git.landStrategy unless given", "HOW")),
  message: optional(filled("the commit's message, with {id}, {title}, {tasks} and {branch}")),
  despite: optional(
    filled("land it although it contradicts a record or leaves a footprint; the reason is kept", "REASON"),
  ),
  yes: optional(flag("do not ask for confirmation")),
}).check(
  rule(
    "remote",
    "is only used when the branch is pushed for a review",
    ({ remote, pr }) => remote === undefined || pr === true,
  ),
);

export const verb = planVerb({
  command: { words: "land", group: "work", daily: 10, positional: ["reference"], short: { y: "yes" } },
  summary: "Merge a finished feature into main once its checks pass",
  description:
    "All tasks of the feature must be done or waived. Its branch is merged with the main branch as it is now, in a temporary worktree. Every check of its tasks and every measured requirement runs on the result. Then the main branch moves, together with the folder where it is checked out. Its changes are held against the constraints in force and the footprints again. Uncommitted changes, a conflict or a failing check leave the main branch exactly as it was. If the feature was merged elsewhere, the main branch is searched for its work instead.",
  effect: "runs",
  long: true,
  asksItself: true,
  phrases: spoken(
    "land, merge, ship, deliver, get … merged, get … landed, get … shipped, integrate, bring … into main, " +
      "bring … to main, put … on main, push … to main",
  ),
  emptyWords: "main master trunk branch the to into on onto",
  tools: [{ tool: "decide", action: "land", fields: ["reference", "dryRun"] }],
  input,
  examples: [
    {
      input: { reference: "FEAT-001", dryRun: true },
      does: "merges and checks it in a temporary worktree, and shows the result",
    },
    { input: { reference: "FEAT-001" }, does: "asks, then lands it" },
    { input: { reference: "FEAT-001", pr: true, remote: "origin", yes: true }, does: "pushes its branch for a review" },
  ],
  run: async (session, asked) => {
    const execution = await executionOf(session);
    const { reference, yes, ...options } = asked;
    const services = asAsker(session, execution);
    const sure = yes || options.dryRun ? ok(undefined) : await confirmLanding(session, services, asked);
    if (!sure.ok) return sure;
    return execution.contain(() => landFeature(services, reference, { ...options, signal: session.signal }));
  },
  live: workProgress,
  text: (landing, style) => [
    HEADLINES[landing.outcome](landing, style),
    ...[...landing.checks, ...landing.requirements].map((check) => checkLines(check, style)),
    ...landing.proofs.map(({ task, strength, words }) => {
      const line = `  ${task}: ${harmless(proofLine(strength, words))}`;
      return strength === "weak" ? style.yellow(line) : style.dim(line);
    }),
    ...(landing.pushed?.said ?? []).map((line) => `  ${harmless(line)}`),
  ],
  note: ({ outcome, pushed, land: task }) => {
    if (outcome === "would-land") return "Nothing was changed.";
    if (outcome !== "pushed") return "";
    return `Open a review of ${pushed?.branch} into ${pushed?.into}. ${task} stays open until it is merged. Then pull, and land it here to prove it.`;
  },
  next: ({ outcome, feature }) =>
    outcome === "would-land" || outcome === "pushed" ? [step("land", { reference: feature })] : [step("next")],
  reports: ["check-failed"],
  problems: ({ failed = [] }: { readonly failed?: readonly CheckResult[] }, style) => [
    ...failed.map((check) => checkLines(check, style)),
    `${style.red("✗")} Nothing has landed: ${plural(failed.length, "check")} failed on the main branch with the feature merged.`,
  ],
});

/** Says which branch moves, and what was accepted with a weak proof. */
async function confirmLanding(session: Session, services: EngineServices, asked: Infer<typeof input>) {
  const { reference, pr = false } = asked;
  const { branch, weak } = await landingOutlook(services, reference);
  const what = pr ? "Push its branch for a review" : `Merge it into ${branch ?? "the main branch"}`;
  const proof = weak.length === 0 ? "" : ` (${WEAK_PROOF}: ${idList(weak)})`;
  return sure(session, {
    question: `${reference}: ${what}${proof}?`,
    unanswered: `Landing ${reference} needs confirmation.`,
    confirmed: step("land", { reference, ...(pr && { pr }), yes: true }),
    instead: step("land", { reference, dryRun: true }),
  });
}

const proofLine = (strength: string, words: string): string => (words === "" ? strength : `${strength} (${words})`);

const HEADLINES: Readonly<Record<Landing["outcome"], (landing: Landing, style: Style) => string>> = {
  landed: ({ feature, branch, proof }, style) =>
    `${style.green("✓")} ${style.bold(feature)} has landed on ${harmless(branch ?? "the main branch")}: ${harmless(proof)}`,
  "already-landed": ({ feature, proof }, style) =>
    `${style.green("✓")} ${style.bold(feature)} is already merged: ${harmless(proof)}`,
  "would-land": ({ feature, branch, commit, proof }, style) =>
    `${style.yellow("…")} ${style.bold(feature)} would land on ${branch} as ${commit?.slice(0, 10)}: ${harmless(proof)}`,
  pushed: ({ pushed }, style) =>
    `${style.green("↑")} ${harmless(pushed?.branch ?? "")} is on ${pushed?.remote} (${harmless(pushed?.url ?? "")})`,
};
