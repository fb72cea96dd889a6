// Operations on nodes together with everything below them.

import { freeze as freezeNodes } from "../../actions/branch/freeze.js";
import { operation } from "../operation.js";
import { filled, input, nodes, optional } from "../schema.js";

export const freeze = operation({
  name: "freeze",
  summary: "Stop nodes and everything below them, with a reason",
  description:
    "Finished nodes stay as they are, and nodes that were frozen before keep their own reason. A worker who holds a task below loses the claim.",
  who: "both",
  effect: "writes",
  input: input({
    references: nodes("a node; everything below it is frozen too"),
    reason: optional(filled("why; shown wherever the status is shown")),
  }),
  examples: [
    { input: { references: ["STORY-0001"], reason: "the API is changing" }, does: "stops the story and its tasks" },
  ],
  run: freezeNodes,
});
