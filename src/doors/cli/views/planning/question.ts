// Views of questions that wait for a person.

import { harmless } from "../../../../app/text/harmless.js";
import { inLine } from "../../../../app/text/one-line.js";
import { answerStep } from "../../../../app/vocabulary.js";
import { notes, undoStep } from "../../text/ids.js";
import { PREVIEW_REPORT } from "../../text/preview-report.js";
import { renderEscalation } from "../../text/render-item.js";
import type { ViewOf } from "../../view.js";

const questions: ViewOf<"question.list"> = {
  text: (found, style) =>
    found.length === 0
      ? style.dim("No open questions.")
      : found.map((asked) => renderEscalation(asked, style)).join("\n\n"),
  next: (found) => {
    const first = found.find(({ state }) => state === "open");
    return first ? [answerStep(first.id, first.recommended)] : [];
  },
};

const answer: ViewOf<"question.answer"> = {
  text: ({ id, label, note }, style) =>
    `${style.green("✓")} ${style.bold(id)}  ${harmless(label)}${note === "" ? "" : `: ${inLine(note)}`}`,
  note: ({ expired, did, next, blocks }) =>
    notes(
      expired ? "The question had expired. Your answer still counts unless the work went on without it." : "",
      did === null ? "" : `${did}.`,
      did === null && next.length === 0 && blocks.length > 0 ? `It held up ${blocks.join(", ")}.` : "",
    ),
  next: ({ next, op }) => [...next, ...undoStep(op)],
  ...PREVIEW_REPORT,
};

export const questionViews = { "question.list": questions, "question.answer": answer };
