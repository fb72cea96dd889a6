// The view of a proposed split.

import type { ViewOf } from "../../view.js";

const split: ViewOf<"split"> = {
  text: ({ id, question }, style) => `${style.yellow("?")} ${style.bold(id)}  ${question} asks whether to split it`,
  next: ({ next }) => next,
};

export const splitViews = { split };
