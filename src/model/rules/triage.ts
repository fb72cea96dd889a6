// What to do about a question that waits for a person: a bucket by a table, with the verb that would settle it and the
// proof that this verb needs. A suggestion is only a suggestion: the proof is made again when you confirm it.

import { LANDED, type Option, type QuestionKind } from "../item/question.js";
import type { FailureClass } from "../node/node.js";

export const BUCKETS = ["stale", "verified-done", "now-buildable", "genuine-decision", "needs-design"] as const;
export type Bucket = (typeof BUCKETS)[number];

/** `withdraw` the question, `accept` or `reset` the task; a person has to `answer`, or to plan it again. */
export type TriageVerb = "withdraw" | "accept" | "reset" | "answer" | "replan";

/**
 * `moved-on`: what was asked about is no longer so. `merged`: the main branch has the commits. `checks-green`: a branch
 * has the commit, and the checks pass there now. `dep-done`: what it lacked is there. `foreign-failure`: it failed over
 * files that it did not touch, and those checks pass now.
 */
export type ProofKind = "moved-on" | "merged" | "checks-green" | "dep-done" | "foreign-failure";

/** The kinds of questions that carrying out a plan raises. */
export const TRIAGED: ReadonlySet<QuestionKind> = new Set<QuestionKind>([
  "rejected",
  "failure",
  "conflict",
  "budget",
  "land",
  "split",
]);

/** A machine settles none of these, whatever it can prove. */
const PERSONS_OWN: ReadonlySet<QuestionKind> = new Set<QuestionKind>(["split", "approval"]);

export const maySettleAlone = (kind: QuestionKind): boolean => TRIAGED.has(kind) && !PERSONS_OWN.has(kind);

export type Subject =
  | { readonly what: "gone" }
  | TaskSubject
  /** Something beside the nodes that asked it, such as a planning run. */
  | {
      readonly what: "item";
      readonly id: string;
      /** How it ended; null as long as it can still use an answer. */
      readonly over: string | null;
    }
  | {
      readonly what: "feature";
      readonly id: string;
      readonly settled: string | null;
      /** An attempt in it that began after the question was asked. */
      readonly workedOn: string | null;
    }
  | {
      readonly what: "landing";
      readonly id: string;
      readonly settled: string | null;
      /** The branch that has the commits of all its tasks, if all of them are done. */
      readonly landedIn: string | null;
    };

export interface TaskSubject {
  readonly what: "task";
  readonly id: string;
  readonly settled: string | null;
  /** Accepted, but not on its feature's branch. */
  readonly isStranded: boolean;
  readonly isRejected: boolean;
  readonly isFrozen: boolean;
  /** A person approved it as it is: a check that was changed since proves nothing. */
  readonly isApproved: boolean;
  readonly waits: boolean;
  readonly failure: FailureClass | null;
  /** What it lacked when it was rejected and has now: a task, or a conflict. */
  readonly freedBy: string | null;
  /** The branch that has its commit. */
  readonly mergedIn: string | null;
  readonly hasChecks: boolean;
  /** Everything that failed spoke only of files that the attempt did not touch. */
  readonly isForeign: boolean;
  readonly conflict: "open" | "settled" | null;
}

export interface Suggestion {
  readonly bucket: Bucket;
  readonly verb: TriageVerb;
  readonly proof: ProofKind | null;
  /** The answer that it stands for; null where the question is over, or yours to answer. */
  readonly option: string | null;
  readonly why: string;
}

type Finding = Omit<Suggestion, "option">;

const stale = (why: string): Finding => ({ bucket: "stale", verb: "withdraw", proof: "moved-on", why });

const decide = (why: string): Finding => ({ bucket: "genuine-decision", verb: "answer", proof: null, why });

const DESIGN: ReadonlySet<FailureClass> = new Set<FailureClass>(["design", "plan", "architecture"]);

/** The option that you would choose to have it done. */
const OPTION_OF: Readonly<Partial<Record<TriageVerb, readonly string[]>>> = {
  accept: ["accept", LANDED],
  reset: ["reset"],
  replan: ["replan"],
};

/** Never anything that you could not answer yourself: a question without options takes every word. */
export function suggestAnswer(kind: QuestionKind, subject: Subject, options: readonly Option[]): Suggestion {
  const found = look(kind, subject);
  const answers = OPTION_OF[found.verb];
  if (answers === undefined) return { ...found, option: null };
  const option = options.length === 0 ? answers[0] : answers.find((id) => options.some((each) => each.id === id));
  return option === undefined ? { ...decide(found.why), option: null } : { ...found, option };
}

function look(kind: QuestionKind, subject: Subject): Finding {
  if (subject.what === "gone") return stale("What it is about is no longer in the plan.");
  if (subject.what === "item") {
    const { id, over } = subject;
    return over === null ? decide(`${id} waits for your answer.`) : stale(`${id} is ${over}.`);
  }
  if (subject.settled !== null && !(subject.what === "task" && subject.isStranded)) {
    return stale(`${subject.id} is ${subject.settled}.`);
  }
  if (kind === "split") return decide("Only a person decides whether a task is split.");
  if (subject.what === "feature") {
    const { id, workedOn } = subject;
    return workedOn === null ? decide(`Work on ${id} has not gone on since.`) : stale(`${workedOn} works on ${id}.`);
  }
  if (subject.what === "task") return suggestForTask(subject);
  const { id, landedIn } = subject;
  if (landedIn === null) return decide(`The work of ${id} is not on the main branch.`);
  const why = `${landedIn} has the commits of all that ${id} lands.`;
  return { bucket: "verified-done", verb: "accept", proof: "merged", why };
}

function suggestForTask(task: TaskSubject): Finding {
  const { id, failure, mergedIn, freedBy } = task;
  if (task.isStranded) return decide(`${id} is accepted, but does not merge with its feature's branch.`);
  if (task.conflict === "settled") return stale("The conflict is settled.");
  if (task.conflict === "open") return decide("The conflict is open.");
  if (!task.isRejected) return task.isFrozen ? decide(`${id} is frozen.`) : stale(`${id} is open again.`);
  if (mergedIn !== null && task.hasChecks && task.isApproved) {
    const why = `${mergedIn} has what was done for ${id}; its checks have to pass there.`;
    return { bucket: "verified-done", verb: "accept", proof: "checks-green", why };
  }
  if (failure !== null && DESIGN.has(failure)) {
    return { bucket: "needs-design", verb: "replan", proof: null, why: `${id} failed by its ${failure}.` };
  }
  if (freedBy !== null && !task.waits) return again("dep-done", `${freedBy} came after ${id} was rejected.`);
  if (task.isForeign) {
    return again("foreign-failure", `${id} failed over files that it did not touch; those checks have to pass now.`);
  }
  return decide(`Nothing has changed for ${id} since it was rejected.`);
}

const again = (proof: ProofKind, why: string): Finding => ({ bucket: "now-buildable", verb: "reset", proof, why });
