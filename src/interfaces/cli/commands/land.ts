import { ok, type Result, refused, usage } from "../../../app/vocabulary.js";
import type { Landing } from "../../../execution/landing/land.js";
import type { CheckResult } from "../../../graph/node/node.js";
import type { Failure } from "../../../graph/result.js";
import type { Answer, App, Command, Input, Style } from "../command.js";
import { optional } from "../input.js";
import { harmless } from "../style.js";

export const land: Command = {
  name: "land",
  group: "deciding",
  summary: "Merge a finished feature into the main branch, proven on the result",
  description: [
    "All tasks of the feature have to be done or waived. Its branch is merged with the main branch as it is now, in memory; every check of",
    "its tasks and every requirement with a measuring command runs on the result, in a worktree that is thrown away; then the main branch",
    "moves, once, as one merge commit, together with the folder where it is checked out. Whatever stands against it, uncommitted changes, a",
    "conflict, a red check, leaves the main branch exactly as it was and is named. A feature that was merged elsewhere, squashed or not, is",
    "proven from the main branch instead. It is a person's verb; at level auto the daemon does it.",
  ].join("\n"),
  arguments: [{ name: "FEATURE", help: "the feature, or its land task", reference: true }],
  flags: {
    "dry-run": { type: "boolean", help: "show the proof; change nothing" },
    pr: { type: "boolean", help: "push the branch for a review instead of merging; the land task stays open" },
    remote: { type: "string", value: "NAME", help: "where --pr pushes to; otherwise where git would" },
    yes: { type: "boolean", short: "y", help: "do not ask" },
  },
  examples: [
    { run: "planwright land FEAT-001 --dry-run", does: "merges and checks it aside, and shows what came of it" },
    { run: "planwright land FEAT-001", does: "asks, then lands it" },
    { run: "planwright land FEAT-001 --pr --remote origin --yes", does: "pushes its branch for a review" },
  ],
  run: async (input, app) => {
    if (input.has("remote") && !input.has("pr")) {
      return usage("usage", "--remote says where --pr pushes to, so it needs --pr.", {
        hint: "`planwright land --help` shows how.",
      });
    }
    const workshop = (await app.engines()).workshop();
    if (!workshop.ok) return workshop;
    const sure = await isSure(input, app);
    if (!sure.ok) return sure;
    const landed = await workshop.value.land(input.args[0] as string, {
      dryRun: input.has("dry-run"),
      pr: input.has("pr"),
      ...optional("remote", input.text("remote")),
      signal: app.interrupted(),
      onEvent: (event) => {
        if (input.json) return;
        if (event.type === "line") app.progress(`${app.style.dim(harmless(event.line))}\n`);
        if (event.type === "notice") app.progress(`${harmless(event.text)}\n`);
      },
    });
    if (landed.ok) return ok(answer(landed.value));
    if (!input.json) app.progress(whatFailed(landed.error, app.style));
    return landed;
  },
};

async function isSure(input: Input, app: App): Promise<Result<void>> {
  if (input.has("dry-run") || input.has("yes")) return ok(undefined);
  const [feature = ""] = input.args;
  const deed = input.has("pr") ? "Push its branch for a review" : "Merge it into the main branch";
  if (!app.interactive || input.json) {
    return refused("needs-yes", `Landing ${feature} needs a yes, and nobody is here to give it.`, {
      hint: `planwright land ${feature} --yes; with --dry-run it only shows the proof.`,
    });
  }
  const { askYes } = await import("../ask.js");
  if (await askYes(`${harmless(feature)}: ${deed}?`)) return ok(undefined);
  return refused("declined", "Nothing was changed.", { hint: `planwright land ${feature} --dry-run shows the proof.` });
}

const KEPT_LINES = 10;

function whatFailed({ details }: Failure, style: Style): string {
  const failed = (details?.["failed"] ?? []) as readonly CheckResult[];
  return failed.map((check) => `${checkLines(check, style)}\n`).join("");
}

function checkLines({ run, passed, outcome, output }: CheckResult, style: Style): string {
  const head = `  ${passed ? style.green("✓") : style.red("✗")} ${harmless(run)} ${style.dim(`(${outcome})`)}`;
  if (passed) return head;
  const tail = harmless(output).trimEnd().split("\n").slice(-KEPT_LINES);
  return [head, ...tail.map((line) => `      ${style.dim(line)}`)].join("\n");
}

const answer = (landing: Landing): Answer => ({
  data: landing,
  text: (style) =>
    [
      HEADLINES[landing.outcome](landing, style),
      ...[...landing.checks, ...landing.requirements].map((check) => checkLines(check, style)),
      ...(landing.pushed?.said ?? []).map((line) => `  ${harmless(line)}`),
    ].join("\n"),
  note: () => NEXT[landing.outcome](landing),
});

type Words = (landing: Landing, style: Style) => string;

const HEADLINES: Readonly<Record<Landing["outcome"], Words>> = {
  landed: ({ feature, proof }, style) => `${style.green("✓")} ${style.bold(feature)} has landed: ${harmless(proof)}`,
  there: ({ feature, proof }, style) => `${style.green("✓")} ${style.bold(feature)} is there: ${harmless(proof)}`,
  "would-land": ({ feature, branch, commit, proof }, style) =>
    `${style.yellow("…")} ${style.bold(feature)} would land on ${branch} as ${commit?.slice(0, 10)}: ${harmless(proof)}`,
  pushed: ({ pushed }, style) =>
    `${style.green("↑")} ${harmless(pushed?.branch ?? "")} is on ${pushed?.remote} (${harmless(pushed?.url ?? "")})`,
};

const NEXT: Readonly<Record<Landing["outcome"], (landing: Landing) => string>> = {
  landed: ({ branch }) => `git log -1 ${branch}   shows the merge; planwright next   claims what waited for it`,
  there: () => "planwright next   claims what waited for it",
  "would-land": ({ feature }) => `Nothing was changed. planwright land ${feature}   lands it`,
  pushed: ({ feature, land: task, pushed }) =>
    [
      `Open a review of ${pushed?.branch} into ${pushed?.into} there. ${task} stays open until it is merged:`,
      `git pull, then planwright land ${feature}   proves it`,
    ].join("\n"),
};
