// Why a node stands where it does, in plain words, with what to type to get it on its way. One entry per
// reason: the table cannot leave one out.

import { type Actor, isPerson } from "../actor.js";
import { type Acceptance, type Approval, type Claim, type Freeze, isContainer, type Node } from "../node/node.js";
import { phraseOf } from "./hold-phrase.js";
import type { AskerReason, Hold } from "./holds.js";
import { moment } from "./moment.js";
import { progressOf } from "./rollup.js";
import type { DerivedStatus, Reason } from "./status.js";

/** Something that is waited for. */
export interface Cause {
  readonly id: string;
  /** What the node depends on, when it is that one's landing that is waited for. */
  readonly landing?: string;
  /** A feature in which there is nothing to land yet. */
  readonly empty?: boolean;
}

/** A conflict with something that goes first. */
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
  /** Dependencies that are not met, by what stands behind them. */
  readonly pending: readonly Cause[];
  /** How many of them there are, named or not. */
  readonly pendingTotal: number;
  readonly rejected: readonly Cause[];
  readonly dropped: readonly Cause[];
  /** The container around it whose dependencies these are. */
  readonly heldBy: string | null;
  readonly openChildren: readonly string[];
  readonly openTotal: number;
  /** Something in it was approved, can run, or has run. */
  readonly underWay: boolean;
  /** What it waits for because both touch the same. */
  readonly conflicts: readonly Meeting[];
  /** The node on which the freeze was asked for, and the root of the archived branch. */
  readonly frozenFrom: string;
  readonly archivedWith: string;
  /** Of a land task where there is a branch to land: its feature. */
  readonly lands: string | null;
}

export interface Explanation {
  readonly sentence: string;
  /** Commands to type. None of them takes anything away. */
  readonly unblock: readonly string[];
  /** The nodes that this one waits for: whatever unblocks those, unblocks this. */
  readonly causes?: readonly string[];
}

export interface Explained extends Explanation {
  /** Its commands work only once everything before it is out of the way. */
  readonly later: boolean;
}

const LISTED = 5;

const list = (ids: readonly string[], total = ids.length): string => {
  const shown = ids.slice(0, LISTED);
  if (total > shown.length) return `${shown.join(", ")} and ${total - shown.length} more`;
  return ids.length < 2 ? ids.join() : `${ids.slice(0, -1).join(", ")} and ${ids.at(-1) as string}`;
};

const because = (reason: string | null | undefined): string => (reason ? ` (${reason})` : "");

const follow = (sentence: string, causes: readonly string[]): Explanation => ({
  sentence,
  unblock: [`planwright why ${causes[0] as string}`],
  causes,
});

function terminal({ node, archivedWith }: Circumstances): Explanation {
  const { id, outcome } = node;
  if (node.archive !== null) {
    return {
      sentence: `${id} is in the archive since ${moment(node.archive.at)}; nothing of it was lost.`,
      unblock: [`planwright archive ${archivedWith} --restore`],
    };
  }
  if (outcome?.kind === "dropped") {
    return {
      sentence: `${id} was dropped by ${outcome.by}${because(outcome.reason)}; the log has the operation that can be taken back.`,
      unblock: [`planwright log ${id}`],
    };
  }
  const how = outcome === null ? "Everything in it is finished" : `It is ${outcome.kind}${because(outcome.reason)}`;
  return {
    sentence: `Nothing holds ${id} back. ${how}, and there is nothing left to do.`,
    unblock: ["planwright next"],
  };
}

function inFlight({ node, actor, now }: Circumstances): Explanation {
  const { id } = node;
  const { by, until } = node.claim as Claim;
  if (until <= now) {
    return {
      sentence: `The lease of ${by} on ${id} has expired (${moment(until)}); the next \`planwright next\` gives it out again.`,
      unblock: ["planwright next"],
    };
  }
  const sentence = `${by} is working on ${id}, with a lease until ${moment(until)}.`;
  if (by !== actor) return { sentence, unblock: [`planwright status ${id}`] };
  return { sentence, unblock: [`planwright complete ${id}${isPerson(actor) ? "" : " --token TOKEN"}`] };
}

function container({ node, openChildren, openTotal }: Circumstances): Explanation {
  const { id, tier } = node;
  if (openChildren.length === 0) {
    return {
      sentence: `${id} is a ${tier} with nothing in it that could be done.`,
      unblock: [`planwright add TITLE --parent ${id}`],
    };
  }
  const { finished, total } = progressOf(node) as { finished: number; total: number };
  const done = `${finished} of ${total}${tier === "feature" ? " tasks" : ""} are finished`;
  const open = `${list(openChildren, openTotal)} ${openTotal === 1 ? "is" : "are"} still open`;
  return follow(`${id} is a ${tier}: it is done when everything in it is. ${done}; ${open}.`, openChildren);
}

function pending({ node, pending: causes, pendingTotal, heldBy }: Circumstances): Explanation {
  const [first] = causes;
  const ids = causes.map((cause) => cause.id);
  if (first?.empty) {
    return {
      sentence: `${node.id} waits for ${first.id} to have tasks: there is nothing to land yet.`,
      unblock: [`planwright add TITLE --parent ${first.id}`],
    };
  }
  if (first?.landing !== undefined) {
    const sentence = `${node.id} waits for ${first.id}: ${first.landing} is finished, but its feature has not landed yet.`;
    return follow(sentence, ids);
  }
  const who = heldBy === null ? node.id : `${node.id} is part of ${heldBy}, which`;
  return follow(`${who} waits for ${list(ids, pendingTotal)} to be finished.`, ids);
}

