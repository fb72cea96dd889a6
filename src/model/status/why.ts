// Why a node has its status, in plain words, with the steps that get it going. One entry per reason: the tables
// cannot leave one out.

import { type Actor, isPerson } from "../actor.js";
import { proofWords, weakProofWords } from "../attempt/proof-strength.js";
import { localMinute } from "../iso-time.js";
import { type NextStep, step } from "../next-step.js";
import {
  type Acceptance,
  type Approval,
  type CheckResult,
  type Claim,
  type Freeze,
  isContainer,
  type Node,
} from "../node/node.js";
import { listWords, withArticle } from "../words.js";
import { phraseOf } from "./hold-phrase.js";
import type { AskerReason, Hold } from "./holds.js";
import { HOLD_STEPS, HOLD_WORDS, type LandingHold } from "./landing.js";
import { progressOf } from "./rollup.js";
import { isStale, isUnconfirmed } from "./stale-approval.js";
import type { DerivedStatus, Reason } from "./status.js";

export interface Cause {
  readonly id: string;
  /** What the node depends on, when it is that one's landing that is waited for. */
  readonly landing?: string;
}

export interface Meeting {
  readonly id: string;
  /** The recorded conflict; null if the other one is just in progress. */
  readonly conflict: string | null;
  readonly places: string;
}

export interface Circumstances {
  readonly node: Node;
  readonly derived: DerivedStatus;
  readonly actor: Actor;
  readonly now: number;
  /** Dependencies that are not met, by the reason. */
  readonly pending: readonly Cause[];
  /** The program that works on it has ended without saying so. */
  readonly interrupted: boolean;
  /** What keeps the feature of a land task from landing besides open tasks. */
  readonly landing: readonly LandingHold[];
  /** How many of them there are, named or not. */
  readonly pendingTotal: number;
  readonly rejected: readonly Cause[];
  readonly dropped: readonly Cause[];
  /** Containers around it that were changed after their approval, nearest first. */
  readonly staleAbove: readonly string[];
  /** The container around it whose dependencies these are. */
  readonly heldBy: string | null;
  readonly openChildren: readonly string[];
  readonly openTotal: number;
  /** Something in it was approved, can run, or has run. */
  readonly underWay: boolean;
  readonly conflicts: readonly Meeting[];
  /** The node on which the freeze was asked for, and the root of the archived branch. */
  readonly frozenFrom: string;
  readonly archivedWith: string;
  /** The feature of a land task, where there is a branch to land. */
  readonly lands: string | null;
}

export interface Explanation {
  readonly sentence: string;
  /** What gets it out of the way. Nothing that removes anything. */
  readonly next: readonly NextStep[];
  /** The nodes that this one waits for: whatever unblocks those, unblocks this. */
  readonly causes?: readonly string[];
}

export interface Explained extends Explanation {
  /** Its steps work only once everything before it is out of the way. */
  readonly later: boolean;
}

const LISTED = 5;

const list = (ids: readonly string[], total = ids.length): string => listWords(ids, LISTED, total);

const because = (reason: string | null | undefined): string => (reason ? ` (${reason})` : "");

const follow = (sentence: string, causes: readonly string[]): Explanation => ({
  sentence,
  next: causes.slice(0, 1).map((reference) => step("why", { reference })),
  causes,
});

function terminal({ node, archivedWith }: Circumstances): Explanation {
  const { id, outcome } = node;
  if (node.archive !== null) {
    return {
      sentence: `${id} was archived at ${localMinute(node.archive.at)}. Nothing of it was lost.`,
      next: [step("restore", { references: [archivedWith] })],
    };
  }
  if (outcome?.kind === "dropped") {
    return {
      sentence: `${outcome.by} dropped ${id}${because(outcome.reason)}. The log has the operation, which you can undo.`,
      next: [step("log", { reference: id })],
    };
  }
  const how = outcome === null ? "Everything in it is finished" : `It is ${outcome.kind}${because(outcome.reason)}`;
  const done = doneWords(node);
  const next = done === "" ? [step("next")] : [step("show", { reference: id }), step("next")];
  return { sentence: `Nothing is left to do for ${id}. ${how}.${done}`, next };
}

