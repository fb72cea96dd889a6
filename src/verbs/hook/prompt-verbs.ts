// Which messages to a coding agent may be for the plan: the rule of the prompt hook, as tables and pure functions. It is stricter than
// the router, because almost everything that people type to a coding agent is about their code. A message is for the plan only if it
// names a node by its id, or if it is one of eleven verbs and nothing else, and the plan could do it right now.

import type { VerbName } from "../../model/next-step.js";

/** What has to be so for a command to run as it was typed. `never`: it cannot run in this form. */
export type Precondition =
  | "never"
  | "always"
  /** A task can be claimed, and this conversation holds none. */
  | "claimable"
  /** The agent's own last operation can be undone. */
  | "undoable"
  /** Two tasks are in conflict and nobody has settled it. */
  | "in-conflict"
  /** A task is in focus, which a discovery comes from. */
  | "focused"
  /** The nodes are open initiatives, features or stories. */
  | "plannable"
  /** The nodes are plannable, and the agent may drop what is below them. */
  | "replannable"
  /** The rule of the verb allows it for each of the nodes. */
  | "allowed";

export interface PromptVerb {
  readonly verb: string;
  readonly operation: VerbName;
  readonly alone: Precondition;
  /** The message is the command with nodes of the plan, as it is typed in a terminal. */
  readonly withNodes: Precondition;
  /** Words or numbers follow the verb. It counts only behind a prefix of ours: "promote the build" and "undo 2 commits" are about code. */
  readonly withWords: Precondition;
}

/** In every host the plan exists already when this is asked, so `bootstrap` has nothing to do. */
export const PROMPT_VERBS: readonly PromptVerb[] = [
  { verb: "bootstrap", operation: "init", alone: "never", withNodes: "never", withWords: "never" },
  { verb: "expand", operation: "expand", alone: "never", withNodes: "plannable", withWords: "never" },
  { verb: "next", operation: "next", alone: "claimable", withNodes: "claimable", withWords: "never" },
  { verb: "status", operation: "status", alone: "always", withNodes: "always", withWords: "never" },
  { verb: "replan", operation: "replan", alone: "never", withNodes: "replannable", withWords: "never" },
  { verb: "promote", operation: "promote", alone: "never", withNodes: "never", withWords: "focused" },
  { verb: "archive", operation: "archive", alone: "never", withNodes: "allowed", withWords: "never" },
  { verb: "undo", operation: "undo", alone: "undoable", withNodes: "undoable", withWords: "undoable" },
  { verb: "freeze", operation: "freeze", alone: "never", withNodes: "allowed", withWords: "never" },
  { verb: "thaw", operation: "thaw", alone: "never", withNodes: "allowed", withWords: "never" },
  { verb: "conflicts", operation: "conflicts.list", alone: "in-conflict", withNodes: "never", withWords: "never" },
];

/** Only reading answers a question: a question never claims and never changes anything. */
const READS: ReadonlySet<string> = new Set(["status", "conflicts"]);

export interface ReadPrompt {
  /** Words that may be ids of nodes, each once. Whether the plan has them is looked up. */
  readonly names: readonly string[];
  readonly command: PromptCommand | null;
}

export interface PromptCommand {
  readonly verb: PromptVerb;
  readonly isAlone: boolean;
  /** `plan-next` or `must do: next`. */
  readonly hasPrefix: boolean;
  readonly text: string;
}

/** Nobody types a command that is longer; ids are looked for in the beginning of a long message. */
const MAX_COMMAND_CHARACTERS = 300;
const MAX_PROMPT_CHARACTERS = 20_000;
const MAX_NAMES = 200;

/** A slash begins a command of the host itself. */
const NOTHING: ReadPrompt = { names: [], command: null };

export const readPrompt = (prompt: string): ReadPrompt =>
  prompt.trimStart().startsWith("/") ? NOTHING : { names: namesIn(prompt), command: commandIn(prompt) };

/** An id stands by itself, not in a path or an address, and has a digit or a sign in it: `login` is a word, whatever the plan has. */
const NAME = /(?<![\p{L}\p{N}/\\@._-])[\p{L}\p{N}]+(?:[._-]+[\p{L}\p{N}]+)*(?![\p{L}\p{N}/\\@_-]|\.[\p{L}\p{N}])/gu;

function namesIn(prompt: string): string[] {
  const found = new Set<string>();
  for (const [name] of prompt.slice(0, MAX_PROMPT_CHARACTERS).matchAll(NAME)) {
    if (/\p{L}/u.test(name) && /[\p{N}._-]/u.test(name)) found.add(name);
    if (found.size === MAX_NAMES) break;
  }
  return [...found];
}

/** In front of a command: take it literally. */
const FORCED = /^(?:must do|just do|exactly)\s*:\s*/iu;
const LEGACY = /^plan-/iu;

function commandIn(prompt: string): PromptCommand | null {
  const text = prompt.trim();
  if (text.length > MAX_COMMAND_CHARACTERS || /[\n\r]/u.test(text)) return null;
  const [forced = ""] = FORCED.exec(text) ?? [];
  const bare = text.slice(forced.length).replace(LEGACY, "");
  const isQuestion = /(?<![\s?!.])[\s!.]*\?[\s?!.]*$/u.test(bare);
  const typed = bare.replace(/(?<![\s?!.…])[\s?!.…]+$/u, "");
  const [first = "", ...rest] = typed.split(/\s+/u);
  const verb = PROMPT_VERBS.find((each) => each.verb === first.toLowerCase());
  if (verb === undefined || (isQuestion && !READS.has(verb.verb))) return null;
  return { verb, isAlone: rest.length === 0, hasPrefix: bare !== text, text: forced + typed };
}

export function preconditionOf({ verb, isAlone, hasPrefix }: PromptCommand, hasNodes: boolean): Precondition {
  if (isAlone) return verb.alone;
  if (hasNodes) return verb.withNodes;
  return hasPrefix ? verb.withWords : "never";
}
