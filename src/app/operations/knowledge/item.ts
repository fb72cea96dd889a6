// Operations on lessons, which later plans and tasks may need, and on artifacts, which planning runs produced.

import { approveLessons, forgetLesson, memories, remember, searchMemories } from "../../../actions/item/memory.js";
import { ARTIFACT_KINDS } from "../../../model/item/artifact.js";
import { operation } from "../../operation.js";
import { allOf, choice, filled, input, key, list, node, optional } from "../../schema.js";

const lessons = operation({
  name: "memory.list",
  summary: "List the lessons that are kept",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists every lesson" }],
  run: memories,
});

const add = operation({
  name: "memory.add",
  summary: "Keep a lesson for later plans and tasks",
  description:
    "What an agent adds is a proposal until you approve it. Lessons go into the prompts and bundles of work that they are about, within a limit of tokens. Archiving a feature keeps what was learnt in it.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      text: filled("the lesson"),
      keywords: optional(list(filled(""), "a word that finds it; taken from the text unless given", "WORD")),
      in: optional(node("the feature that it is about, or a node in it")),
    }),
  examples: [{ input: { text: "The API allows 10 calls a second", keywords: ["api"] }, does: "keeps a lesson" }],
  run: remember,
});

const approve = operation({
  name: "memory.approve",
  summary: "Approve lessons that agents proposed",
  description: "An agent's lesson goes into no prompt and no bundle before you approve it.",
  who: "person",
  effect: "writes",
  input: () => input({ ids: allOf(key("memory", "a lesson, such as MEM-001", "ID")) }),
  examples: [{ input: { ids: ["MEM-001"] }, does: "keeps the lesson for later plans and tasks" }],
  run: approveLessons,
});

const search = operation({
  name: "memory.search",
  summary: "Find lessons, the most relevant first",
  who: "both",
  effect: "reads",
  input: () => input({ text: filled("the words to look for") }),
  examples: [{ input: { text: "rate limit" }, does: "lists the lessons about it" }],
  run: searchMemories,
});

const forget = operation({
  name: "memory.forget",
  summary: "Leave lessons out of prompts and bundles from now on",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () => input({ ids: allOf(key("memory", "a lesson, such as MEM-001", "ID")) }),
  examples: [{ input: { ids: ["MEM-001"] }, does: "forgets one lesson" }],
  run: forgetLesson,
});

const artifacts = operation({
  name: "artifact.list",
  summary: "List what planning runs produced",
  description:
    "Specs, maps, drafts, findings and plans, each with its round. An artifact is stale when something that it was made from was replaced, or when the spec's file has changed.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      node: optional(node("only of the runs that planned this node, or are planning it")),
      run: optional(key("run", "only of this planning run", "RUN")),
      kind: optional(choice(ARTIFACT_KINDS, "only this kind", "KIND")),
    }),
  examples: [
    { input: { node: "FEAT-001" }, does: "lists the spec, the drafts, the reviews and the plan of a feature" },
    { input: { run: "RUN-001" }, does: "lists what one run made, in order" },
    { input: { kind: "findings" }, does: "lists all findings" },
  ],
  run: async (context, asked) =>
    (await import("../../../actions/item/list-artifacts.js")).listArtifacts(context, asked),
});

export const itemOperations = {
  "memory.list": lessons,
  "memory.add": add,
  "memory.approve": approve,
  "memory.search": search,
  "memory.forget": forget,
  "artifact.list": artifacts,
};