function inFlight({ node, actor, now, interrupted }: Circumstances): Explanation {
  const { id } = node;
  if (interrupted) {
    const sentence = `The program that worked on ${id} has ended. The next run takes it up again, and so does a daemon.`;
    return { sentence, next: [step("run", { reference: id }), step("show", { reference: id })] };
  }
  const { by, until } = node.claim as Claim;
  if (until <= now) {
    return {
      sentence: `The lease of ${by} on ${id} ended at ${localMinute(until)}, so any worker can claim it.`,
      next: [step("next")],
    };
  }
  const sentence = `${by} is working on ${id}, with a lease until ${localMinute(until)}.`;
  if (by !== actor) {
    return { sentence, next: [step("show", { reference: id })] };
  }
  return { sentence, next: [step("complete", { reference: id }, ...(isPerson(actor) ? [] : ["token"]))] };
}

function container({ node, openChildren, openTotal }: Circumstances): Explanation {
  const { id, tier, awaitsPlan, feature } = node;
  if (awaitsPlan !== null) {
    const asked = `${awaitsPlan.by} asked to plan ${id} again${because(awaitsPlan.reason)}.`;
    const { finished, total } = progressOf(node) as { finished: number; total: number };
    // The replan dropped what was open, so this came later: mostly a new plan that only needs its approval.
    const approve = finished < total ? [step("approve", { references: [id] })] : [];
    return { sentence: `${asked} ${HOLD_WORDS.replan(id)}`, next: [...approve, ...HOLD_STEPS.replan(id)] };
  }
  if (openChildren.length === 0 && tier === "story" && feature !== null) {
    return { sentence: `${HOLD_WORDS.empty(id)} Until then its feature cannot land.`, next: HOLD_STEPS.empty(id) };
  }
  if (openChildren.length === 0) {
    return {
      sentence: `${id} is ${withArticle(tier)} with nothing in it.`,
      next: [step("add", { parent: id }, "title")],
    };
  }
  const { finished, total } = progressOf(node) as { finished: number; total: number };
  const done = `${finished} of ${total}${tier === "feature" ? " tasks" : ""} are finished`;
  const open = `${list(openChildren, openTotal)} ${openTotal === 1 ? "is" : "are"} still open`;
  return follow(`${id} is ${withArticle(tier)}: it is done when everything in it is. ${done}; ${open}.`, openChildren);
}

function pending({ node, pending: causes, pendingTotal, heldBy, landing }: Circumstances): Explanation {
  const [first] = causes;
  const ids = causes.map((cause) => cause.id);
  const [hold] = landing;
  const words = landing.slice(0, LISTED).map(({ kind, id }) => ` ${HOLD_WORDS[kind](id)}`);
  if (hold && !first) {
    return { sentence: `${node.id} waits:${words.join("")}`, next: HOLD_STEPS[hold.kind](hold.id) };
  }
  if (first?.landing !== undefined) {
    const sentence = `${node.id} waits for ${first.id}: ${first.landing} is finished, but its feature has not landed yet.`;
    return follow(sentence, ids);
  }
  const who = heldBy === null ? node.id : `${node.id} is part of ${heldBy}, which`;
  return follow(`${who} waits for ${list(ids, pendingTotal)} to be finished.${words.join("")}`, ids);
}

/** Why checks alone do not decide about work that was handed in. */
export const whyPending = ({ reason }: Acceptance): string => reason?.replace(/\.$/, "") ?? "no check proves it";

function human({ node, lands }: Circumstances): Explanation {
  const { id, kind, acceptance } = node;
  if (acceptance?.state === "pending") {
    return {
      sentence: `${acceptance.by} handed in ${id}, and a person has to accept it: ${whyPending(acceptance)}.`,
      next: [step("accept", { references: [id] }, "reason")],
    };
  }
  const what = kind === "land" ? "lands its feature" : "is a gate";
  return {
    sentence: `${id} ${what}: a person has to do it.`,
    next: [lands === null ? step("complete", { reference: id }) : step("land", { reference: lands })],
  };
}

function conflict({ node: { id }, conflicts }: Circumstances): Explanation {
  const ids = conflicts.map((each) => each.id);
  const isRecorded = conflicts.some((each) => each.conflict !== null);
  if (!isRecorded) {
    const where = conflicts.map(({ id: other, places }) => (places === "" ? other : `${other} (${places})`));
    return follow(`${id} touches the same files as ${list(where)}, which is in progress.`, ids);
  }
  const told = conflicts.map(({ id: first, conflict: key, places }) =>
    key === null ? first : `${first}, which touches ${places} too (${key})`,
  );
  return follow(`${id} goes after ${list(told)}.`, ids);
}

