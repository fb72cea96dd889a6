// Operations on single nodes: their content, their place, what they depend on.

import * as z from "zod/mini";
import { comment as addComment } from "../../../actions/node/comment.js";
import { edit as editNode, type NodePatch } from "../../../actions/node/edit.js";
import { readFocus, setFocus } from "../../../actions/node/focus.js";
import { gate as addGate } from "../../../actions/node/gate.js";
import { label as labelNodes } from "../../../actions/node/label.js";
import { link as linkNode } from "../../../actions/node/link.js";
import { move as moveNodes } from "../../../actions/node/move.js";
import { promote as promoteNote } from "../../../actions/node/promote.js";
import { unlink as unlinkNode } from "../../../actions/node/unlink.js";
import { labelProblem } from "../../../model/item/comment.js";
import * as content from "../../content.js";
import { operation } from "../../operation.js";
import { choice, field, filled, flag, input, judged, list, node, nodes, optional } from "../../schema.js";

const CLEARABLE = [
  "body",
  "files",
  "symbols",
  "checks",
  "profile",
  "priority",
  "estimate",
  "attempts",
  "replans",
] as const;

const emptiable = <T extends z.ZodMiniType>(schema: T) => optional(z.nullable(schema));

const fields = () =>
  input({
    reference: node("the node"),
    title: optional(content.title("what is to be done")),
    kind: optional(content.kind()),
    body: emptiable(content.body()),
    files: emptiable(content.files("a file that it will touch; replaces the list")),
    symbols: emptiable(content.symbols("a symbol that it will touch; replaces the list")),
    checks: emptiable(content.checks("a command that must pass; replaces the list")),
    profile: emptiable(content.profile()),
    priority: emptiable(content.priority()),
    estimateHours: emptiable(content.estimateHours()),
    attempts: emptiable(content.attemptLimit()),
    replans: emptiable(content.replans()),
    appendBody: optional(field(z.string(), { help: "add this to the body, on a new line", label: "TEXT" })),
    addFiles: optional(content.files("one more file that it will touch")),
    removeFiles: optional(content.files("a file that it will not touch")),
    addSymbols: optional(content.symbols("one more symbol that it will touch")),
    removeSymbols: optional(content.symbols("a symbol that it will not touch")),
    addChecks: optional(content.checks("one more command that must pass")),
    removeChecks: optional(content.checks("a command that need not pass")),
    clear: optional(list(choice(CLEARABLE, ""), "a field to empty", "FIELD")),
  });

const edit = operation({
  name: "edit",
  summary: "Change the content of a node",
  description:
    "Only the fields that are named change, so two people can edit one node at once. Null empties a field. If you edit approved content, its approval is stale: it does not run until a person approves it again. A finished node does not change.",
  who: "both",
  effect: "writes",
  input: () => fields().check(z.refine((given) => Object.keys(given).length > 1, "needs at least one thing to change")),
  examples: [
    {
      input: { reference: "TASK-00007", title: "Parse the config file", priority: 1 },
      does: "changes the title and the priority",
    },
    {
      input: { reference: "TASK-00007", addFiles: ["src/config.ts"], clear: ["estimate"] },
      does: "adds a file and empties the estimate",
    },
  ],
  run: (session, { reference, appendBody, clear = [], ...rest }) => {
    const { addFiles, removeFiles, addSymbols, removeSymbols, addChecks, removeChecks, ...set } = rest;
    const emptied = Object.fromEntries(clear.map((name) => [name === "estimate" ? "estimateHours" : name, null]));
    return editNode(session, {
      reference,
      set: { ...set, ...emptied } satisfies NodePatch,
      add: present({ files: addFiles, symbols: addSymbols, checks: addChecks }),
      remove: present({ files: removeFiles, symbols: removeSymbols, checks: removeChecks }),
      ...(appendBody === undefined ? {} : { appendBody }),
    });
  },
});

/** Without the fields that were not given. */
const present = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const move = operation({
  name: "move",
  summary: "Put nodes below another parent",
  description:
    "The parent must be of a higher tier. Everything below a node moves with it. Below a frozen parent it is frozen too, and in the inbox nothing runs. The parent is part of what was approved, so a person approves moved work again.",
  who: "both",
  effect: "writes",
  input: () => input({ references: nodes("a node"), to: node("the node that will contain them") }),
  examples: [
    { input: { references: ["TASK-00007", "TASK-00008"], to: "STORY-0002" }, does: "moves two tasks into a story" },
    { input: { references: ["STORY-0002"], to: "INBOX" }, does: "puts a story with its tasks back into the inbox" },
  ],
  run: moveNodes,
});

