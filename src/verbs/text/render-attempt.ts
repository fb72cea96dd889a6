import { excerptOf } from "../../model/attempt/failure-view.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { AttemptLine, AttemptView } from "../../plan/attempt/list-attempts.js";
import type { Style } from "../kit/style.js";
import { durationText, harmless, type Line, minute, rows, second } from "../kit/wording.js";
import { checkMark, checkWords, failureText } from "./check-lines.js";

const STATE_WIDTH = "integrating".length + 1;

const WRONG: ReadonlySet<string> = new Set(["rejected", "failed", "lost"]);

export function attemptState({ state }: Pick<AttemptLine, "state">, style: Style): string {
  if (state === "accepted") return style.green(state);
  if (WRONG.has(state)) return style.red(state);
  return state === "released" ? style.dim(state) : style.yellow(state);
}

/** `whole`: with all that its checks said. */
export type ShownAttempt = AttemptView & { readonly whole?: boolean };

export function renderAttempt(view: ShownAttempt, style: Style): string {
  const steps = view.steps.map(
    ({ state, at, durationMs }) =>
      `    ${state.padEnd(STATE_WIDTH)}${second(at)}${durationMs === null ? "" : `  ${durationText(durationMs)}`}`,
  );
  const said = view.transcript?.last ?? [];
  return [
    `${style.bold(view.id)}  ${attemptState(view, style)}`,
    ...rows(attemptFacts(view), style),
    `  ${style.dim("states")}`,
    ...steps,
    ...renderChecks("checks", view.checks, view.whole, style),
    ...renderChecks("checks on the merged tree", view.mergedChecks, view.whole, style),
    ...renderReviews(view.reviews, style),
    ...(view.split === null ? [] : [`  ${style.dim("proposed parts")}`]),
    ...(view.split?.parts ?? []).map(({ title }, i) => `    ${i + 1}. ${harmless(title)}`),
    ...(said.length === 0 ? [] : [`  ${style.dim("last lines")}`, ...said.flatMap(indented)]),
  ].join("\n");
}

export function stepsAfter(view: ShownAttempt): NextStep[] {
  const { id, task, state, kept, endedAt, checks, mergedChecks, whole = false } = view;
  if (state === "pending") return [step("accept", { references: [task] }, "reason")];
  const more = !whole && [...checks, ...mergedChecks].some(hasFailed) ? [wholeOutput(id)] : [];
  if (kept !== null) return [...more, step("attempt.restore", { id })];
  return endedAt === null ? more : [...more, step("attempt.diff", { id })];
}

/** Where all of it is that a check said. */
export const wholeOutput = (id: string): NextStep => step("attempt.show", { id, output: true });

const indented = (text: string): string[] =>
  harmless(text)
    .trimEnd()
    .split("\n")
    .map((line) => `      ${line}`.trimEnd());

const FOLLOWS: Readonly<Record<NonNullable<AttemptView["failure"]>["action"], string>> = {
  retry: "tried again",
  "retry-with-failure": "tried once more, with what was wrong",
  replan: "you are asked whether to plan it again",
  freeze: "frozen, and you are asked",
  arbitrate: "tried again on top of what was in its way",
  park: "waits for you",
};

function attemptFacts(view: AttemptView): Line[] {
  const { worker, failure, changes, usage } = view;
  const model = worker.model === null ? "" : `, ${worker.model}`;
  const round = view.rounds === 0 ? "" : `, sent back ${view.rounds === 1 ? "once" : `${view.rounds} times`}`;
  const used = [
    ...(usage.inputTokens + usage.outputTokens > 0
      ? [`${usage.inputTokens} tokens in, ${usage.outputTokens} out`]
      : []),
    ...(usage.costUsd === null ? [] : [`$${usage.costUsd.toFixed(2)}`]),
  ];
  const again = failure?.notBefore == null ? "" : ` not before ${second(failure.notBefore)}`;
  return [
    ["task", `${view.task}, attempt ${view.number}${round}`],
    ["worker", `${worker.name} (${worker.kind}${model}), by ${view.by} in ${view.driver}`],
    ["took", durationText(view.durationMs)],
    ["used", used.join(", ")],
    ["failure", failure && `${failure.class}: ${failure.reason}`],
    ["then", failure && `${FOLLOWS[failure.action]}${again}`],
    ["note", view.note],
    ["worktree", view.worktree],
    ["branch", view.branch],
    ["base", view.base],
    ["commit", view.tip],
    ["merged", view.merged],
    ["kept", view.kept],
    ["created", changes && changes.created.join(", ")],
    ["modified", changes && changes.modified.join(", ")],
    ["deleted", changes && changes.deleted.join(", ")],
    ["outside", view.outside.length === 0 ? null : `of its footprint: ${view.outside.join(", ")}`],
    ["meanwhile", view.meanwhile.length === 0 ? null : `changed in the main checkout: ${view.meanwhile.join(", ")}`],
    ["bundle", view.bundle],
    ["transcript", view.transcript && view.transcript.file],
  ];
}

function renderReviews(reviews: AttemptView["reviews"], style: Style): string[] {
  return reviews.flatMap(({ by, at, findings, missing }) => [
    `  ${style.dim(`review by ${harmless(by)}, ${minute(at)}`)}`,
    ...(missing === null ? [] : [`    ${style.red("✗")} there was no review: ${harmless(missing)}`]),
    ...(missing === null && findings.length === 0 ? [`    ${style.green("✓")} nothing found`] : []),
    ...findings.map(({ severity, file, line, what }) => {
      const where = line === undefined ? file : `${file}:${line}`;
      return `    ${severity}  ${harmless(where)}  ${harmless(what)}`;
    }),
  ]);
}

function renderChecks(
  title: string,
  checks: AttemptView["checks"],
  whole: boolean | undefined,
  style: Style,
): string[] {
  if (checks.length === 0) return [];
  return [
    `  ${style.dim(title)}`,
    ...checks.flatMap((check) => [
      `    ${checkMark(check, style)} ${harmless(check.run)}  ${style.dim(`${checkWords(check)}, ${durationText(check.durationMs)}`)}`,
      ...(whole === true && check.output.trim() !== "" ? indented(check.output) : []),
      ...(whole === true || check.passed ? [] : failureText(excerptOf(check.output), style, "      ")),
    ]),
  ];
}