const EXPLAIN: Readonly<Record<Reason, (around: Circumstances) => Explanation>> = {
  terminal,
  "in-flight": inFlight,
  rejected: ({ node }) => ({
    sentence: `${rejection(node)}. Reset it to try again, or accept it with a reason.`,
    next: [step("reset", { references: [node.id] }), step("accept", { references: [node.id] }, "reason")],
  }),
  inbox: ({ node: { id, inbox } }) =>
    inbox
      ? { sentence: `${id} is the inbox. Nothing in it runs.`, next: [step("status", { reference: id })] }
      : {
          sentence: `${id} is in the inbox, and nothing in the inbox runs. Move it to where it belongs.`,
          next: [step("approve", { references: [id] }, "to")],
        },
  container,
  unapproved: ({ node: { id }, openChildren, openTotal }) => ({
    sentence:
      openChildren.length === 0
        ? `${id} is not approved, and nothing runs before a person approves it.`
        : `Neither ${id} nor anything in it (${list(openChildren, openTotal)}) is approved, and nothing runs before a person approves it.`,
    next: [step("approve", { references: [id] })],
  }),
  "approval-unknown": ({ node: { id } }) => ({
    sentence: `${id} was approved with a secret that this plan does not know, so it does not run. Look at it, and approve it again.`,
    next: [step("approve", { references: [id] }), step("people.confirm"), step("people.list")],
  }),
  "approval-stale": ({ node: { id, approval, hash }, staleAbove }) => {
    const stale = staleAbove[0];
    if (stale === undefined || isStale({ approval, hash })) {
      return {
        sentence: `${id} changed after ${(approval as Approval).by} approved it, so it needs a new approval.`,
        next: [step("approve", { references: [id] })],
      };
    }
    return {
      sentence: `${id} is part of ${stale}, which changed after its approval. Nothing in it runs before a person approves the change.`,
      next: [step("approve", { references: [stale] })],
    };
  },
  frozen: ({ node: { id, freeze }, frozenFrom }) => {
    const { by, reason } = freeze as Freeze;
    return {
      sentence: `${by} froze ${frozenFrom === id ? id : `${frozenFrom}, and ${id} with it`}${because(reason)}.`,
      next: [step("thaw", { references: [frozenFrom] })],
    };
  },
  "dep-rejected": ({ node: { id }, rejected }) => {
    const ids = rejected.map((cause) => cause.id);
    const next = ids.map((each) => step("reset", { references: [each] }));
    return { sentence: `${id} depends on ${list(ids)}, which was rejected.`, next, causes: ids };
  },
  "dep-dropped": ({ node: { id }, dropped }) => ({
    sentence: `${id} depends on ${list(dropped.map((cause) => cause.id))}, which was dropped.`,
    next: dropped.map((cause) => step("unlink", { reference: id, on: [cause.id] })),
  }),
  "deps-pending": pending,
  human,
  conflict,
  budget: ({ node: { id, attempts } }) => ({
    sentence: `${id} was claimed ${attempts} times, and its budget allows no more.`,
    next: [step("edit", { reference: id, attempts: attempts + 1 })],
  }),
  claimable: ({ node: { id } }) => ({
    sentence: `${id} is ready: you can start it now.`,
    next: [step("next", { reference: id })],
  }),
};

/** A check that failed is named without its output, which is kept beside it. */
function rejection({ id, acceptance, report, attempts }: Node): string {
  const { by, reason } = acceptance as Acceptance;
  const failed = isPerson(by) ? undefined : report?.checks.find(({ passed }) => !passed);
  if (!failed) return `${id} was rejected by ${by}${because(reason)}`;
  const often = attempts > 1 ? ` in ${attempts} attempts` : "";
  return `${id} was rejected: the check \`${failed.run}\` failed${often} (${failed.outcome})`;
}

type EngineHold = Pick<Hold, "because" | "until"> & { readonly phrase: string; readonly id: string };

