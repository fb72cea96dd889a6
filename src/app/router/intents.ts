// The words for operations: one table for the router, which acts on a sentence, and for "did you mean", which only suggests.

import type { OperationName } from "../../model/operation-names.js";
import { SPELLINGS } from "../command-line.js";

/** With the work named after it, so that "work on" is no second intent. */
const CONTINUE = ["resume", "continue"].flatMap((verb) => [`${verb} work on`, `${verb} working on`]);

const WAITING = ["whats waiting", "what's waiting", "what is waiting"];

/** The operations that the router knows, with the phrases that ask for each. A phrase in a longer one does not count. */
const PHRASES: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  init: ["bootstrap", "set up the plan", "set up a plan", "setup the plan", "init plan", "init the plan", "new plan"],
  "plan.start": ["plan"],
  expand: [
    "expand",
    "decompose",
    "break down",
    "break up",
    "drill down",
    "drill into",
    "split into stories",
    "split into tasks",
    "split in stories",
    "split in tasks",
    "split up",
    "flesh out",
  ],
  next: [
    "next",
    "next task",
    "next one",
    "the next one",
    "what's next",
    "what is next",
    "whats next",
    "what comes next",
    "claim next",
    "claim the next",
    "dispatch next",
    "pick up",
    "give me work",
    "give me a task",
    "give me the next",
    "gimme the next",
    "gimme a task",
    "what should i do next",
    "what do i do next",
    "what shall i do next",
  ],
  status: [
    "status",
    "tree",
    "render",
    "show plan",
    "show the plan",
    "show me the plan",
    "where are we",
    "progress",
    "how far are we",
    "how are we doing",
  ],
  replan: ["replan", "rework", "redo plan", "redo the plan", "discard plan", "discard the plan", "change plan"],
  promote: ["promote", "surface", "bubble up", "elevate", "discovery", "insight up"],
  archive: ["archive", "compress", "wrap up", "finalize feature", "finalize", "finalise", "close out"],
  undo: [
    "undo",
    "undo the last thing",
    "undo the last change",
    "rollback",
    "roll back",
    "revert",
    "restore",
    "step back",
    "take back",
  ],
  freeze: ["freeze", "pause", "halt", "park", "block", "stop work on", "stop working on", "put on hold"],
  thaw: ["thaw", "unfreeze", "resume", "continue", "unblock", "unpause", "unpark", "defrost", ...CONTINUE],
  "conflicts.list": [
    "conflict",
    "collision",
    "overlap",
    "incompatible",
    "conflicts list",
    "list conflicts",
    "are there conflicts",
    "are there any conflicts",
  ],
  "conflicts.check": ["conflict check", "conflicts check", "check for conflicts", "conflicts in", "conflicts with"],
  approve: ["approve", "sign off", "sign off on", "give the go ahead"],
  land: ["land", "merge", "ship"],
  why: ["why", "explain", "what blocks", "what's blocking", "what is blocking", "what holds", "what's holding"],
  show: ["show", "show me", "tell me about"],
  run: ["run", "execute", "start the agents", "let the agents work", "run the plan"],
  "work.start": ["work on", "start working on", "let me work on"],
  list: ["list", "list tasks", "list all tasks", "show tasks", "show all tasks", "all tasks"],
  search: ["search", "search for", "look for", "find"],
  reset: ["reset"],
  "question.list": ["questions", "open questions", "what do you need from me", "what needs me", ...WAITING],
  complete: ["complete", "mark as done", "mark done"],
  log: ["log", "what happened"],
};

/** What else one word may stand for: only ever suggested. */
const HINTS: Readonly<Record<string, readonly OperationName[]>> = {
  accept: ["accept"],
  allow: ["approve"],
  blame: ["why"],
  bugs: ["list"],
  change: ["edit"],
  claim: ["next", "claim.list"],
  clear: ["approve"],
  close: ["complete", "archive"],
  commit: ["complete"],
  continue: ["thaw", "plan.resume"],
  create: ["add"],
  done: ["complete"],
  finish: ["complete"],
  get: ["show"],
  go: ["run"],
  history: ["log"],
  ls: ["list"],
  modify: ["edit"],
  new: ["add", "plan.start"],
  query: ["search"],
  rename: ["edit"],
  resume: ["thaw", "plan.resume"],
  rework: ["plan.revise"],
  setup: ["init"],
  stop: ["freeze", "daemon.stop"],
  todo: ["list"],
  unblock: ["thaw", "why"],
  update: ["edit"],
  view: ["show"],
};

export interface Phrase {
  readonly words: readonly string[];
  readonly operation: OperationName;
}

/** The name of a command wins over the same word as a phrase: `restore` restores, although it may also mean undo. */
const commandNamed = (phrase: string): OperationName | undefined =>
  SPELLINGS.find(({ words, hidden }) => !hidden && words === phrase)?.operation;

/** The longest first. */
export const ALL_PHRASES: readonly Phrase[] = Object.entries(PHRASES)
  .flatMap(([operation, phrases]) =>
    phrases.map((phrase) => ({
      words: phrase.split(" "),
      operation: commandNamed(phrase) ?? (operation as OperationName),
    })),
  )
  .sort((a, b) => b.words.length - a.words.length);

/** The verb by which people know an operation: the first phrase that is given for it. */
export const verbOf = (operation: OperationName): string => PHRASES[operation]?.[0] ?? operation;

/** The verbs that the router knows, listed when it did not understand you. */
export const VERBS: readonly string[] = Object.values(PHRASES).flatMap((phrases) => phrases?.slice(0, 1) ?? []);

/** The operations that a single word may stand for, the likeliest first. */
export function operationsFor(word: string): readonly OperationName[] {
  if (Object.hasOwn(HINTS, word)) return HINTS[word] ?? [];
  const whole = ALL_PHRASES.find(({ words }) => words.length === 1 && words[0] === word);
  if (whole) return [whole.operation];
  const begun = ALL_PHRASES.filter(({ words }) => words[0] === word).map(({ operation }) => operation);
  return [...new Set(begun)].slice(0, 2);
}
