import { answer as giveAnswer } from "../../../actions/question/answer.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";
import { notes, undoNote } from "../render-change.js";
import { harmless } from "../style.js";

export const answer: Command = {
  name: "answer",
  group: "deciding",
  summary: "Answer a question that waits for a person",
  description:
    "A person's verb. The option is given by its id, its number, or the beginning of its label; a question without options takes your own words. A question whose time is over can still be answered. An answer about a task (reset, accept, drop, split, linear) is carried out in the same operation; accept needs --note, which is recorded as the reason.",
  arguments: [
    { name: "ID", help: "such as ESC-001" },
    { name: "OPTION", help: "the option, or the answer in your own words", many: true },
  ],
  flags: { note: { type: "string", value: "TEXT", help: "what whoever asked should know besides" } },
  examples: [
    { run: "planwright answer ESC-001 sqlite", does: "chooses the option with that id" },
    { run: "planwright answer ESC-002 split", does: "makes and approves the parts that a worker proposed" },
    { run: 'planwright answer ESC-001 2 --note "only for now"', does: "chooses the second one, with a remark" },
  ],
  run: async (input, app) => {
    const [id = "", ...words] = input.args;
    const asked = { id, option: words.join(" "), ...optional("note", input.text("note")) };
    const given = await giveAnswer(await app.open(), asked);
    if (!given.ok) return given;
    const { op, label, expired, did, next, blocks } = given.value;
    return ok({
      data: given.value,
      text: (style) => `${style.green("✓")} ${style.bold(given.value.id)}  ${harmless(label)}`,
      note: () =>
        notes(
          expired ? "Its time was over already; your answer counts all the same if nobody has gone on without it." : "",
          did === null ? "" : `${did}.`,
          next === null
            ? did === null && blocks.length > 0
              ? `It held up ${blocks.join(", ")}.`
              : ""
            : `To go on: ${next}`,
          undoNote(op),
        ),
    });
  },
};
