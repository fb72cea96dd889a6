// What some words mean, as a command.

import { spellWords } from "../../../../app/command-line.js";
import type { ViewOf } from "../../view.js";

/** Shown only with --dry-run: otherwise the command itself answers. */
const route: ViewOf<"route"> = {
  flags: { "dry-run": "only show the command that the words mean" },
  text: ({ words }) => spellWords(words),
};

export const routeViews = { route };