const ends = {
  reference: node("the node"),
  on: optional(content.references("a node that it depends on")),
  files: optional(content.files("a file that it will touch")),
  symbols: optional(content.symbols("a symbol that it will touch")),
};

const needsAnEnd = z.refine<object>(
  (given) => Object.keys(given).length > 1,
  "needs a node, a file or a symbol to link",
);

const link = operation({
  name: "link",
  summary: "Add dependencies, files or symbols to a node",
  description:
    "A dependency is met when the other node is done and accepted, or waived. The kind of work follows from the files unless a profile is given.",
  who: "both",
  effect: "writes",
  input: () => input({ ...ends, profile: optional(content.profile()) }).check(needsAnEnd),
  examples: [
    { input: { reference: "TASK-00008", on: ["TASK-00007"] }, does: "makes TASK-00008 wait for TASK-00007" },
    {
      input: { reference: "TASK-00008", files: ["src/config.ts"], symbols: ["parseConfig"] },
      does: "adds to its footprint",
    },
  ],
  run: linkNode,
});

const unlink = operation({
  name: "unlink",
  summary: "Remove dependencies, files or symbols from a node",
  who: "both",
  effect: "writes",
  input: () => input(ends).check(needsAnEnd),
  examples: [
    { input: { reference: "TASK-00008", on: ["TASK-00007"] }, does: "TASK-00008 no longer waits for TASK-00007" },
  ],
  run: unlinkNode,
});

const gate = operation({
  name: "gate",
  summary: "Block work until a manual step is done",
  description:
    "A gate is something that only a person can do: sign a contract, create an account, decide. The tasks behind it can be claimed as soon as a person completes it. A gate that a person adds is approved at once, and tasks that were approved stay approved.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      title: content.title("what the person has to do"),
      before: nodes("a task that waits for it"),
      body: optional(content.body()),
      approve: optional(flag("approve the tasks in the same operation")),
    }),
  examples: [
    { input: { title: "Get an API key", before: ["TASK-00007"] }, does: "TASK-00007 waits until a person has the key" },
    {
      input: { title: "Sign the contract", before: ["TASK-00007", "TASK-00008"], approve: true },
      does: "both tasks run as soon as it is signed",
    },
  ],
  run: addGate,
});

const focus = operation({
  name: "focus",
  summary: "Show or set where you are working",
  description:
    "Every actor has a focus. A person's next task comes from there first, and --active, --story and --feature stand for it and for what is around it.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      reference: optional(node("the node to focus on")),
      clear: optional(flag("clear the focus")),
    }).check(
      z.refine(({ reference, clear }) => reference === undefined || !clear, {
        error: "cannot be combined with a node",
        path: ["clear"],
      }),
    ),
  examples: [
    { input: { reference: "FEAT-001" }, does: "focuses on a feature" },
    { input: {}, does: "shows the focus" },
  ],
  run: (session, { reference, clear }) => {
    if (clear) return setFocus(session, null);
    return reference === undefined ? readFocus(session) : setFocus(session, reference);
  },
});

const comment = operation({
  name: "comment",
  summary: "Add a comment to a node",
  description: "A comment is not part of what was approved. It can be added to a finished node too.",
  who: "both",
  effect: "writes",
  input: () => input({ reference: node("the node"), text: filled("what you want to say") }),
  examples: [
    { input: { reference: "TASK-00007", text: "The API returns 404 here" }, does: "adds a comment to the task" },
  ],
  run: addComment,
});

const oneLabel = z.string().check(judged(labelProblem));

const label = operation({
  name: "label",
  summary: "Add labels to nodes, or remove them",
  description: "Labels sort nodes. They are not part of what was approved.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      references: nodes("a node"),
      add: optional(list(oneLabel, "a label to add", "LABEL")),
      remove: optional(list(oneLabel, "a label to remove", "LABEL")),
    }).check(z.refine((given) => Object.keys(given).length > 1, "needs a label to add or to remove")),
  examples: [
    { input: { references: ["TASK-00007", "TASK-00008"], add: ["ui"] }, does: "labels two tasks" },
    { input: { references: ["TASK-00007"], remove: ["ui"] }, does: "removes a label" },
  ],
  run: labelNodes,
});

const promote = operation({
  name: "promote",
  summary: "Add a discovery to a node above your task",
  description:
    "The discovery comes from the task in focus unless you name another. It is added two levels above the task unless you name a node.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      note: filled("what was found out", "NOTE"),
      from: optional(node("the task where it was found")),
      to: optional(node("a node that contains the task")),
    }),
  examples: [
    { input: { note: "the token expires after 5 minutes" }, does: "adds the discovery to the feature of your task" },
  ],
  run: promoteNote,
});

export const nodeOperations = { edit, move, link, unlink, gate, focus, comment, label, promote };
