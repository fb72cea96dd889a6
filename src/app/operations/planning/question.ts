// Operations on questions that wait for a person.

import { type Answered, answer as answerQuestion, previewAnswer } from "../../../actions/question/answer.js";
import { listQuestions } from "../../../actions/question/list-questions.js";
import { step } from "../../../model/next-step.js";
import type { Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { filled, flag, input, key, optional } from "../../schema.js";

const questions = operation({
  name: "question.list",
  summary: "List the questions that wait for you, the oldest first",
  description: "Each question shows its options, the recommended one, when it expires, and what waits for it.",
  who: "both",
  effect: "reads",
  input: () => input({ all: optional(flag("also those that were answered or withdrawn")) }),
  examples: [{ input: {}, does: "lists what is open, and how to answer" }],
  run: listQuestions,
});

const answer = operation({
  name: "question.answer",
  summary: "Answer a question",
  description:
    "Name the option by its id, its number or the beginning of its label. A question without options takes your own words. You can still answer a question that has expired. An answer about a task (reset, accept, drop, split, linear) is carried out in the same operation. Accepting needs a note, which is recorded as the reason. An answer that approves new tasks shows them first, whole, and asks.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      id: key("escalation", "the question, such as ESC-001", "ID"),
      option: filled("the option, or the answer in your own words", "OPTION"),
      note: optional(filled("what else the asker should know")),
      seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
      yes: optional(flag("approve new tasks without showing a preview and asking")),
    }),
  examples: [
    { input: { id: "ESC-001", option: "sqlite" }, does: "chooses the option with that id" },
    { input: { id: "ESC-002", option: "split" }, does: "makes and approves the parts that a worker proposed" },
    { input: { id: "ESC-001", option: "2", note: "only for now" }, does: "chooses the second option, with a note" },
  ],
  run: async (session, asked): Promise<Result<Answered>> => {
    const { confirmApproval } = await import("../../consent/confirm-approval.js");
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
});

export const questionOperations = { "question.list": questions, "question.answer": answer };
