// How operations are written on a command line: the one module that spells commands. The command line reads the same
// table the other way round, so what is suggested can always be typed.

import { RECORD_KINDS } from "../model/item/record.js";
import type { NextStep } from "../model/next-step.js";
import type { OperationName } from "../model/operation-names.js";

export const GROUPS = ["plan", "decide", "work", "look", "record", "tool"] as const;
export type Group = (typeof GROUPS)[number];

export interface Spelling {
  /** `record add` */
  readonly words: string;
  readonly operation: OperationName;
  /** Fields that are written without a flag, in order. A list takes all that follow. */
  readonly positional?: readonly string[];
  /** Fields whose flag has another name than the field. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields with one-letter flags. */
  readonly short?: Readonly<Record<string, string>>;
  /** What these words mean already. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly group: Group;
  /** On the first page of the help, in the order of a day. */
  readonly daily?: number;
  /** Understood, but shown nowhere. */
  readonly hidden?: true;
}

const NEWS_FLAGS = { news: "news" };
const LEASE = { leaseMinutes: "lease" };
const RECORD_FLAGS = { tasks: "on", forbidWords: "forbid-words" };

/** The first spelling of an operation is the one that is suggested. */
export const SPELLINGS: readonly Spelling[] = [
  // Plan
  { words: "init", operation: "init", group: "plan", daily: 1, short: { y: "yes" } },
  { words: "bootstrap", operation: "init", group: "plan", hidden: true, short: { y: "yes" } },
  { words: "plan", operation: "plan.start", positional: ["source"], group: "plan", daily: 2 },
  { words: "plan resume", operation: "plan.resume", positional: ["run"], group: "plan" },
  { words: "plan list", operation: "plan.list", group: "plan" },
  { words: "plan show", operation: "plan.show", positional: ["run"], group: "plan" },
  { words: "plan diff", operation: "plan.diff", positional: ["run"], group: "plan" },
  { words: "plan edit", operation: "plan.edit", positional: ["run"], group: "plan" },
  { words: "plan apply", operation: "plan.apply", positional: ["run"], group: "plan" },
  { words: "plan revise", operation: "plan.revise", positional: ["run"], group: "plan" },
  { words: "plan export", operation: "plan.export", positional: ["run"], group: "plan" },
  { words: "plan abort", operation: "plan.abort", positional: ["run"], group: "plan" },
  { words: "plan step", operation: "plan.step", positional: ["run"], group: "plan" },
  { words: "plan submit", operation: "plan.submit", positional: ["call"], group: "plan" },
  { words: "plan look-up", operation: "plan.look-up", positional: ["call", "name"], group: "plan" },
  { words: "plan answer", operation: "plan.answer", positional: ["id", "option"], group: "plan" },
  { words: "expand", operation: "expand", positional: ["reference"], group: "plan" },
  { words: "replan", operation: "replan", positional: ["reference"], group: "plan" },
  { words: "review", operation: "review", positional: ["reference"], group: "plan" },
  { words: "agents", operation: "agents.list", group: "plan" },
  { words: "agents test", operation: "agents.test", positional: ["name"], group: "plan" },
  {
    words: "add",
    operation: "add",
    positional: ["title"],
    flags: { dependsOn: "on", estimateHours: "estimate", nodes: "from" },
    short: { p: "parent", P: "priority" },
    group: "plan",
  },
  {
    words: "edit",
    operation: "edit",
    positional: ["reference"],
    flags: { estimateHours: "estimate" },
    short: { P: "priority" },
    group: "plan",
  },
  { words: "move", operation: "move", positional: ["references"], group: "plan" },
  { words: "mv", operation: "move", positional: ["references"], group: "plan", hidden: true },
  { words: "link", operation: "link", positional: ["reference"], group: "plan" },
  { words: "unlink", operation: "unlink", positional: ["reference"], group: "plan" },
  { words: "gate", operation: "gate", positional: ["title"], flags: { before: "on" }, group: "plan" },
  { words: "focus", operation: "focus", positional: ["reference"], group: "plan" },
  { words: "comment", operation: "comment", positional: ["reference", "text"], group: "plan" },
  { words: "label", operation: "label", positional: ["references"], group: "plan" },

  // Decide
  { words: "approve", operation: "approve", positional: ["references"], group: "decide", daily: 3 },
  { words: "unapprove", operation: "unapprove", positional: ["references"], group: "decide" },
  { words: "freeze", operation: "freeze", positional: ["references"], group: "decide" },
  { words: "thaw", operation: "thaw", positional: ["references"], group: "decide" },
  { words: "waive", operation: "waive", positional: ["references"], group: "decide" },
  { words: "drop", operation: "drop", positional: ["references"], group: "decide" },
  { words: "archive", operation: "archive", positional: ["references"], group: "decide" },
  { words: "restore", operation: "restore", positional: ["references"], group: "decide" },
  { words: "promote", operation: "promote", positional: ["note"], flags: { from: "in" }, group: "decide" },
  { words: "accept", operation: "accept", positional: ["references"], group: "decide" },
  { words: "reset", operation: "reset", positional: ["references"], group: "decide" },
  { words: "undo", operation: "undo", positional: ["operation"], group: "decide", daily: 11 },
  { words: "redo", operation: "redo", positional: ["operation"], group: "decide" },
  { words: "level", operation: "level.show", group: "decide" },
  { words: "level off", operation: "level.set", fixed: { level: "off" }, group: "decide" },
  { words: "level on", operation: "level.set", fixed: { level: "on" }, group: "decide" },
  { words: "level auto", operation: "level.set", fixed: { level: "auto" }, group: "decide" },
  { words: "question list", operation: "question.list", group: "decide" },
  { words: "escalations", operation: "question.list", group: "decide", hidden: true },
  { words: "question answer", operation: "question.answer", positional: ["id", "option"], group: "decide" },
  { words: "answer", operation: "question.answer", positional: ["id", "option"], group: "decide", hidden: true },
  { words: "question triage", operation: "question.triage", group: "decide" },
  { words: "question confirm", operation: "question.confirm", positional: ["id"], group: "decide" },
  { words: "conflicts", operation: "conflicts.list", group: "decide" },
  { words: "conflicts list", operation: "conflicts.list", group: "decide", hidden: true },
  { words: "conflicts show", operation: "conflicts.show", positional: ["id"], group: "decide" },
  { words: "conflicts check", operation: "conflicts.check", positional: ["references"], group: "decide" },
  { words: "conflicts resolve", operation: "conflicts.resolve", positional: ["id", "choice"], group: "decide" },
  { words: "conflicts history", operation: "conflicts.history", group: "decide" },

  // Work
  { words: "run", operation: "run", positional: ["reference"], flags: { within: "in" }, group: "work", daily: 4 },
  { words: "land", operation: "land", positional: ["reference"], short: { y: "yes" }, group: "work", daily: 10 },
  { words: "revert", operation: "revert", positional: ["reference"], group: "work" },
  { words: "daemon", operation: "daemon.run", group: "work" },
  { words: "daemon start", operation: "daemon.start", group: "work" },
  { words: "daemon stop", operation: "daemon.stop", group: "work" },
  { words: "daemon status", operation: "daemon.status", group: "work" },
  { words: "daemon install", operation: "daemon.install", group: "work" },
  { words: "daemon logs", operation: "daemon.logs", group: "work", short: { f: "follow" } },
  { words: "next", operation: "next", flags: LEASE, group: "work", daily: 7 },
  { words: "start", operation: "start", positional: ["reference"], flags: LEASE, group: "work" },
  { words: "complete", operation: "complete", positional: ["reference"], group: "work", daily: 8 },
  { words: "check", operation: "check", positional: ["reference"], group: "work" },
  { words: "fail", operation: "fail", positional: ["reference"], group: "work" },
  { words: "split", operation: "split", positional: ["reference"], group: "work" },
  {
    words: "work",
    operation: "work.start",
    positional: ["reference"],
    flags: { within: "in" },
    group: "work",
    daily: 9,
  },
  { words: "work done", operation: "work.done", positional: ["reference"], group: "work" },
  { words: "work abandon", operation: "work.abandon", positional: ["reference"], group: "work" },
  { words: "work list", operation: "work.list", group: "work" },
  { words: "claim list", operation: "claim.list", group: "work" },
  { words: "claim renew", operation: "claim.renew", positional: ["reference"], flags: LEASE, group: "work" },
  {
    words: "heartbeat",
    operation: "claim.renew",
    positional: ["reference"],
    flags: LEASE,
    group: "work",
    hidden: true,
  },
  { words: "claim release", operation: "claim.release", positional: ["reference"], group: "work" },
  { words: "attempt list", operation: "attempt.list", positional: ["reference"], group: "work" },
  { words: "attempt kept", operation: "attempt.kept", group: "work" },
  { words: "attempt show", operation: "attempt.show", positional: ["id"], group: "work" },
  { words: "attempt diff", operation: "attempt.diff", positional: ["id"], group: "work" },
  { words: "attempt transcript", operation: "attempt.transcript", positional: ["id"], group: "work" },
  { words: "attempt restore", operation: "attempt.restore", positional: ["id"], group: "work" },
  { words: "attempt expire", operation: "attempt.expire", group: "work" },
  {
    words: "bundle create",
    operation: "bundle.create",
    positional: ["references"],
    flags: { text: "print" },
    group: "work",
  },
  { words: "bundle list", operation: "bundle.list", group: "work" },
  { words: "bundle check", operation: "bundle.check", positional: ["reference"], group: "work" },
  { words: "bundle clean", operation: "bundle.clean", group: "work" },

  // Look
  { words: "status", operation: "status", positional: ["reference"], short: { w: "watch" }, group: "look", daily: 5 },
  { words: "waiting", operation: "waiting", group: "look", daily: 13 },
  { words: "why", operation: "why", positional: ["reference"], group: "look", daily: 6 },
  { words: "list", operation: "list", group: "look", daily: 12 },
  { words: "search", operation: "search", positional: ["text"], group: "look" },
  { words: "show", operation: "show", positional: ["reference"], group: "look" },
  { words: "stuck", operation: "stuck", group: "look" },
  { words: "trace", operation: "trace", positional: ["reference"], group: "look" },
  { words: "children", operation: "children", positional: ["reference"], group: "look" },
  { words: "graph", operation: "graph", positional: ["reference"], group: "look" },
  { words: "verbs", operation: "verbs", positional: ["reference"], group: "look" },
  { words: "waves", operation: "waves", positional: ["reference"], group: "look" },
  { words: "stats", operation: "stats", group: "look" },
  { words: "costs", operation: "costs", group: "look" },
  { words: "throughput", operation: "throughput", group: "look" },
  { words: "forecast", operation: "forecast", group: "look" },
  { words: "timeline", operation: "timeline", positional: ["reference"], group: "look" },
  { words: "density", operation: "density", flags: { slotMinutes: "slot" }, group: "look" },
  { words: "moment", operation: "moment", positional: ["operation"], group: "look" },
  { words: "lint", operation: "lint", positional: ["reference"], group: "look" },
  { words: "verify", operation: "verify", group: "look" },
  { words: "log", operation: "log", positional: ["reference"], short: { n: "limit" }, group: "look" },
  { words: "diff", operation: "diff", positional: ["operation"], group: "look" },
  { words: "news", operation: "news.read", group: "look" },
  { words: "inbox", operation: "news.read", group: "look", hidden: true },
  { words: "news mark", operation: "news.mark", positional: ["upTo"], group: "look", hidden: true },
  { words: "news subscribe", operation: "news.subscribe", positional: ["reference"], flags: NEWS_FLAGS, group: "look" },
  {
    words: "subscribe",
    operation: "news.subscribe",
    positional: ["reference"],
    flags: NEWS_FLAGS,
    group: "look",
    hidden: true,
  },
  { words: "news unsubscribe", operation: "news.unsubscribe", positional: ["reference"], group: "look" },
  { words: "news subscriptions", operation: "news.subscriptions", group: "look" },

  // Record
  { words: "record add", operation: "record.add", positional: ["title"], flags: RECORD_FLAGS, group: "record" },
  ...RECORD_KINDS.map(
    (kind): Spelling => ({
      words: `record add ${kind}`,
      operation: "record.add",
      positional: ["title"],
      flags: RECORD_FLAGS,
      fixed: { kind },
      group: "record",
      hidden: true,
    }),
  ),
  {
    words: "decide",
    operation: "record.add",
    positional: ["title"],
    flags: RECORD_FLAGS,
    fixed: { kind: "decision" },
    group: "record",
    hidden: true,
  },
  {
    words: "constrain",
    operation: "record.add",
    positional: ["title"],
    flags: RECORD_FLAGS,
    fixed: { kind: "constraint" },
    group: "record",
    hidden: true,
  },
  {
    words: "require",
    operation: "record.add",
    positional: ["title"],
    flags: RECORD_FLAGS,
    fixed: { kind: "requirement" },
    group: "record",
    hidden: true,
  },
  {
    words: "assume",
    operation: "record.add",
    positional: ["title"],
    flags: RECORD_FLAGS,
    fixed: { kind: "assumption" },
    group: "record",
    hidden: true,
  },
  { words: "record list", operation: "record.list", group: "record" },
  { words: "record approve", operation: "record.approve", positional: ["ids"], group: "record" },
  { words: "record supersede", operation: "record.supersede", positional: ["id"], group: "record" },
  { words: "memory list", operation: "memory.list", group: "record" },
  { words: "memory add", operation: "memory.add", positional: ["text"], group: "record" },
  { words: "memory approve", operation: "memory.approve", positional: ["ids"], group: "record" },
  { words: "memory search", operation: "memory.search", positional: ["text"], group: "record" },
  { words: "memory forget", operation: "memory.forget", positional: ["ids"], group: "record" },
  { words: "artifact list", operation: "artifact.list", positional: ["node"], group: "record" },
  { words: "artifacts", operation: "artifact.list", positional: ["node"], group: "record", hidden: true },

  // Tool
  { words: "config list", operation: "config.list", group: "tool" },
  { words: "config get", operation: "config.get", positional: ["key"], group: "tool" },
  { words: "config set", operation: "config.set", positional: ["key", "value"], group: "tool" },
  { words: "config trust", operation: "config.trust", group: "tool" },
  { words: "do", operation: "route", positional: ["words"], group: "tool" },
  { words: "doctor", operation: "doctor", group: "tool" },
  { words: "upgrade", operation: "upgrade", group: "tool" },
  { words: "backup", operation: "backup.create", positional: ["file"], group: "tool" },
  { words: "backup list", operation: "backup.list", group: "tool" },
  { words: "backup restore", operation: "backup.restore", positional: ["file"], group: "tool" },
  { words: "people", operation: "people.list", group: "tool" },
  { words: "people add", operation: "people.add", positional: ["key"], group: "tool" },
  { words: "people remove", operation: "people.remove", positional: ["key"], group: "tool" },
  { words: "people confirm", operation: "people.confirm", group: "tool" },
  { words: "gc", operation: "gc", group: "tool" },
  { words: "install", operation: "install", positional: ["host"], group: "tool" },
  { words: "prime", operation: "prime", group: "tool" },
  { words: "hook prompt", operation: "hook.prompt", group: "tool" },
  { words: "hook tool", operation: "hook.tool", group: "tool" },
  { words: "hook stop", operation: "hook.stop", group: "tool" },
  { words: "hook session", operation: "hook.session", group: "tool" },
  { words: "hook compact", operation: "hook.compact", group: "tool" },
];

