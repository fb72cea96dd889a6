// Whether the texts say what has to be done. A worker sees only its task and cannot ask.

import { nodesOf } from "../contracts/plan-draft.js";
import { type LintRule, quoted } from "./context.js";
import { finding } from "./rules.js";

/** Words in capitals are meant as marks; "a todo list" is not. */
const OPEN: readonly RegExp[] = [
  /\b(TBD|FIXME|XXX)\b/,
  /\bTODO\b(?!\.\w|[ -]?(list|item|app|entr|comment|file))/,
  /\bto be (determined|decided|defined|confirmed|announced)\b/i,
  /\b(lorem ipsum|placeholder text|fill (this|me) in|your (text|description) here)\b/i,
  /\betc\.?(?=[\s,;)]|$)/i,
  /\b(and so on|and so forth)\b/i,
  /\?\?\?|<(insert|placeholder|todo|tbd|your)[^>]*>/i,
  /\bas (needed|appropriate|necessary)\b/i,
];

const openWords = (text: string): string | undefined => {
  for (const pattern of OPEN) {
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  return undefined;
};

export const textsSayWhatToDo: LintRule = function* ({ draft }) {
  for (const { id, title, body } of nodesOf(draft)) {
    const words = openWords(title) ?? openWords(body);
    if (words === undefined) continue;
    yield finding("P-VAGUE", id, `${id} leaves something open: ${quoted(words)}.`, "Say what exactly has to be done.");
  }
  const whole = openWords(draft.overview) ?? openWords(draft.rollback);
  if (whole !== undefined) {
    yield finding(
      "P-VAGUE",
      "plan",
      `The overview leaves something open: ${quoted(whole)}.`,
      "Say what exactly is meant.",
    );
  }
};

export const textsAreTrimmed: LintRule = function* ({ draft }) {
  for (const { id, title, body } of nodesOf(draft)) {
    if (title === title.trim() && body === body.trimEnd()) continue;
    yield finding("P-SPACES", id, `The title or text of ${id} begins or ends with white space.`, "Take it out.", {
      fixable: true,
    });
  }
};
