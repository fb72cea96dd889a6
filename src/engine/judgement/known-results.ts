// Results of checks by tree: what ran on the base of a task is not run again, and a check that failed and then passed on the same
// tree is known as flaky. Losing them costs only time.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import type { Check, CheckResult } from "../../model/node/node.js";
import { sha256 } from "../../store/sha256.js";

export type KnownResult = Pick<CheckResult, "passed" | "outcome">;

const MOST = 4000;

export class KnownResults {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, ".planwright", "check-results");
  }

  #file(tree: string, check: Check): string {
    return join(this.#folder, `${sha256(`${tree}\n${JSON.stringify(check)}`)}.json`);
  }

  find(tree: string, check: Check): KnownResult | undefined {
    try {
      const { passed, outcome } = JSON.parse(readPlainFile(this.#file(tree, check))) as KnownResult;
      return typeof passed === "boolean" && typeof outcome === "string" ? { passed, outcome } : undefined;
    } catch {
      return undefined;
    }
  }

  /** A failure stays known: a check that passes later on the same tree is flaky. */
  keep(tree: string, check: Check, { passed, outcome }: KnownResult): void {
    const file = this.#file(tree, check);
    if (this.find(tree, check)?.passed === false) return;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(`${file}.${process.pid}`, JSON.stringify({ passed, outcome }));
      renameSync(`${file}.${process.pid}`, file);
      this.#prune();
    } catch {
      // A full disk: it will run again.
    }
  }

  #prune(): void {
    const names = readdirSync(this.#folder);
    if (names.length <= MOST) return;
    const age = (name: string): number => statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const oldest = names.map((name) => ({ name, at: age(name) })).sort((a, b) => a.at - b.at);
    for (const { name } of oldest.slice(0, names.length - MOST / 2)) rmSync(join(this.#folder, name), { force: true });
  }
}
