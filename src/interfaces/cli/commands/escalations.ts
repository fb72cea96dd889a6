import { escalations as listEscalations } from "../../../actions/question/list-questions.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { answerHint, renderEscalation } from "../render-item.js";

export const escalations: Command = {
  name: "escalations",
  group: "looking",
  summary: "Show the questions that wait for a person",
  description: "The oldest first, each with its options, what is recommended, until when, and what waits for it.",
  flags: { all: { type: "boolean", help: "also those that were answered or taken back" } },
  examples: [
    { run: "planwright escalations", does: "what is open, and how to answer" },
    { run: "planwright escalations --all --json", does: "all of them with their answers, as JSON" },
  ],
  run: async (input, app) => {
    const found = await listEscalations(await app.open(), { all: input.has("all") });
    if (!found.ok) return found;
    const first = found.value.find(({ state }) => state === "open");
    return ok({
      data: found.value,
      text: (style) =>
        found.value.length === 0
          ? style.dim("Nothing waits for an answer.")
          : found.value.map((asked) => renderEscalation(asked, style)).join("\n\n"),
      note: () => (first ? answerHint(first) : ""),
    });
  },
};
