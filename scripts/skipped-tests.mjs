// Tests that were skipped, and why. As a reporter of Vitest it collects them, over several runs if PLANWRIGHT_SKIPPED names a
// file for them. A test that is skipped without a reason fails the run: see test/needs.ts.
//
//   node scripts/skipped-tests.mjs FILE

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Suites of agents that are not installed say it in brackets after their name. */
const inBrackets = ({ module, name }) =>
  module.relativeModuleId.startsWith("test/agents/") ? /\((.+)\)$/.exec(name)?.[1] : undefined;

/** The reason that it gives, or that a suite around it gives. */
function reasonOf(test) {
  for (let at = test; at.type !== "module"; at = at.parent) {
    const reason = at.meta().skipped ?? (at === test ? test.result()?.note : inBrackets(at));
    if (reason) return reason;
  }
  return null;
}

/** The largest suite around it that is skipped as a whole: it stands for all its tests. */
function wholeOf(test) {
  let whole = test;
  for (let at = test.parent; at.type === "suite"; at = at.parent) if (at.options.mode === "skip") whole = at;
  return whole;
}

function skippedIn(modules) {
  const found = new Map();
  for (const module of modules) {
    for (const test of module.children.allTests("skipped")) {
      const whole = wholeOf(test);
      const entry = found.get(whole) ?? {
        where: process.env.PLANWRIGHT_SURROUNDINGS ?? "",
        test: `${module.relativeModuleId}: ${whole.fullName}`,
        tests: 0,
        reason: reasonOf(test),
      };
      found.set(whole, { ...entry, tests: entry.tests + 1 });
    }
  }
  return [...found.values()];
}

const count = (tests) => `${tests} ${tests === 1 ? "test" : "tests"}`;

/** Each once, with every surrounding in which it was skipped. */
function together(skipped) {
  const found = new Map();
  for (const { where, ...each } of skipped) {
    const name = `${each.test}\n${each.reason}`;
    found.set(name, { ...each, where: [...(found.get(name)?.where ?? []), where] });
  }
  return [...found.values()];
}

/** The list for people. */
function listed(skipped) {
  const all = together(skipped);
  if (all.length === 0) return "No test was skipped.";
  const lines = [`Skipped: ${count(all.reduce((sum, { tests }) => sum + tests, 0))}.`];
  for (const reason of new Set(all.map((each) => each.reason))) {
    lines.push("", `  ${reason ?? "WITHOUT A REASON (see test/needs.ts)"}`);
    for (const { test, tests, where } of all.filter((each) => each.reason === reason)) {
      const only = where.includes("") ? "" : `, ${[...new Set(where)].join(", ")}`;
      lines.push(`    ${test} (${count(tests)}${only})`);
    }
  }
  return lines.join("\n");
}

export function readSkipped(file) {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

export const printSkipped = (skipped) => console.log(`\n${listed(skipped)}\n`);

export default class SkippedTests {
  onInit(vitest) {
    // Who names tests wants no others.
    this.isWhole = vitest.config.testNamePattern === undefined;
  }

  onTestRunEnd(modules, _errors, ending) {
    if (!this.isWhole) return;
    const skipped = skippedIn(modules);
    const file = process.env.PLANWRIGHT_SKIPPED;
    if (file) for (const each of skipped) appendFileSync(file, `${JSON.stringify(each)}\n`);
    else if (skipped.length > 0) printSkipped(skipped);
    // A failed hook skips tests, too.
    if (ending !== "passed" || skipped.every(({ reason }) => reason !== null)) return;
    console.error("A test was skipped without a reason.");
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printSkipped(readSkipped(process.argv[2]));
