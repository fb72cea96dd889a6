// Views of operations that carry the plan out.

import { harmless } from "../../../../app/text/harmless.js";
import { step, whyNoneBegins } from "../../../../app/vocabulary.js";
import type { Landing } from "../../../../engine/landing/land.js";
import type { RunPreview } from "../../../../engine/tick/preview-run.js";
import type { RunSummary } from "../../../../engine/tick/run-session.js";
import type { CheckResult } from "../../../../model/node/node.js";
import { RunProgress } from "../../live/run-progress.js";
import { checkLines } from "../../text/check-lines.js";
import { type Style } from "../../text/style.js";
import type { LiveDisplay, Terminal, ViewOf } from "../../view.js";

const run: ViewOf<"run"> = {
  live: (terminal) => new RunProgress(terminal),
  text: (outcome, style) => (outcome.preview ? previewOf(outcome.preview, style) : summaryOf(outcome, style)),
  note: ({ held }) => heldLines(held).join("\n"),
  next: ({ ended, landable, preview }) =>
    preview
      ? [step("run")]
      : [
          ...ended
            .filter(({ state }) => state === "pending")
            .map(({ task }) => step("accept", { references: [task] }, "reason")),
          ...(landable.length === 0 ? [step("status")] : landable.map((reference) => step("land", { reference }))),
        ],
  problems: (summary: RunSummary, style) => [summaryOf(summary, style), ...heldLines(summary.held)].join("\n"),
};

const HELD_SHOWN = 5;

const heldLines = (held: RunSummary["held"]): string[] => whyNoneBegins(held).slice(0, HELD_SHOWN);

function previewOf({ planned, more }: RunPreview, style: Style): string {
  const lines = planned.map(({ task, title, worker: { name, model }, after }) => {
    const who = model === null ? name : `${name} (${model})`;
    const then = after.length === 0 ? "" : style.dim(`  after ${after.join(", ")}`);
    return `${style.bold(task)}  ${harmless(title)}  ${style.cyan(who)}${then}`;
  });
  return [...lines, ...(more ? [style.dim("There are more ready tasks.")] : [])].join("\n");
}

function summaryOf({ ended, landed }: Pick<RunSummary, "ended" | "landed">, style: Style): string {
  const count = (state: string): number => ended.filter((each) => each.state === state).length;
  const parts = [...new Set(ended.map(({ state }) => state))].map((state) => `${count(state)} ${state}`);
  const tried = `${style.bold(String(ended.length))} ${ended.length === 1 ? "attempt" : "attempts"}: ${parts.join(", ")}.`;
  const onMain = landed.length === 0 ? "" : `Landed ${landed.join(", ")}.`;
  return [ended.length === 0 ? "" : tried, onMain].filter((part) => part !== "").join(" ");
}

/** What a program says while it works, one line each. */
export const lines = (terminal: Terminal): LiveDisplay => ({
  onEvent: (event) => {
    if (event.kind !== "engine") return;
    if (event.event.type === "line") terminal.progress(`${terminal.style.dim(harmless(event.event.line))}\n`);
    if (event.event.type === "notice") terminal.progress(`${harmless(event.event.text)}\n`);
  },
  close: () => undefined,
});

const land: ViewOf<"land"> = {
  live: lines,
  text: (landing, style) =>
    [
      HEADLINES[landing.outcome](landing, style),
      ...[...landing.checks, ...landing.requirements].map((check) => checkLines(check, style)),
      ...landing.proofs.map(
        ({ task, strength, words }) => `  ${style.dim(`${task}: ${harmless(proofLine(strength, words))}`)}`,
      ),
      ...(landing.pushed?.said ?? []).map((line) => `  ${harmless(line)}`),
    ].join("\n"),
  note: ({ outcome, pushed, land: task }) => {
    if (outcome === "would-land") return "Nothing was changed.";
    if (outcome !== "pushed") return "";
    return `Open a review of ${pushed?.branch} into ${pushed?.into}. ${task} stays open until it is merged. Then pull, and land it here to prove it.`;
  },
  next: ({ outcome, feature }) =>
    outcome === "would-land" || outcome === "pushed" ? [step("land", { reference: feature })] : [step("next")],
  problems: ({ failed = [] }: { readonly failed?: readonly CheckResult[] }, style) =>
    failed.map((check) => checkLines(check, style)).join("\n"),
};

const proofLine = (strength: string, words: string): string => (words === "" ? strength : `${strength} (${words})`);

const HEADLINES: Readonly<Record<Landing["outcome"], (landing: Landing, style: Style) => string>> = {
  landed: ({ feature, proof }, style) => `${style.green("✓")} ${style.bold(feature)} has landed: ${harmless(proof)}`,
  "already-landed": ({ feature, proof }, style) =>
    `${style.green("✓")} ${style.bold(feature)} is already merged: ${harmless(proof)}`,
  "would-land": ({ feature, branch, commit, proof }, style) =>
    `${style.yellow("…")} ${style.bold(feature)} would land on ${branch} as ${commit?.slice(0, 10)}: ${harmless(proof)}`,
  pushed: ({ pushed }, style) =>
    `${style.green("↑")} ${harmless(pushed?.branch ?? "")} is on ${pushed?.remote} (${harmless(pushed?.url ?? "")})`,
};

export const executionViews = { run, land };