function human({ node, lands }: Circumstances): Explanation {
  const { id, kind, acceptance } = node;
  if (acceptance?.state === "pending") {
    return {
      sentence: `${acceptance.by} handed ${id} in, and there are no checks to prove it: a person must accept it with \`planwright accept ${id} --reason TEXT\`.`,
      unblock: [`planwright accept ${id} --reason TEXT`],
    };
  }
  const what = kind === "land" ? "lands its feature" : "is a gate";
  return {
    sentence: `${id} ${what}: it is a person's to do.`,
    unblock: [lands === null ? `planwright complete ${id}` : `planwright land ${lands}`],
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
  rejected: ({ node }) => {
    const { by, reason } = node.acceptance as Acceptance;
    return {
      sentence: `${node.id} was rejected by ${by}${because(reason)}. It stays so until somebody opens it again, or accepts it with a reason.`,
      unblock: [`planwright reset ${node.id}`],
    };
  },
  inbox: ({ node: { id, inbox } }) =>
    inbox
      ? {
          sentence: `${id} is the inbox: what is kept there waits for a decision, and nothing of it ever runs.`,
          unblock: [`planwright status ${id}`],
        }
      : {
          sentence: `${id} is in the inbox, where nothing ever runs: it has to be moved to where it belongs.`,
          unblock: [`planwright approve ${id} --to REF`],
        },
  container,
  unapproved: ({ node: { id }, openChildren, openTotal }) => ({
    sentence:
      openChildren.length === 0
        ? `${id} is not approved, and nothing runs before a person has approved it.`
        : `Neither ${id} nor anything in it (${list(openChildren, openTotal)}) is approved, and nothing runs before a person has approved it.`,
    unblock: [`planwright approve ${id}`],
  }),
  "approval-stale": ({ node: { id, approval } }) => ({
    sentence: `${id} was changed after ${(approval as Approval).by} approved it, so the approval no longer holds.`,
    unblock: [`planwright approve ${id}`],
  }),
  frozen: ({ node: { id, freeze }, frozenFrom }) => {
    const { by, reason } = freeze as Freeze;
    return {
      sentence: `${id} is frozen${frozenFrom === id ? "" : ` together with ${frozenFrom}`} by ${by}${because(reason)}.`,
      unblock: [`planwright thaw ${frozenFrom}`],
    };
  },
  "dep-rejected": ({ node: { id }, rejected }) => {
    const ids = rejected.map((cause) => cause.id);
    const sentence = `${id} depends on ${list(ids)}, which was rejected.`;
    return { sentence, unblock: ids.map((each) => `planwright reset ${each}`), causes: ids };
  },
  "dep-dropped": ({ node: { id }, dropped }) => ({
    sentence: `${id} depends on ${list(dropped.map((cause) => cause.id))}, which was dropped and will not be done.`,
    unblock: dropped.map((cause) => `planwright unlink ${id} --on ${cause.id}`),
  }),
  "deps-pending": pending,
  human,
  conflict,
  budget: ({ node: { id, attempts } }) => ({
    sentence: `${id} was claimed ${attempts} times, and its budget allows no more.`,
    unblock: [`planwright edit ${id} --attempts ${attempts + 1}`],
  }),
  claimable: ({ node: { id } }) => ({
    sentence: `${id} is ready: you can start it now.`,
    unblock: [`planwright start ${id}`],
  }),
};

type EngineHold = Pick<Hold, "because" | "until"> & { readonly phrase: string; readonly id: string };

/** What holds engines only. You can start such a task yourself. */
const EXPLAIN_ENGINE: Readonly<Record<AskerReason, (hold: EngineHold) => Explanation>> = {
  "no-feature": ({ id }) => ({
    sentence: `${id} is in no feature, so there is no branch for an engine to put its work on.`,
    unblock: [`planwright move ${id} --to FEATURE`],
  }),
  level: ({ because: [feature], phrase }) => ({
    sentence: `${capital(phrase)}, so the daemon does not start it.`,
    unblock: [feature === undefined ? "planwright level on" : `planwright level on --feature ${feature}`],
  }),
  retry: ({ id, phrase }) => ({ sentence: `${capital(phrase.replace(/^it/, id))}.`, unblock: [] }),
  // `run` with its name starts it all the same: you chose it.
  storm: ({ id, because: [why = ""], until }) => ({
    sentence: `Work on its feature pauses${until === null ? "" : ` until ${moment(until)}`}: ${why}.`,
    unblock: [`planwright run ${id}`, "planwright attempts"],
  }),
  spending: ({ id, phrase }) => ({
    sentence: `Work on its feature stops, because a budget is spent: ${phrase}.`,
    unblock: [`planwright run ${id}`],
  }),
  "no-worker": ({ id, phrase }) => ({
    sentence: `No worker can do ${id}: ${phrase}. Install an agent, or set roles.worker in planwright.json.`,
    unblock: ["planwright agents"],
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

const APPROVALS: ReadonlySet<Reason> = new Set(["unapproved", "approval-stale"]);

/** What can be cleared at any time, whatever else stands in the way. */
const ANYTIME: ReadonlySet<Reason> = new Set([
  ...APPROVALS,
  "container",
  "frozen",
  "dep-rejected",
  "dep-dropped",
  "deps-pending",
  "conflict",
]);

/** One for each reason that applies, the first one first. */
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
  if (node.approval !== null && node.approval.hash !== node.hash) own.push("approval-stale");
  if (node.freeze !== null) own.push("frozen");
  if (rejected.length > 0) own.push("dep-rejected");
  if (dropped.length > 0) own.push("dep-dropped");
  if (pending.length > 0) own.push("deps-pending");
  return [...own, "container"];
}
