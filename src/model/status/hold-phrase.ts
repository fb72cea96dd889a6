// What holds a task back, as one phrase that follows "because".

import type { NoWorker } from "../attempt/choose-worker.js";
import { localMinute } from "../iso-time.js";
import { listWords } from "../words.js";
import type { Hold, HoldReason } from "./holds.js";

const names = (ids: readonly string[]): string => ids.join(", ");
const inBrackets = (text: string): string => (text === "" ? "" : ` (${text})`);

const PHRASES: Readonly<Record<HoldReason, (because: readonly string[], until: number | null) => string>> = {
  terminal: () => "it is finished",
  "in-flight": (by) => `${names(by)} is working on it`,
  rejected: (why) => `it was rejected${inBrackets(names(why))}`,
  inbox: () => "it is in the inbox, and nothing in the inbox runs",
  container: (open) => `it is not a task${open.length === 0 ? "" : `, but holds ${names(open)}`}`,
  unapproved: () => "it is not approved",
  "approval-unknown": () => "it was approved with a secret that this plan does not know",
  "approval-stale": () => "it changed after it was approved",
  frozen: (why) => `it is frozen${inBrackets(names(why))}`,
  "dep-rejected": (ids) => `it depends on ${names(ids)}, which was rejected`,
  "dep-dropped": (ids) => `it depends on ${names(ids)}, which was dropped`,
  "deps-pending": (ids) => `it waits for ${names(ids)}`,
  human: () => "it waits for a person",
  conflict: (ids) => `it touches the same files as ${names(ids)}`,
  budget: () => "it has no attempts left",
  "no-feature": () => "it is in no feature, so its work has no branch to go to",
  level: ([feature]) => (feature === undefined ? "the level is off" : `the level of ${feature} is off`),
  retry: (why, until) => `it failed${inBrackets(names(why))} and is tried again at ${localMinute(until ?? 0)}`,
  storm: (why, until) => `${names(why)}${until === null ? "" : `, so it pauses until ${localMinute(until)}`}`,
  spending: (why) => names(why),
  "no-worker": ([problem, agent]) => NO_WORKER[problem as NoWorker["problem"]](agent ?? ""),
};

const NO_WORKER: Readonly<Record<NoWorker["problem"], (agent: string) => string>> = {
  "unknown-agent": (agent) => `there is no agent "${agent}"`,
  "not-installed": (agent) => `the agent ${agent} is not installed`,
  "no-commands": () => "no agent can do it, and it has no commands to run",
};

/** Tasks that are named; more are counted. */
const NAMED = 3;

const NOBODY: Readonly<Record<NoWorker["problem"], (ids: string, one: boolean, agent: string) => string>> = {
  "unknown-agent": (ids, one, agent) => `${ids} ${one ? "names" : "name"} the agent "${agent}", which is not known.`,
  "not-installed": (ids, one, agent) => `${ids} ${one ? "needs" : "need"} the agent ${agent}, which is not installed.`,
  "no-commands": (ids, one) => `No agent can do ${ids}, and ${one ? "it has" : "they have"} no commands to run.`,
};

/** Why these tasks cannot begin: one sentence for each cause, however many tasks share it. */
export function whyNoneBegins(held: readonly (Hold & { readonly task: string })[]): string[] {
  const causes = new Map<string, { readonly hold: Hold; readonly ids: string[] }>();
  for (const { task, reason, because, until } of held) {
    const cause = JSON.stringify([reason, because, until]);
    const known = causes.get(cause);
    if (known) known.ids.push(task);
    else causes.set(cause, { hold: { reason, because, until }, ids: [task] });
  }
  return [...causes.values()].map(({ hold, ids }) => sentenceFor(ids, hold));
}

function sentenceFor(ids: readonly string[], hold: Hold): string {
  const [first = "", ...more] = ids;
  if (hold.reason === "no-worker") {
    const [problem, agent = ""] = hold.because;
    return NOBODY[problem as NoWorker["problem"]](listWords(ids, NAMED), more.length === 0, agent);
  }
  if (more.length === 0) return whyNotBegin(first, hold);
  return `${listWords(ids, NAMED)} cannot begin: ${phraseOf(hold).replace(/^it /, "each ")}.`;
}

export function whyNotBegin(id: string, hold: Hold): string {
  const phrase = phraseOf(hold);
  return phrase.startsWith("it ") ? `${id} ${phrase.slice(3)}.` : `${id} cannot begin: ${phrase}.`;
}

export const phraseOf = ({ reason, because, until }: Hold): string => PHRASES[reason](because, until);
