// Compares the log with what is known about it outside of the plan's file. Whoever can write to the file can make a log that fits
// together, so only these notice that its end is missing, or that all of it was made again.

import type { Row } from "../database.js";
import type { LogWitness } from "../log-witness.js";
import type { ChainEnd } from "../rows/log-rows.js";
import { numberOf, textOf } from "../rows/values.js";

export interface LogProblem {
  readonly op: number;
  readonly problem: string;
  readonly field?: string;
  readonly stored: unknown;
  readonly replayed: unknown;
}

export class Witnesses {
  readonly #all: readonly LogWitness[];
  readonly #chainedFrom: number;
  /** The links that witnesses know. */
  readonly #links = new Map<number, string>();
  #first: string | null = null;
  #restoredAt = 0;
  #chainedBefore: number | null = null;

  constructor(all: readonly LogWitness[], chainedFrom: number) {
    this.#all = all;
    this.#chainedFrom = chainedFrom;
  }

  /** `isTrusted`: a person whom the plan knows signed it, or the plan knows no person yet. */
  see(operation: Row, isTrusted: () => boolean, namesPeople: boolean): void {
    const [op, link] = [numberOf(operation["op"]), textOf(operation["link"])];
    this.#first ??= link;
    if (this.#all.some((witness) => witness.op === op)) this.#links.set(op, link);
    if (operation["verb"] === "restore" && isTrusted()) this.#restoredAt = numberOf(operation["at"]);
    const isChained = operation["signature"] !== null || namesPeople;
    if (isChained && op < this.#chainedFrom) this.#chainedBefore ??= op;
  }

  /** The last operation that one of them knows. */
  get knownTo(): number {
    return Math.max(0, ...this.#standing().map(({ op }) => op));
  }

  /** What a restored backup took out of the plan is missing for a reason. */
  #standing(): LogWitness[] {
    return this.#all.filter(({ at }) => at === undefined || at > this.#restoredAt);
  }

  problem(end: ChainEnd): LogProblem | null {
    const found = [
      this.#movedChain(end),
      ...this.#standing().map((witness) => this.#otherPlan(witness) ?? this.#otherLog(witness, end)),
    ];
    return found.find((problem) => problem !== null) ?? null;
  }

  /** Only an upgrade from a program that signed nothing sets it. */
  #movedChain(end: ChainEnd): LogProblem | null {
    const [from, signed] = [this.#chainedFrom, this.#chainedBefore];
    const said = { field: "chained_from", stored: from, replayed: Math.min(signed ?? 1, end.op + 1) };
    if (signed !== null) {
      const problem = `the plan says that an upgrade chained operations 1 to ${from - 1}, but this one was signed when it happened`;
      return { op: signed, problem, ...said };
    }
    if (from <= end.op + 1) return null;
    const problem = `the plan says that an upgrade chained operations 1 to ${from - 1}, but there are only ${end.op}`;
    return { op: end.op + 1, problem, ...said };
  }

  #otherPlan({ first = null, source }: LogWitness): LogProblem | null {
    if (first === null || this.#first === null || first === this.#first) return null;
    return { op: 1, problem: `${source} knows another plan`, stored: this.#first, replayed: first };
  }

  #otherLog({ source, op, link, chainedFrom = null }: LogWitness, end: ChainEnd): LogProblem | null {
    if (op > end.op) {
      return {
        op: end.op + 1,
        problem: `it is missing: ${source} knows operation ${op}`,
        stored: null,
        replayed: link,
      };
    }
    const stored = this.#links.get(op);
    if (link !== null && stored !== undefined && stored !== link) {
      return { op, problem: `the log was rewritten: ${source} knows another one`, stored, replayed: link };
    }
    if (chainedFrom === null || chainedFrom === this.#chainedFrom) return null;
    const problem = `the plan says that the log is chained from here on, but ${source} says from operation ${chainedFrom} on`;
    return { op: this.#chainedFrom, problem, field: "chained_from", stored: this.#chainedFrom, replayed: chainedFrom };
  }
}
