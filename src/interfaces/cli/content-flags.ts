// The flags that describe a node's content, shared by `add` and `edit`.

import type { Check } from "../../graph/node/node.js";
import type { Flag, Input } from "./command.js";

export const contentFlags: Readonly<Record<string, Flag>> = {
  body: { type: "string", value: "TEXT", help: "the longer text" },
  file: { type: "string", multiple: true, value: "PATH", help: "a file that it will touch" },
  symbol: { type: "string", multiple: true, value: "NAME", help: "a symbol that it will touch" },
  check: {
    type: "string",
    multiple: true,
    value: "COMMAND",
    help: "a command that must pass; COMMAND => TEXT expects that output",
  },
  profile: { type: "string", value: "WORD", help: "the kind of work; inferred from the files unless given" },
  priority: { type: "number", short: "P", min: 0, max: 4, whole: true, help: "0 is the most urgent, 4 the least" },
  estimate: { type: "number", value: "HOURS", min: 0.01, max: 10_000, help: "how long it will take" },
  attempts: { type: "number", min: 1, max: 1000, whole: true, help: "how often it may be claimed" },
  replans: { type: "number", min: 0, max: 1000, whole: true, help: "how often it may be replanned" },
};

const toCheck = (text: string): Check => {
  const [run = "", expect] = text.split(/\s+=>\s+/);
  return expect === undefined ? { run } : { run, expect };
};

export const checksOf = (input: Input, flag: string): readonly Check[] | undefined =>
  input.has(flag) ? input.list(flag).map(toCheck) : undefined;

/** Undefined for every flag that was not given. */
export function contentOf(input: Input): Record<string, unknown> {
  const many = (flag: string): readonly string[] | undefined => (input.has(flag) ? input.list(flag) : undefined);
  const attempts = input.number("attempts");
  const replans = input.number("replans");
  const budgets = { ...(attempts === undefined ? {} : { attempts }), ...(replans === undefined ? {} : { replans }) };
  return {
    body: input.text("body"),
    files: many("file"),
    symbols: many("symbol"),
    checks: checksOf(input, "check"),
    profile: input.text("profile"),
    priority: input.number("priority"),
    estimateHours: input.number("estimate"),
    budgets: Object.keys(budgets).length > 0 ? budgets : undefined,
  };
}
