import { answer as answerQuestion, previewAnswer } from "../../plan/answer/answer.js";
import { fields, filled, flag, harmless, inLine, key, optional, planVerb, step, undoStep } from "../kit/verb.js";
import { PREVIEW_REPORT } from "../text/preview-lines.js";

export const input = fields({
  id: key("question", "the question, such as ESC-001", "ID"),
  option: filled("the option, or the answer in your own words", "OPTION"),
  note: optional(filled("what else the asker should know")),
  seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
  yes: optional(flag("approve new tasks without showing a preview and asking")),
});

export const verb = planVerb({
  command: { words: "question answer", group: "decide", positional: ["id", "option"], aliases: ["answer"] },
  summary: "Answer a question",
  description:
    "Name the option by its id, its number or the beginning of its label. A question without options takes your own words. You can still answer a question that has expired. An answer about a task (reset, accept, drop, split, linear) is carried out in the same operation. Accepting needs a note, which is recorded as the reason. An answer that approves new tasks shows them first, whole, and asks.",
  who: "person",
  effect: "writes",
  tools: [{ tool: "decide", action: "answer", fields: ["id", "option", "note"] }],
  input,
  examples: [
    { input: { id: "ESC-001", option: "sqlite" }, does: "chooses the option with that id" },
    { input: { id: "ESC-002", option: "split" }, does: "makes and approves the parts that a worker proposed" },
    { input: { id: "ESC-001", option: "2", note: "only for now" }, does: "chooses the second option, with a note" },
  ],
  run: async (session, asked) => {
    const { confirmApproval } = await import("../consent/confirm-approval.js");
    const { yes: _, ...again } = asked;
    const seen = await confirmApproval(session, {
      consent: asked,
      preview: (settings) => previewAnswer(session, asked, settings),
      needsYes: ({ nodes }) => nodes.length > 0,
      question: `Answer ${asked.id} with "${asked.option}" and approve this?`,
      withSeen: (hash) => step("question.answer", { ...again, seen: hash }),
    });
    return seen.ok ? answerQuestion(session, asked, seen.value) : seen;
  },
  text: ({ id, label, note }, style) =>
    `${style.green("✓")} ${style.bold(id)}  ${harmless(label)}${note === "" ? "" : `: ${inLine(note)}`}`,
  note: ({ expired, did, next, blocks }) => [
    expired && "The question had expired. Your answer still counts unless the work went on without it.",
    did !== null && `${did}.`,
    did === null && next.length === 0 && blocks.length > 0 && `It held up ${blocks.join(", ")}.`,
  ],
  next: ({ next, op }) => [...next, ...undoStep(op)],
  ...PREVIEW_REPORT,
});
