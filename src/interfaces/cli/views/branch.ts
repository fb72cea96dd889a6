// Views of operations on nodes together with everything below them.

import { step } from "../../../app/vocabulary.js";
import { endedLine, lineOf } from "../ids.js";
import { harmless } from "../style.js";
import type { ViewOf } from "../view.js";

export const freeze: ViewOf<"freeze"> = {
  text: ({ frozen, reason, released }, style) =>
    [
      ...lineOf(`${style.cyan("❄")} frozen`, frozen),
      `  ${style.dim("reason")} ${harmless(reason)}`,
      ...endedLine(released),
    ].join("\n"),
  next: ({ frozen, op }) => [step("thaw", { references: frozen.slice(0, 1) }), step("undo", { operation: op })],
};
