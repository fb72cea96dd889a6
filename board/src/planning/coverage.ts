// Which line of a spec has which task, from the quotes that the draft carries. Pure.

import { checkTerms } from "../../../src/model/node/check-terms.js";

export interface DraftTask {
  readonly id: string;
  readonly parent: string;
  readonly kind: string;
  readonly title: string;
  readonly quotes: readonly string[];
  readonly checks: readonly { readonly run: string; readonly terms: readonly string[] }[];
  readonly estimateHours: number | null;
  readonly steelThread: boolean;
}

export interface Draft {
  readonly features: readonly { readonly id: string; readonly title: string }[];
  readonly stories: readonly { readonly id: string; readonly title: string; readonly feature: string }[];
  readonly tasks: readonly DraftTask[];
  readonly nonGoals: readonly string[];
}

export interface SpecLine {
  readonly number: number;
  readonly text: string;
  readonly tasks: readonly string[];
  readonly state: "covered" | "uncovered" | "omitted" | "prose";
}

/** Numbers in ascending order as text, with neighbours as ranges: 3, 5-8. */
export function rangesOf(numbers: readonly number[]): string[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last.to + 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}\u2013${to}`));
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[`*_#>]/g, "")
    .replace(/^\s*(?:[-+]|\d+[.)])\s+/, "")
    .replace(/\s+/g, " ")
    .trim();

const MOST_LINES = 12;

/** The lines that a quote runs over, by number. */
export function linesOfQuote(quote: string, lines: readonly string[]): number[] {
  const wanted = plain(quote);
  if (wanted === "") return [];
  const holds = (from: number, to: number): boolean =>
    plain(
      lines
        .slice(from, to + 1)
        .map(plain)
        .join(" "),
    ).includes(wanted);
  for (let to = 0; to < lines.length; to++) {
    if (!holds(Math.max(0, to - MOST_LINES), to)) continue;
    let from = to;
    while (!holds(from, to)) from--;
    return Array.from({ length: to - from + 1 }, (_, index) => from + index + 1);
  }
  return [];
}

/** `unclear`: the lines that the server says no task covers. */
export function specLines(text: string, draft: Draft | undefined, unclear: readonly number[]): SpecLine[] {
  const lines = text.split("\n");
  const byLine = new Map<number, string[]>();
  for (const { id, quotes } of draft?.tasks ?? []) {
    for (const line of new Set(quotes.flatMap((quote) => linesOfQuote(quote, lines)))) {
      byLine.set(line, [...(byLine.get(line) ?? []), id]);
    }
  }
  const omitted = new Set((draft?.nonGoals ?? []).flatMap((quote) => linesOfQuote(quote, lines)));
  const open = new Set(unclear);
  return lines.map((line, index) => {
    const number = index + 1;
    const tasks = byLine.get(number) ?? [];
    const without = open.has(number) ? "uncovered" : omitted.has(number) ? "omitted" : "prose";
    return { number, text: line, tasks, state: tasks.length > 0 ? "covered" : without };
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const termsOf = ({ expect, cwd, timeoutS }: Record<string, unknown>): string[] =>
  checkTerms({
    expect: textOf(expect) || null,
    cwd: textOf(cwd),
    timeoutS: typeof timeoutS === "number" ? timeoutS : null,
  });
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

/** A draft as a run keeps it; undefined if it cannot be read. */
export function parseDraft(json: string): Draft | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  return {
    features: listOf(value["features"]).map(({ id, title }) => ({ id: textOf(id), title: textOf(title) })),
    stories: listOf(value["stories"]).map(({ id, title, feature }) => ({
      id: textOf(id),
      title: textOf(title),
      feature: textOf(feature),
    })),
    tasks: listOf(value["tasks"]).map((task) => ({
      id: textOf(task["id"]),
      parent: textOf(task["parent"]),
      kind: textOf(task["kind"]),
      title: textOf(task["title"]),
      quotes: textsOf(task["quotes"]),
      checks: listOf(task["checks"]).map((check) => ({ run: textOf(check["run"]), terms: termsOf(check) })),
      estimateHours: typeof task["estimateHours"] === "number" ? task["estimateHours"] : null,
      steelThread: task["steelThread"] === true,
    })),
    nonGoals: textsOf(value["nonGoals"]),
  };
}