/** The longest spelling that these words begin with. */
export function findSpelling(words: readonly string[]): { spelling: Spelling; rest: readonly string[] } | undefined {
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const typed = words.slice(0, length).join(" ");
    const spelling = SPELLINGS.find((each) => each.words === typed);
    if (spelling) return { spelling, rest: words.slice(length) };
  }
  return undefined;
}

/** `leaseMinutes` is `--lease-minutes`; a list of `files` is one `--file` for each. */
export function flagOf(spelling: Spelling, field: string, isList: boolean): string {
  const named = spelling.flags?.[field];
  if (named !== undefined) return named;
  const word = isList && /[^su]s$/.test(field) ? field.slice(0, -1) : field;
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const PROGRAM = "planwright";

/** A step as a command to type; what the reader has to fill in is in capitals. */
export const spell = (step: NextStep): string => [PROGRAM, ...tokensOf(step).map(quote)].join(" ");

/** Words of a command line as a command to type. */
export const spellWords = (words: readonly string[]): string => [PROGRAM, ...words.map(quote)].join(" ");

/** The same as the words that this program would be started with. */
export const commandWords = (step: NextStep): string[] => tokensOf(step).map(wordOf);

function tokensOf(step: NextStep): unknown[] {
  const spelling = spellingOf(step);
  const given: Record<string, unknown> = { ...step.input };
  for (const field of step.needs ?? []) given[field] = new Placeholder(labelOf(step.operation, field));
  for (const field of Object.keys(spelling.fixed ?? {})) delete given[field];
  const positional = (spelling.positional ?? []).flatMap((field) => {
    const value = given[field];
    delete given[field];
    return value === undefined ? [] : [value].flat();
  });
  const flags = Object.entries(given).flatMap(([field, value]) => flagTokens(spelling, field, value));
  return [...spelling.words.split(" "), ...positional, ...flags];
}

class Placeholder {
  readonly label: string;
  constructor(label: string) {
    this.label = label;
  }
}

const LABELS: Readonly<Record<string, string>> = {
  reference: "NODE",
  references: "NODE",
  reason: "TEXT",
  note: "TEXT",
  title: "TITLE",
  timeoutMinutes: "N",
  maxCost: "USD",
  agent: "NAME",
  to: "NODE",
  "plan.export to": "FOLDER",
};

const labelOf = (operation: string, field: string): string =>
  LABELS[`${operation} ${field}`] ?? LABELS[field] ?? field.toUpperCase();

function spellingOf({ operation, input }: NextStep): Spelling {
  const known = SPELLINGS.filter((each) => each.operation === operation);
  const all = known.some(({ hidden }) => !hidden) ? known.filter(({ hidden }) => !hidden) : known;
  const fits = ({ fixed = {} }: Spelling): boolean =>
    Object.entries(fixed).every(([field, value]) => input[field] === value);
  const found = all.find((each) => each.fixed && fits(each)) ?? all.find((each) => !each.fixed) ?? all[0];
  if (!found) throw new Error(`The operation ${operation} has no spelling.`);
  return found;
}

function flagTokens(spelling: Spelling, field: string, value: unknown): unknown[] {
  if (value === undefined || value === null || value === false) return [];
  const flag = `--${flagOf(spelling, field, Array.isArray(value))}`;
  if (value === true) return [flag];
  return [value].flat().flatMap((each) => [flag, each]);
}

/** Letters, digits and the signs that no shell gives a meaning. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A text that was read from a file is typed as the file. */
const wordOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value);
  return "path" in value && typeof value.path === "string" ? value.path : JSON.stringify(value);
};

function quote(value: unknown): string {
  if (value instanceof Placeholder) return value.label;
  const text = wordOf(value);
  if (PLAIN.test(text)) return text;
  return /[$`"\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`;
}