/** What holds engines only. You can start such a task yourself. */
const EXPLAIN_ENGINE: Readonly<Record<AskerReason, (hold: EngineHold) => Explanation>> = {
  "no-feature": ({ id }) => ({
    sentence: `${id} is in no feature, so there is no branch for an engine to put its work on.`,
    next: [step("move", { references: [id] }, "to")],
  }),
  level: ({ because: [feature], phrase }) => ({
    sentence: `${capital(phrase)}, so the daemon does not start it.`,
    next: [step("level", { level: "on", ...(feature === undefined ? {} : { in: feature }) })],
  }),
  retry: ({ id, phrase }) => ({ sentence: `${capital(phrase.replace(/^it/, id))}.`, next: [] }),
  // `run` with its name starts it all the same: you chose it.
  storm: ({ id, because: [why = ""], until }) => ({
    sentence: `Work on its feature pauses${until === null ? "" : ` until ${localMinute(until)}`}: ${why}.`,
    next: [step("run", { reference: id }), step("attempt.list")],
  }),
  spending: ({ id, phrase }) => ({
    sentence: `Work on its feature stops, because a budget is spent: ${phrase}.`,
    next: [step("run", { reference: id })],
  }),
  "no-worker": ({ id, phrase }) => ({
    sentence: `No worker can do ${id}: ${phrase}. Install an agent, or set roles.worker in planwright.json.`,
    next: [step("agents.list")],
  }),
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Undefined for what holds everybody: `explain` has that. */
export function explainForEngines({ id }: Pick<Node, "id">, hold: Hold): Explanation | undefined {
  const { reason, because: why, until } = hold;
  if (!isEngineReason(reason)) return undefined;
  return EXPLAIN_ENGINE[reason]({ id, because: why, until, phrase: phraseOf(hold) });
}

const isEngineReason = (reason: Hold["reason"]): reason is AskerReason => reason in EXPLAIN_ENGINE;

const APPROVALS: ReadonlySet<Reason> = new Set(["unapproved", "approval-unknown", "approval-stale"]);

/** What you can clear at any time, even while other reasons remain. */
const ANYTIME: ReadonlySet<Reason> = new Set([
  ...APPROVALS,
  "container",
  "frozen",
  "dep-rejected",
  "dep-dropped",
  "deps-pending",
  "conflict",
]);

export const explain = (around: Circumstances): Explained[] =>
  reasonsOf(around).map((reason, i) => ({ ...EXPLAIN[reason](around), later: i > 0 && !ANYTIME.has(reason) }));

/** A container is asked for its children only; what a person has to decide about itself comes before those. */
function reasonsOf({ node, derived, underWay, rejected, dropped, pending }: Circumstances): Reason[] {
  const { reason, also } = derived;
  // The way out of the inbox is an approval; of the inbox itself there is no more to say.
  if (reason === "inbox") return node.inbox ? ["inbox"] : ["inbox", ...also.filter((other) => !APPROVALS.has(other))];
  if (!isContainer(node) || reason !== "container") return [reason, ...also];
  const own: Reason[] = [];
  // What runs in it needs no approval of the container.
  if (node.approval === null && !underWay) own.push("unapproved");
  if (isStale(node)) own.push(isUnconfirmed(node) ? "approval-unknown" : "approval-stale");
  if (node.freeze !== null) own.push("frozen");
  if (rejected.length > 0) own.push("dep-rejected");
  if (dropped.length > 0) own.push("dep-dropped");
  if (pending.length > 0) own.push("deps-pending");
  return [...own, "container"];
}

/** More would make the line too long to read. */
const CHECKS_NAMED = 3;

const nameOf = (check: CheckResult): string => {
  const words = proofWords(check);
  return `${check.run} (${check.outcome}${words === "" ? "" : `, ${words}`})`;
};

function proofOf(checks: readonly CheckResult[], acceptance: Acceptance | null): string {
  if (acceptance?.state === "accepted" && acceptance.by !== "checks") return ` ${acceptance.by} accepted it.`;
  const passed = checks.filter((check) => check.passed);
  if (passed.length === 0) return "";
  const named = passed.slice(0, CHECKS_NAMED).map(nameOf).join("; ");
  const more = passed.length > CHECKS_NAMED ? ` and ${passed.length - CHECKS_NAMED} more` : "";
  const weak = weakProofWords(checks);
  return ` Proven by ${named}${more}.${weak === "" ? "" : ` W${weak.slice(1)}.`}`;
}

/** Begins with a space; empty for a node that no attempt has settled. */
function doneWords({ outcome, report, acceptance }: Node): string {
  if (outcome?.kind !== "done" || report === null) return "";
  const where = report.commit === null ? "" : ` in commit ${report.commit.slice(0, 10)}`;
  return ` ${report.by} did it at ${localMinute(report.at)}${where}.${proofOf(report.checks, acceptance)}`;
}
