import { answerStep } from "../../model/item/question.js";
import type { NextStep } from "../../model/next-step.js";
import { listQuestions, type QuestionView } from "../../plan/answer/list-questions.js";
import { fields, flag, optional, planVerb, type Style, spoken, widest } from "../kit/verb.js";
import { block, harmless, head, type Line, linesOr, minute, rows, withinLine } from "../kit/wording.js";
import { wholeOutput } from "../text/render-attempt.js";

export const input = fields({ all: optional(flag("also those that were answered or withdrawn")) });

export const verb = planVerb({
  command: { words: "question", group: "decide", aliases: ["question list", "escalations"] },
  summary: "List the questions that wait for you, the oldest first",
  description: "Each question shows its options, the recommended one, when it expires, and what waits for it.",
  effect: "reads",
  lists: "question",
  phrases: spoken(
    "questions, open questions, what do you need from me, do you need anything from me, need from me, " +
      "what needs me, needs my attention, need my attention, need my input, needs my input, what's waiting, " +
      "what is waiting, waiting for me, waiting on me, have to decide, need to decide, should i decide, " +
      "must i decide, to decide, anything for me, waits for me, what do you want from me, decisions",
  ),
  emptyWords: "show list open me my i anything something pending there is",
  tools: [{ tool: "find", action: "questions", fields: ["all"], pages: "" }],
  input,
  examples: [{ input: {}, does: "lists what is open, and how to answer" }],
  run: listQuestions,
  text: linesOr("No open questions.", renderQuestion, "\n\n"),
  next: (found) => {
    const first = found.find(({ state }) => state === "open");
    return first ? [answerStep(first.id, first.recommended), ...attemptOf(first)] : [];
  },
});

/** What the question is about, whole. */
export const attemptOf = ({ attempt }: QuestionView): NextStep[] => (attempt === null ? [] : [wholeOutput(attempt)]);

export function renderQuestion(asked: QuestionView, style: Style): string {
  const width = widest(asked.options.map(({ id }) => id));
  const options = asked.options.map(({ id, label, detail }, i) => {
    const mark = id === asked.recommended ? style.green(" (recommended)") : "";
    const more = detail === "" ? "" : style.dim(`: ${withinLine(detail)}`);
    return `  ${style.dim(String(i + 1).padStart(2))} ${style.cyan(harmless(id).padEnd(width))}  ${harmless(label)}${mark}${more}`;
  });
  const label = asked.options.find(({ id }) => id === asked.answer?.option)?.label ?? asked.answer?.option;
  const note = asked.answer?.note ? ` (${asked.answer.note})` : "";
  const lines: Line[] = [
    ["asked by", `${asked.owner === "" ? asked.createdBy : asked.owner}, ${minute(asked.createdAt)}`],
    ["holds up", asked.blocks.join(", ")],
    [asked.expired ? "expired" : "expires", asked.expiresAt === null ? null : minute(asked.expiresAt)],
    ["triage", asked.suggestion?.sentence.replace(/^Triage suggests: /, "") ?? null],
    ["answer", asked.answer && `${label ?? ""}${note}, by ${asked.answer.by}, ${minute(asked.answer.at)}`],
  ];
  if (asked.withdrawnBecause !== undefined) lines.push(["withdrawn", asked.withdrawnBecause]);
  const state = asked.state === "open" ? style.yellow("?") : style.dim(asked.state === "answered" ? "✓" : "−");
  const title = `${state} ${head(asked.id, asked.question, style)}  ${style.dim(`${asked.state}, ${asked.kind}`)}`;
  return [title, ...options, ...rows(lines, style), ...block(asked.context)].join("\n");
}
