// Operations on questions that wait for a person.

import { answer as answerQuestion } from "../../../actions/question/answer.js";
import { listQuestions } from "../../../actions/question/list-questions.js";
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
    "Name the option by its id, its number or the beginning of its label. A question without options takes your own words. You can still answer a question that has expired. An answer about a task (reset, accept, drop, split, linear) is carried out in the same operation. Accepting needs a note, which is recorded as the reason.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      id: key("escalation", "the question, such as ESC-001", "ID"),
      option: filled("the option, or the answer in your own words", "OPTION"),
      note: optional(filled("what else the asker should know")),
    }),
  examples: [
    { input: { id: "ESC-001", option: "sqlite" }, does: "chooses the option with that id" },
    { input: { id: "ESC-002", option: "split" }, does: "makes and approves the parts that a worker proposed" },
    { input: { id: "ESC-001", option: "2", note: "only for now" }, does: "chooses the second option, with a note" },
  ],
  run: answerQuestion,
});

export const questionOperations = { "question.list": questions, "question.answer": answer };
