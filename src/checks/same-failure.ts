// Whether two outputs tell of the same failure, apart from what differs whenever a command runs again: times, counts of
// what went well, folders. In doubt it is another failure.

import { isFailureLine, mentionsIn, withoutTerminalCodes, withSlashes } from "./diagnostics.js";

const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "<id>"],
  [/\b0x[0-9a-f]+\b/gi, "<address>"],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?/g, "<date>"],
  [/\b\d\d?:\d\d:\d\d(?:\.\d+)?\b/g, "<time>"],
  [/(duration_ms:? )[\d.]+/g, "$1<time>"],
  [/(?<![\w.:])\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|min|minutes?)\b/g, "<time>"],
  [/\b(localhost|127\.0\.0\.1|\[::1\]):\d+/g, "$1:<port>"],
  [/\bpid[ =:]*\d+/gi, "<pid>"],
  [/\/(?:tmp|var\/folders)\/[^\s"'`:)]+/g, "<tmp>"],
  [
    /(?<![\w.:])\d+(?= (?:pass|ok\b|total|tests?\b|files?\b|suites?\b|skipped|ignored|todo|pending|items?\b|filtered))/g,
    "<n>",
  ],
  [/\(\d+\)$/g, "(<n>)"],
  [/\[\s*\d+%\]/g, ""],
  // Rules across the page are as long as what they leave room for.
  [/[=_⎯━─-]{3,}/g, "---"],
  [/\s+/g, " "],
];

function steady(line: string, root: string): string {
  const top = withSlashes(root).replace(/\/$/, "");
  let text = withSlashes(line).replaceAll(`file://${top}/`, "").replaceAll(`${top}/`, "").replaceAll(top, ".");
  for (const [form, instead] of VOLATILE) text = text.replace(form, instead);
  return text.trim();
}

/** The lines that tell of a failure, and how often each occurs. */
function tellingLines(output: string, root: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of withoutTerminalCodes(output).split("\n")) {
    if (!isFailureLine(line) && mentionsIn(line).length === 0) continue;
    const text = steady(line, root);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return counts;
}

export interface FailureOutput {
  readonly output: string;
  /** The top of the tree in which it was said. */
  readonly root: string;
}

/** Everything bad that the first tells is also told by the second, as often. */
export function hasOnlyFailuresOf(first: FailureOutput, second: FailureOutput): boolean {
  const known = tellingLines(second.output, second.root);
  return [...tellingLines(first.output, first.root)].every(([line, count]) => count <= (known.get(line) ?? 0));
}
