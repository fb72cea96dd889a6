// Views of what triage suggests, and of what it did.

import type { Triaged, TriageView } from "../../../../actions/question/triage.js";
import { harmless } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import { type Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const questionTriage: ViewOf<"question.triage"> = {
  text: (views, style) =>
    views.length === 0
      ? style.dim("No question of execution is open.")
      : views.map((view) => render(view, style)).join("\n\n"),
  next: (views) => {
    const first = views.find(({ proof }) => proof !== null) ?? views[0];
    return first ? [first.next] : [];
  },
};

function render({ id, question, bucket, verb, proof, why }: TriageView, style: Style): string {
  const mark = proof === null ? style.yellow("?") : style.green("→");
  const proves = proof === null ? "you decide" : `proof: ${proof}`;
  return [
    `${mark} ${style.bold(id)}  ${harmless(question)}`,
    `  ${bucket}: ${verb}  ${style.dim(`(${proves})`)}`,
    `  ${style.dim(harmless(why))}`,
  ].join("\n");
}

const DID: Readonly<Record<Triaged["verb"], string>> = {
  withdraw: "withdrawn",
  accept: "accepted",
  reset: "reset",
  answer: "answered",
  replan: "planned again",
};

const questionConfirm: ViewOf<"question.confirm"> = {
  text: ({ id, about, verb, proof, seen }, style) => {
    const what = verb === "withdraw" ? `${id} is withdrawn` : `${about ?? ""} is ${DID[verb]}`;
    return `${style.green("✓")} ${style.bold(id)}  ${what}\n  ${style.dim(`${proof}: ${harmless(seen)}`)}`;
  },
  next: ({ op }) => (op === null ? [] : [step("undo", { operation: op })]),
};

export const triageViews = { "question.triage": questionTriage, "question.confirm": questionConfirm };
