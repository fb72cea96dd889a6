// Reads the names of failing tests from a report: TAP, JUnit, or what common test runners print themselves. A report that does
// not add up is not read at all: a failure without a name cannot be excused.

import { withoutTerminalCodes } from "./diagnostics.js";

interface Format {
  /** Each match names one failing test in its first group. */
  readonly test: RegExp;
  /** How many failed, in the report's own words. */
  readonly count?: RegExp;
}

const FORMATS: readonly Format[] = [
  { test: /^\s*not ok \d+ -? ?(.+?)(?: # time=.*)?$/gm, count: /^# fail (\d+)$/m },
  { test: /^FAILED (\S+::.+?)(?: - .*)?$/gm, count: /(\d+) failed/ },
  { test: /^\s*--- FAIL: (\S+)/gm },
  { test: /^test (\S+) \.\.\. FAILED$/gm, count: /(\d+) failed;/ },
  { test: /^\s*FAIL\s+(\S.* > .+?)(?:\s+\d+ms)?$/gm, count: /^\s*Tests\s+(\d+) failed/m },
  { test: /^\s*● (.+ › .+)$/gm, count: /^Tests:\s+(\d+) failed/m },
];

const CASE = /<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

const attribute = (text: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? "";

function fromJUnit(report: string): string[] {
  return [...report.matchAll(CASE)]
    .filter(([, , body = ""]) => /<(failure|error)\b/.test(body))
    .map(([, head = ""]) =>
      [attribute(head, "classname"), attribute(head, "name")].filter((part) => part !== "").join("."),
    );
}

/** Each once, in order. Empty if nothing could be read, or if the report counts more failures than it names. */
export function failingTests(output: string): string[] {
  const report = withoutTerminalCodes(output);
  const junit = fromJUnit(report);
  if (junit.length > 0) return [...new Set(junit)];
  for (const { test, count } of FORMATS) {
    const found = [...new Set([...report.matchAll(test)].map(([, name = ""]) => name.trim()))];
    if (found.length === 0) continue;
    const said = count && count.exec(report)?.[1];
    return said !== undefined && Number(said) !== found.length ? [] : found;
  }
  return [];
}
